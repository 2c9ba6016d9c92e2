// The memory model shows all outcomes that real memories allow, and no others.

#include <functional>
#include <set>
#include <vector>

#include "explore.hpp"

BOOST_AUTO_TEST_SUITE(scheduled_memory_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

constexpr std::uint64_t seeds = 3000;

/// Two data words, a flag, and the values that the workers saw.
struct litmus {
  std::uint32_t data = 0;
  std::uint32_t other = 0;
  std::uint32_t flag = 0;
  std::vector<std::uint32_t> seen = std::vector<std::uint32_t>(4, 99);
};

using worker_body = std::function<void(litmus&, scheduled_memory&)>;

/// All outcomes (values of `seen`) of the workers over many schedules.
std::set<std::vector<std::uint32_t>> outcomes(machine_model model,
                                              std::vector<worker_body> const& workers) {
  static schedule on;
  std::set<std::vector<std::uint32_t>> result;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    on.reset(seed, model);
    litmus words;
    on.memory().add(&words.data, 0);
    on.memory().add(&words.other, 0);
    on.memory().add(&words.flag, 0);
    std::string const problem = on.run(static_cast<int>(workers.size()), [&](int worker) {
      scheduled_memory memory(on, worker);
      workers[static_cast<std::size_t>(worker)](words, memory);
    });
    BOOST_TEST_REQUIRE(problem == "");
    result.insert(words.seen);
  }
  return result;
}

using outcome_set = std::set<std::vector<std::uint32_t>>;

constexpr auto both_models = {machine_model::host, machine_model::cuda};

/// Writes the data, then the flag.
worker_body writer(bool releases) {
  return [releases](litmus& w, scheduled_memory& m) {
    m.store_relaxed(&w.data, 1U);
    releases ? m.store_release(&w.flag, 1U) : m.store_relaxed(&w.flag, 1U);
  };
}
/// Reads the flag, then the data.
worker_body reader(bool acquires) {
  return [acquires](litmus& w, scheduled_memory& m) {
    w.seen[0] = acquires ? m.load_acquire(&w.flag) : m.load_relaxed(&w.flag);
    w.seen[1] = m.load_relaxed(&w.data);
  };
}
outcome_set const any_outcome{{0, 0, 99, 99}, {0, 1, 99, 99}, {1, 0, 99, 99}, {1, 1, 99, 99}};
std::vector<std::uint32_t> const late{1, 0, 99, 99};

}  // namespace

BOOST_AUTO_TEST_CASE(relaxed_messages_may_arrive_before_their_data) {
  for (auto const model : both_models) {
    BOOST_TEST((outcomes(model, {writer(false), reader(false)}) == any_outcome));
  }
}

BOOST_AUTO_TEST_CASE(release_or_acquire_alone_gives_no_order) {
  BOOST_TEST(outcomes(machine_model::host, {writer(true), reader(false)}).count(late) == 1);
  BOOST_TEST(outcomes(machine_model::host, {writer(false), reader(true)}).count(late) == 1);
}

BOOST_AUTO_TEST_CASE(release_and_acquire_bring_the_data_along) {
  for (auto const model : both_models) {
    auto const seen = outcomes(model, {writer(true), reader(true)});
    BOOST_TEST((seen == outcome_set{{0, 0, 99, 99}, {0, 1, 99, 99}, {1, 1, 99, 99}}));
  }
}

BOOST_AUTO_TEST_CASE(fences_of_batches_publish_data_and_are_needed_on_cuda) {
  worker_body const fenced_writer = [](litmus& w, scheduled_memory& m) {
    m.store_relaxed(&w.data, 1U);
    m.batch_fence();
    m.store_in_batch(&w.flag, 1U);
  };
  worker_body const fenced_reader = [](litmus& w, scheduled_memory& m) {
    w.seen[0] = m.load_in_batch(&w.flag);
    m.batch_fence();
    w.seen[1] = m.load_relaxed(&w.data);
  };
  worker_body const bare_reader = [](litmus& w, scheduled_memory& m) {
    w.seen[0] = m.load_in_batch(&w.flag);
    w.seen[1] = m.load_relaxed(&w.data);
  };
  for (auto const model : both_models)
    BOOST_TEST(outcomes(model, {fenced_writer, fenced_reader}).count(late) == 0);
  BOOST_TEST(outcomes(machine_model::host, {fenced_writer, bare_reader}).count(late) == 0);
  BOOST_TEST(outcomes(machine_model::cuda, {fenced_writer, bare_reader}).count(late) == 1);
}

BOOST_AUTO_TEST_CASE(the_last_to_count_down_in_a_batch_sees_what_all_others_wrote) {
  auto const predecessor = [](std::uint32_t litmus::*word) -> worker_body {
    return [word](litmus& w, scheduled_memory& m) {
      m.store_relaxed(&(w.*word), 1U);
      m.batch_fence();
      // The flag starts at 0, so the second count-down finds -1.
      bool const last = m.fetch_sub_in_batch(&w.flag, 1U) == ~0U;
      m.batch_fence();
      if (last) w.seen = {m.load_relaxed(&w.data), m.load_relaxed(&w.other), 99, 99};
    };
  };
  for (auto const model : both_models) {
    auto const seen = outcomes(model, {predecessor(&litmus::data), predecessor(&litmus::other)});
    BOOST_TEST((seen == outcome_set{{1, 1, 99, 99}}));
  }
}

BOOST_AUTO_TEST_CASE(stores_may_wait_in_a_buffer) {
  worker_body const one = [](litmus& w, scheduled_memory& m) {
    m.store_release(&w.data, 1U);
    w.seen[0] = m.load_acquire(&w.other);
  };
  worker_body const two = [](litmus& w, scheduled_memory& m) {
    m.store_release(&w.other, 1U);
    w.seen[1] = m.load_acquire(&w.data);
  };
  BOOST_TEST((outcomes(machine_model::host, {one, two}) == any_outcome));
}

BOOST_AUTO_TEST_CASE(one_word_never_goes_back) {
  worker_body const counts = [](litmus& w, scheduled_memory& m) {
    for (std::uint32_t v = 1; v <= 3; ++v) m.store_relaxed(&w.data, v);
  };
  worker_body const looks = [](litmus& w, scheduled_memory& m) {
    for (auto& v : w.seen) v = m.load_relaxed(&w.data);
  };
  auto const seen = outcomes(machine_model::host, {counts, looks});
  BOOST_TEST(seen.size() > 20U);
  for (auto const& values : seen) BOOST_TEST(std::is_sorted(values.begin(), values.end()));
}

BOOST_AUTO_TEST_CASE(updates_are_atomic_and_pass_a_release_on) {
  worker_body const update = [](litmus& w, scheduled_memory& m) {
    w.seen[2] = m.fetch_add_relaxed(&w.flag, 1U);
  };
  auto const seen = outcomes(machine_model::host, {writer(true), update, reader(true)});
  for (auto const& values : seen) BOOST_TEST(!(values[2] == 1 && values[0] == 2 && values[1] == 0));
  BOOST_TEST(seen.count({2, 1, 1, 99}) == 1);

  worker_body const counter = [](litmus& w, scheduled_memory& m) {
    for (int k = 0; k < 3; ++k) {
      if (k == 1) {
        std::uint32_t old = m.load_relaxed(&w.data);
        while (!m.compare_exchange_relaxed(&w.data, old, old + 1)) old = m.load_relaxed(&w.data);
      } else {
        w.seen[3] = m.fetch_add_relaxed(&w.data, 1U) + 1;
      }
    }
  };
  for (auto const& values : outcomes(machine_model::host, {counter, counter, counter})) {
    BOOST_TEST(values[3] <= 9U);
    BOOST_TEST(values[3] >= 7U);
  }
}

BOOST_AUTO_TEST_CASE(a_wait_ends_and_an_endless_one_is_reported) {
  auto const seen = outcomes(machine_model::host,
                             {[](litmus& w, scheduled_memory& m) { m.store_relaxed(&w.flag, 1U); },
                              [](litmus& w, scheduled_memory& m) {
                                while (m.load_relaxed(&w.flag) == 0) {
                                }
                                w.seen[0] = 1;
                              }});
  BOOST_TEST(seen.size() == 1U);

  schedule on;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    on.reset(seed, machine_model::host);
    std::uint32_t flag = 0;
    on.memory().add(&flag, 0);
    std::string const problem = on.run(2, [&](int worker) {
      scheduled_memory m(on, worker);
      while (m.load_relaxed(&flag) == 0) on.yielded();
    });
    BOOST_TEST(problem == "did not end: a worker waits for something that never comes");
  }
}

BOOST_AUTO_TEST_CASE(simulated_warps_vote_and_shuffle) {
  schedule on;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    on.reset(seed, machine_model::host);
    std::uint32_t word = 0;
    on.memory().add(&word, 0);
    warp_board boards[2];
    int errors = 0;
    std::string const problem = on.run(4, [&](int worker) {
      int const lane = worker % 2;
      scheduled_memory m(on, worker);
      scheduled_warp const warp(on, boards[worker / 2], worker - lane, 2, lane);
      for (std::uint32_t round = 0; round < 4; ++round) {
        if (lane == 0) m.fetch_add_relaxed(&word, 1U);
        errors += warp.ballot(lane == static_cast<int>(round % 2)) != 1U << (round % 2);
        errors += warp.shuffle(round * 10 + static_cast<std::uint32_t>(lane), 1 - lane) !=
                  round * 10 + static_cast<std::uint32_t>(1 - lane);
        errors += warp.any(false);
      }
    });
    BOOST_TEST(problem == "");
    BOOST_TEST(errors == 0);
    BOOST_TEST(on.memory().newest(&word) == 8U);
  }
}

BOOST_AUTO_TEST_CASE(store_buffering_needs_full_fences) {
  using fence = void (*)(scheduled_memory&);
  auto const outcomes_with = [](machine_model model, fence between) {
    return outcomes(model, {[between](litmus& w, scheduled_memory& m) {
                              m.store_relaxed(&w.data, 1U);
                              between(m);
                              w.seen[0] = m.load_relaxed(&w.other);
                            },
                            [between](litmus& w, scheduled_memory& m) {
                              m.store_relaxed(&w.other, 1U);
                              between(m);
                              w.seen[1] = m.load_relaxed(&w.data);
                            }});
  };
  for (auto const model : both_models) {
    auto const batch = outcomes_with(model, [](scheduled_memory& m) { m.batch_fence(); });
    BOOST_TEST(batch.contains({0, 0, 99, 99}));
    auto const full = outcomes_with(model, [](scheduled_memory& m) { m.full_fence(); });
    BOOST_TEST((full == outcome_set{{0, 1, 99, 99}, {1, 0, 99, 99}, {1, 1, 99, 99}}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
