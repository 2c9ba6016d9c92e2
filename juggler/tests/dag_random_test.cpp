// Random programs of ranges. A brute force over the storage gives the same graph, and all orders
// that the graph allows give the serial result.

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "dag_scene.hpp"

BOOST_AUTO_TEST_SUITE(juggler_dag_random_test)

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::juggler::test;

namespace {

constexpr std::uint32_t storage_bytes = 64;
constexpr std::uint64_t programs = 400;

/// Bytes first to last - 1 of the storage.
struct access {
  std::uint32_t first;
  std::uint32_t last;
  bool reads;
  bool writes;

  [[nodiscard]] auto range() const { return std::pair{first, last}; }
};
struct random_task {
  std::vector<access> accesses;
  /// Explicit edges from earlier tasks.
  std::vector<std::uint32_t> after;
};
using program = std::vector<random_task>;

class random_source {
 public:
  explicit random_source(std::uint64_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

 private:
  std::mt19937_64 engine_;
};

/// Arbitrary ranges, or only tiles, which never overlap in part, or tiles and a few other ranges.
enum class ranges { any, tiles, mostly_tiles };

program random_program(random_source& random, ranges kind) {
  program made(1 + random.below(25));
  // Some programs have long ranges, others short ones.
  std::uint32_t const longest = 1 + random.below(storage_bytes);
  for (std::uint32_t task = 0; task < made.size(); ++task) {
    for (std::uint32_t left = random.below(5); left > 0; --left) {
      std::uint32_t first = 8 * random.below(storage_bytes / 8);
      std::uint32_t last = first + 8;
      if (kind == ranges::any || (kind == ranges::mostly_tiles && random.below(16) == 0)) {
        first = random.below(storage_bytes);
        last = std::min(first + 1 + random.below(longest), storage_bytes);
      }
      std::uint32_t const how = random.below(3);
      made[task].accesses.push_back({first, last, how != 1, how != 0});
    }
    if (task > 0 && random.below(8) == 0) made[task].after.push_back(random.below(task));
  }
  return made;
}

/// Calls say(pointer, begin, length) for a range of bytes. The pointer leads to a random place and
/// has the widest type that fits, or a narrower one.
template <class Say>
void say_bytes(random_source& random, char const* storage, access const& of, Say const& say) {
  std::uint32_t const base = 8 * random.below(storage_bytes / 8);
  auto const as = [&]<class T>(T const* array) {
    auto const begin = static_cast<std::int64_t>(of.first) - static_cast<std::int64_t>(base);
    auto const size = static_cast<std::int64_t>(sizeof(T));
    say(array, begin / size, (of.last - of.first) / size);
  };
  void const* const pointer = storage + base;
  bool const fits_words = of.first % 4 == 0 && of.last % 4 == 0;
  if (fits_words && random.below(2) == 0) {
    as(static_cast<float const*>(pointer));
  } else {
    as(static_cast<char const*>(pointer));
  }
}

task_dag graph_of(program const& tasks, range_matching matching, std::uint64_t seed) {
  alignas(8) static char const storage[storage_bytes] = {};
  random_source random(seed);
  context made(tasks.size(), 0, matching);
  made.declare_array(storage, storage_bytes);
  for (random_task const& from : tasks) {
    task_id const task = made.add_task(0);
    for (access const& of : from.accesses) {
      say_bytes(random, storage, of,
                [&](auto const* array, std::int64_t begin, std::int64_t length) {
                  if (of.reads && of.writes) made.process_inout_dep(task, array, begin, length);
                  if (of.reads && !of.writes) made.process_in_dep(task, array, begin, length);
                  if (!of.reads && of.writes) made.process_out_dep(task, array, begin, length);
                });
    }
    for (std::uint32_t const before : from.after) made.add_dependency(task_id{before}, task);
  }
  made.build_csr();
  return made.dag();
}

/// The tasks that read and write one atom: a byte, or a whole range under the paper's rule.
struct atom {
  std::set<std::uint32_t> readers;
  std::set<std::uint32_t> writers;

  [[nodiscard]] bool conflict(std::uint32_t one, std::uint32_t other) const {
    return (writers.contains(one) && (writers.contains(other) || readers.contains(other))) ||
           (readers.contains(one) && writers.contains(other));
  }
  [[nodiscard]] bool written_between(std::uint32_t one, std::uint32_t other) const {
    auto const next = writers.upper_bound(one);
    return next != writers.end() && *next < other;
  }
};
using atoms = std::map<std::pair<std::uint32_t, std::uint32_t>, atom>;

atoms atoms_of(program const& tasks, range_matching matching) {
  atoms all;
  for (std::uint32_t task = 0; task < tasks.size(); ++task) {
    for (access const& of : tasks[task].accesses) {
      auto const touch = [&](std::pair<std::uint32_t, std::uint32_t> where) {
        if (of.reads) all[where].readers.insert(task);
        if (of.writes) all[where].writers.insert(task);
      };
      if (matching == range_matching::one_to_one) {
        touch(of.range());
      } else {
        for (std::uint32_t byte = of.first; byte < of.last; ++byte) touch({byte, byte + 1});
      }
    }
  }
  return all;
}

/// Pairs of tasks with conflicting accesses to an atom that no task between them writes.
std::set<std::pair<std::uint32_t, std::uint32_t>> conflicts(program const& tasks,
                                                            range_matching matching) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (auto const& [where, of] : atoms_of(tasks, matching)) {
    for (std::uint32_t j = 0; j < tasks.size(); ++j) {
      for (std::uint32_t i = 0; i < j; ++i) {
        if (of.conflict(i, j) && !of.written_between(i, j)) found.emplace(i, j);
      }
    }
  }
  for (std::uint32_t j = 0; j < tasks.size(); ++j) {
    for (std::uint32_t const i : tasks[j].after) found.emplace(i, j);
  }
  return found;
}

/// Runs a small program on arrays: each task mixes the values that it reads, and writes the result.
class serial_machine {
 public:
  void execute(random_task const& task, std::uint32_t number) {
    std::uint64_t value = number + 1;
    for (access const& of : task.accesses) {
      for (auto byte = of.first; of.reads && byte < of.last; ++byte)
        value = mix(value, bytes_[byte]);
    }
    for (access const& of : task.accesses) {
      for (auto byte = of.first; of.writes && byte < of.last; ++byte)
        bytes_[byte] = mix(value, byte);
    }
    seen_[number] = value;
  }
  friend bool operator==(serial_machine const&, serial_machine const&) = default;

 private:
  static std::uint64_t mix(std::uint64_t x, std::uint64_t y) {
    x = (x ^ y) * 0x9e3779b97f4a7c15U;
    return x ^ (x >> 29U);
  }

  std::vector<std::uint64_t> bytes_ = std::vector<std::uint64_t>(storage_bytes);
  /// The result of each task. So tasks are also compared if no task reads their results.
  std::map<std::uint32_t, std::uint64_t> seen_;
};

serial_machine in_serial(program const& tasks) {
  serial_machine machine;
  for (std::uint32_t task = 0; task < tasks.size(); ++task) machine.execute(tasks[task], task);
  return machine;
}

/// Executes ready tasks in a random order until none is left, as a runtime does.
serial_machine in_some_order(program const& tasks, task_dag const& dag, random_source& random) {
  serial_machine machine;
  std::vector<std::uint32_t> open = dag.parents;
  std::vector<std::uint32_t> ready = dag.ready;
  std::size_t executed = 0;
  for (; !ready.empty(); ++executed) {
    std::swap(ready[random.below(static_cast<std::uint32_t>(ready.size()))], ready.back());
    std::uint32_t const task = ready.back();
    ready.pop_back();
    machine.execute(tasks[task], task);
    for (std::uint32_t const child : dag.children.of(task)) {
      if (--open[child] == 0) ready.push_back(child);
    }
  }
  BOOST_TEST(executed == tasks.size());
  return machine;
}

template <class Check>
void for_random_programs(ranges kind, Check const& check) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    random_source random(seed);
    program const tasks = random_program(random, kind);
    BOOST_TEST_CONTEXT("seed " << seed << ", " << tasks.size() << " tasks") {
      check(tasks, seed, random);
    }
  }
  BOOST_TEST_MESSAGE("seeds 1 to " << programs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(edges_join_the_tasks_that_conflict_and_are_nearest) {
  auto const check = [](program const& tasks, std::uint64_t seed, auto&) {
    for (auto const matching : {range_matching::overlapping, range_matching::one_to_one}) {
      edges const got = edges_of(graph_of(tasks, matching, seed));
      auto const expected = conflicts(tasks, matching);
      BOOST_TEST((got == edges(expected.begin(), expected.end())));
    }
  };
  for_random_programs(ranges::any, check);
  // The accesses to tiles move to the map of other ranges.
  for_random_programs(ranges::mostly_tiles, check);
}

BOOST_AUTO_TEST_CASE(every_order_that_keeps_the_graph_gives_the_serial_result) {
  for_random_programs(ranges::any, [](program const& tasks, std::uint64_t seed, auto& random) {
    task_dag const dag = graph_of(tasks, range_matching::overlapping, seed);
    serial_machine const expected = in_serial(tasks);
    for (int order = 0; order < 10; ++order) {
      BOOST_TEST((in_some_order(tasks, dag, random) == expected));
    }
  });
}

BOOST_AUTO_TEST_CASE(ranges_that_do_not_overlap_in_part_have_one_graph_by_both_rules) {
  for_random_programs(ranges::tiles, [](program const& tasks, std::uint64_t seed, auto&) {
    BOOST_TEST((edges_of(graph_of(tasks, range_matching::overlapping, seed)) ==
                edges_of(graph_of(tasks, range_matching::one_to_one, seed + 1))));
  });
}

BOOST_AUTO_TEST_SUITE_END()
