// Tests of launching, memory, recording and timing through `device`.
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "gridloom/error.hpp"
#include "gridloom/watchdog.hpp"
#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(seam_device_test)

using namespace gridloom;
using namespace gridloom::test;

namespace {

/// word = word · factor + term, by one thread per word.
struct linear_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  std::uint32_t* words;
  std::uint32_t factor;
  std::uint32_t term;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    std::uint32_t& word = words[block.thread().index()];
    word = word * factor + term;
  }
};

struct meeting_grid_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;
  /// Array of one word per block.
  std::uint32_t* words;
  std::uint32_t* errors;
  std::uint32_t rounds;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    std::uint32_t wrong = 0;
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      if (block.thread_rank() == 0) words[block.index()] = round;
      block.grid_sync();
      for (int peer = 0; peer < block.count(); ++peer) wrong += words[peer] != round;
      block.grid_sync();
    }
    if (wrong != 0 && block.thread_rank() == 0) errors[block.index()] = wrong;
  }
};

/// Two kernels that count in turn: one writes odd numbers, the other writes even ones.
struct in_turns_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = true;
  /// Array of one word per block.
  std::uint32_t* words;
  std::uint32_t last;
  std::uint32_t mine;
  watchdog_ref dog;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.thread_rank() != 0) return;
    direct_memory memory;
    watch patience(dog, block.index());
    std::uint32_t* const word = words + block.index();
    for (unsigned attempt = 0;; ++attempt) {
      std::uint32_t const seen = memory.load_acquire(word);
      if (seen == last) return;
      if (seen % 2 == mine) {
        memory.store_release(word, seen + 1);
        attempt = 0;
      }
      if (patience.stop(memory, wait_kind::neighbour, 0, seen, last)) return;
      block.pause(attempt);
    }
  }
};

/// Counts the passes of a loop and ends it after `last`.
struct pass_kernel {
  using scratch = no_scratch;
  static constexpr bool persistent = false;
  std::uint32_t* passes;
  std::uint32_t last;
  loop_ref loop;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch&) const {
    if (block.index() != 0 || block.thread_rank() != 0) return;
    *passes += 1;
    if (*passes == last) end_loop(block, loop);
  }
};

buffer<std::uint32_t> words_of(device& machine, int n, std::uint32_t value) {
  return machine.allocate_copy(std::vector<std::uint32_t>(std::size_t(n), value));
}
void require_words(device& machine, buffer<std::uint32_t> const& words, std::uint32_t expected) {
  for (std::uint32_t const word : machine.copy_to_host(words)) BOOST_REQUIRE(word == expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(stores_before_a_grid_sync_are_seen_after_it) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const words = words_of(machine, on.shape.blocks, 0);
    auto const errors = words_of(machine, on.shape.blocks, 0);
    machine.launch(on.shape, meeting_grid_kernel{words.data(), errors.data(), 100});
    machine.synchronize();
    require_words(machine, errors, 0U);
  });
}

BOOST_AUTO_TEST_CASE(a_persistent_grid_that_does_not_fit_is_refused_with_the_number_that_fits) {
  on_each_machine([](test_machine const& on, device& machine) {
    int const resident = machine.resident_blocks<meeting_grid_kernel>(on.shape.threads);
    BOOST_TEST_REQUIRE(resident >= 1);
    std::string const text = error_text<usage_error>([&] {
      machine.launch({resident + 1, on.shape.threads}, meeting_grid_kernel{nullptr, nullptr, 0});
    });
    BOOST_TEST(contains(text, "holds " + std::to_string(resident) + " of them at once"));
    BOOST_TEST(contains(text, "grid of " + std::to_string(resident + 1) + " blocks"));
  });
}

BOOST_AUTO_TEST_CASE(shapes_that_the_device_does_not_have_are_refused) {
  on_each_machine([](test_machine const&, device& machine) {
    linear_kernel const kernel{nullptr, 1, 0};
    BOOST_TEST(contains(error_text<usage_error>([&] { machine.launch({0, 1}, kernel); }), "got 0"));
    // On the host the number of threads has no effect.
    if (machine.is_host()) return;
    int const most = machine.properties().max_threads;
    std::string const text = error_text<usage_error>([&] {
      machine.launch({1, most + 1}, kernel);
    });
    BOOST_TEST(contains(text, "1 to " + std::to_string(most)));
    BOOST_TEST(contains(text, "got " + std::to_string(most + 1)));
    BOOST_TEST(contains(error_text<usage_error>([&] { machine.launch({1, 0}, kernel); }), "got 0"));
    BOOST_TEST(error_text<std::exception>([&] { machine.synchronize(); }) == "");
  });
}

BOOST_AUTO_TEST_CASE(missing_devices_are_refused) {
  BOOST_TEST(contains(error_text<usage_error>([] { device("metal", 0); }), "got \"metal\""));
  BOOST_TEST(contains(error_text<usage_error>([] { device("host", 1); }), "got 1"));
  on_each_machine([](test_machine const&, device& machine) {
    std::string const text =
        error_text<usage_error>([&] { device(machine.properties().backend, 1000); });
    BOOST_TEST(contains(text, "--device"));
    BOOST_TEST(contains(text, "got 1000"));
  });
}

BOOST_AUTO_TEST_CASE(buffers_keep_what_is_copied_into_them) {
  on_each_machine([](test_machine const&, device& machine) {
    std::vector<std::uint64_t> values(1000);
    std::iota(values.begin(), values.end(), std::uint64_t{1} << 40);
    auto const whole = machine.allocate_copy(values);
    BOOST_TEST(whole.size() == values.size());
    BOOST_TEST(whole.bytes() == values.size() * 8);
    BOOST_TEST(machine.copy_to_host(whole) == values, per_element());
    machine.fill_bytes(whole, 0xFF);
    for (std::uint64_t const word : machine.copy_to_host(whole))
      BOOST_REQUIRE(word == ~std::uint64_t{0});
    auto const none = machine.allocate_copy(std::vector<std::uint32_t>{});
    BOOST_TEST(none.size() == 0U);
    BOOST_TEST(machine.copy_to_host(none).empty());
  });
}

// The copies are larger than one piece of pinned memory, and no multiple of it.
BOOST_AUTO_TEST_CASE(large_copies_come_back_as_they_were) {
  on_each_machine([](test_machine const& /*on*/, device& machine) {
    for (std::size_t const n : {(std::size_t{5} << 20U) + 3, std::size_t{2} << 20U}) {
      std::vector<std::uint64_t> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = i * 0x9e3779b97f4a7c15U;
      auto const there = machine.allocate_copy(values);
      // The second copy reuses the pieces.
      auto const again = machine.allocate_copy(values);
      BOOST_TEST((machine.copy_to_host(there) == values));
      BOOST_TEST((machine.copy_to_host(again) == values));
      auto const staging = machine.allocate_staging<std::uint64_t>(n);
      machine.copy_to_staging(staging, there);
      BOOST_TEST(std::equal(values.begin(), values.end(), staging.data()));
    }
  });
}

BOOST_AUTO_TEST_CASE(a_recorded_sequence_runs_at_each_replay_and_not_before) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const words = words_of(machine, on.threads(), 5);
    launch_sequence const sequence = machine.record([&] {
      machine.launch(on.shape, linear_kernel{words.data(), 2, 1});
      machine.launch(on.shape, linear_kernel{words.data(), 3, 0});
    });
    machine.synchronize();
    require_words(machine, words, 5U);
    std::uint32_t expected = 5;
    for (int k = 0; k < 3; ++k) {
      machine.replay(sequence);
      expected = (expected * 2 + 1) * 3;
    }
    machine.synchronize();
    require_words(machine, words, expected);
    // This launch is no longer recorded.
    machine.launch(on.shape, linear_kernel{words.data(), 1, 1});
    require_words(machine, words, expected + 1);
  });
}

BOOST_AUTO_TEST_CASE(a_recorded_loop_goes_on_until_a_kernel_ends_it) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const words = words_of(machine, on.threads(), 0);
    auto const passes = machine.allocate<std::uint32_t>(1);
    for (std::uint32_t const last : {1U, 2U, 37U}) {
      machine.fill_bytes(words, 0);
      launch_sequence const sequence = machine.record_loop([&](loop_ref loop) {
        machine.launch(on.shape, linear_kernel{words.data(), 2, 1});
        machine.launch(on.shape, pass_kernel{passes.data(), last, loop});
        // This launch is also executed in the last pass.
        machine.launch(on.shape, linear_kernel{words.data(), 3, 0});
      });
      machine.synchronize();
      require_words(machine, words, 0U);
      std::uint32_t expected = 0;
      for (int k = 0; k < 3; ++k) {
        machine.fill_bytes(passes, 0);
        machine.replay(sequence);
        for (std::uint32_t pass = 0; pass < last; ++pass) expected = (expected * 2 + 1) * 3;
        BOOST_TEST(machine.copy_to_host(passes)[0] == last);
        require_words(machine, words, expected);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(a_failed_recording_is_closed) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const words = words_of(machine, on.threads(), 5);
    auto const fail = [&] {
      machine.launch(on.shape, linear_kernel{words.data(), 7, 0});
      throw run_error("no more");
    };
    BOOST_TEST(error_text<run_error>([&] { (void)machine.record(fail); }) == "no more");
    BOOST_TEST(error_text<run_error>(
                   [&] { (void)machine.record_loop([&](loop_ref) { fail(); }); }) == "no more");
    machine.launch(on.shape, linear_kernel{words.data(), 2, 0});
    require_words(machine, words, 10U);
  });
}

BOOST_AUTO_TEST_CASE(launches_take_time) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const words = words_of(machine, on.threads(), 0);
    double const ms = machine.time_ms([&] {
      machine.launch(on.shape, linear_kernel{words.data(), 1, 1});
    });
    BOOST_TEST(ms > 0);
    BOOST_TEST(ms < 60'000);
  });
}

BOOST_AUTO_TEST_CASE(two_kernels_that_wait_for_each_other_run_at_the_same_time) {
  on_each_machine([](test_machine const& on, device& machine) {
    auto const words = words_of(machine, on.shape.blocks, 0);
    watchdog dog(machine, on.shape.blocks, 60);
    for (std::uint32_t const last : {100U, 201U}) {
      watchdog_ref const stopper = dog.arm();
      machine.launch_together(on.shape, in_turns_kernel{words.data(), last, 0, stopper},
                              {on.shape.blocks, 1},
                              in_turns_kernel{words.data(), last, 1, stopper});
      BOOST_TEST(!dog.fired());
      require_words(machine, words, last);
    }
    launch_shape const too_many{1 << 20, 1};
    in_turns_kernel const none{words.data(), 0, 0, dog.arm()};
    BOOST_CHECK_THROW(machine.launch_together(too_many, none, {1, 1}, none), grid_error);
    BOOST_CHECK_THROW(machine.launch_together({1, 1}, none, too_many, none), grid_error);
  });
}

BOOST_AUTO_TEST_SUITE_END()
