// Programs of random ranges, on host threads or on a GPU, depending on the build. Under every
// policy and rival, and with any number of workers, arrays must hold the result of a serial
// execution.

#include <algorithm>
#include <string>

#include "gridloom/random.hpp"
#include "gridloom/taskgraph/synthetic_task.hpp"
#include "juggler/app_context.hpp"
#include "juggler/ours/make_runtime.hpp"
#include "juggler/rivals/run_rivals.hpp"
#include "test_machines.hpp"

BOOST_AUTO_TEST_SUITE(juggler_ranges)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

namespace {

constexpr std::uint32_t arrays = 3;
constexpr std::uint32_t words_each = 64;
constexpr std::uint32_t all_words = arrays * words_each;
constexpr std::uint64_t programs = 10;

/// Words first to last - 1 of the memory that holds all arrays. A range lies in one array.
struct access {
  std::uint32_t first;
  std::uint32_t last;
  bool reads;
  bool writes;
};

/// When a task is slow. A task that ignores a dependence on a slow task runs too early.
enum class late { never, to_read, to_write };

/// A task and the range of its accesses in the program's list.
struct range_task {
  std::uint32_t number;
  std::uint32_t first_access;
  std::uint32_t end_access;
  late is;
};

struct random_program {
  std::vector<range_task> tasks;
  std::vector<access> accesses;
};

random_program program_of(std::uint64_t seed) {
  random_source random(seed);
  auto const below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random.below(n)); };
  random_program made;
  std::uint32_t const tasks = 40 + below(100);
  // Some programs have long ranges, others short ones.
  std::uint32_t const longest = 1 + below(words_each / 2);
  for (std::uint32_t task = 0; task < tasks; ++task) {
    auto const begin = static_cast<std::uint32_t>(made.accesses.size());
    for (std::uint32_t left = 1 + below(4); left > 0; --left) {
      std::uint32_t const array = below(arrays) * words_each;
      std::uint32_t const first = below(words_each);
      std::uint32_t const last = std::min(first + 1 + below(longest), words_each);
      std::uint32_t const how = below(3);
      made.accesses.push_back({array + first, array + last, how != 1, how != 0});
    }
    made.tasks.push_back({task, begin, static_cast<std::uint32_t>(made.accesses.size()),
                          static_cast<late>(below(3))});
  }
  return made;
}

/// Each task adds up its number and the words that it reads, then changes the words that it writes.
/// Two changes of a word never commute.
struct range_app {
  using task_data = range_task;
  using scratch = no_scratch;
  static constexpr int max_threads = 256;

  access const* accesses;
  std::uint64_t late_ticks;
  std::uint32_t* words;
  /// The sum of each task. So readers that write nothing are checked as well.
  std::uint32_t* sums;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block const& block, std::uint32_t, range_task const& of,
                              scratch&) const {
    if (of.is == late::to_read) keep_busy(late_ticks);
    // Every thread reads, and each must see its parents' writes.
    std::uint32_t sum = of.number;
    for (std::uint32_t a = of.first_access; a < of.end_access; ++a) {
      for (std::uint32_t w = accesses[a].first; accesses[a].reads && w < accesses[a].last; ++w)
        sum += words[w];
    }
    if (block.thread_rank() == 0) sums[of.number] = sum;
    if (of.is == late::to_write) keep_busy(late_ticks);
    for (std::uint32_t a = of.first_access; a < of.end_access; ++a) {
      // Ranges of one task may overlap.
      block.sync();
      if (!accesses[a].writes) continue;
      for (std::uint32_t w = accesses[a].first + static_cast<std::uint32_t>(block.thread_rank());
           w < accesses[a].last; w += static_cast<std::uint32_t>(block.num_threads()))
        words[w] = accesses[a].reads ? words[w] * 3 + sum : sum + w;
    }
  }
};

/// All words of memory before or after a program, and the sum of each task.
struct serial_result {
  std::vector<std::uint32_t> words, sums;
};
serial_result before(random_program const& of) {
  serial_result made;
  for (std::uint32_t w = 0; w < all_words; ++w) made.words.push_back(1000003U * w);
  made.sums.resize(of.tasks.size());
  return made;
}
serial_result in_serial(random_program const& of) {
  serial_result result = before(of);
  for (range_task const& task : of.tasks) {
    auto const begin = of.accesses.begin() + task.first_access;
    auto const end = of.accesses.begin() + task.end_access;
    std::uint32_t sum = task.number;
    std::for_each(begin, end, [&](access const& a) {
      for (std::uint32_t w = a.first; a.reads && w < a.last; ++w) sum += result.words[w];
    });
    std::for_each(begin, end, [&](access const& a) {
      for (std::uint32_t w = a.first; a.writes && w < a.last; ++w)
        result.words[w] = a.reads ? result.words[w] * 3 + sum : sum + w;
    });
    result.sums[task.number] = sum;
  }
  return result;
}

/// Calls say(pointer, begin, length) for a range. The pointer leads to a random place in its array
/// and has a wider type if that fits.
template <class Say>
void say_words(random_source& random, std::uint32_t const* memory, access const& of,
               Say const& say) {
  std::uint32_t const array = of.first / words_each * words_each;
  std::uint32_t const base = array + 2 * static_cast<std::uint32_t>(random.below(words_each / 2));
  std::int64_t const begin = std::int64_t{of.first} - base;
  std::int64_t const length = of.last - of.first;
  if (of.first % 2 == 0 && length % 2 == 0) {
    say(reinterpret_cast<std::uint64_t const*>(memory + base), begin / 2, length / 2);
  } else {
    say(memory + base, begin, length);
  }
}

/// Inspects the program without reading its memory.
app_context<range_task> inspected_program(random_program const& of, std::uint32_t const* memory) {
  random_source random(of.tasks.size());
  app_context<range_task> made;
  for (std::uint32_t array = 0; array < arrays; ++array)
    made.declare_array(memory + array * words_each, words_each);
  for (range_task const& what : of.tasks) {
    task_id const task = made.add_task(0, what);
    for (std::uint32_t a = what.first_access; a < what.end_access; ++a) {
      access const& one = of.accesses[a];
      say_words(random, memory, one,
                [&](auto const* array, std::int64_t begin, std::int64_t length) {
                  if (one.reads && one.writes) made.process_inout_dep(task, array, begin, length);
                  if (one.reads && !one.writes) made.process_in_dep(task, array, begin, length);
                  if (!one.reads && one.writes) made.process_out_dep(task, array, begin, length);
                });
    }
  }
  made.build_csr();
  return made;
}

class range_problem {
 public:
  range_problem(device& machine, random_program const& of)
      : machine_(&machine), before_(before(of)), expected_(in_serial(of)) {
    accesses_ = machine.allocate_copy(of.accesses);
    words_ = machine.allocate<std::uint32_t>(all_words);
    sums_ = machine.allocate<std::uint32_t>(of.tasks.size());
    context_ = inspected_program(of, words_.data());
  }
  [[nodiscard]] task_dag const& dag() const { return context_.dag(); }
  [[nodiscard]] std::vector<range_task> const& data() const { return context_.data(); }
  [[nodiscard]] range_app app() const {
    auto const ticks = static_cast<std::uint64_t>(machine_->properties().ticks_per_ns * 20000);
    return {accesses_.data(), ticks, words_.data(), sums_.data()};
  }
  void clear() {
    machine_->copy_to_device(words_, std::span<std::uint32_t const>(before_.words));
    machine_->fill_bytes(sums_, 0);
  }
  [[nodiscard]] bool is_solved() {
    return machine_->copy_to_host(words_) == expected_.words &&
           machine_->copy_to_host(sums_) == expected_.sums;
  }

 private:
  device* machine_;
  serial_result before_, expected_;
  buffer<access> accesses_;
  buffer<std::uint32_t> words_, sums_;
  app_context<range_task> context_;
};

/// Runs a program `runs` times with each method.
void check(test_machine const& on, std::uint64_t seed, int runs) {
  device& machine = *on.machine;
  range_problem problem(machine, program_of(seed));
  execution_settings const settings{{on.shape.blocks, on.shape.threads}};
  auto const check_runs = [&](std::string_view method, gridloom::executor& run) {
    BOOST_TEST_CONTEXT(method << ", seed " << seed) {
      for (int again = 0; again < runs; ++again) {
        problem.clear();
        run.run();
        run.require_done();
        BOOST_TEST(problem.is_solved());
      }
    }
  };
  check_runs("serial",
             *in_order::make(machine, problem.dag(), problem.data(), settings, problem.app()));
  for (std::string_view const policy : policies::names)
    check_runs(policy, *policies::make(policy, machine, problem.dag(), problem.data(), settings,
                                       problem.app()));
  for (std::string_view const rival : rivals::names)
    check_runs(rival, *rivals::make(rival, machine, problem.dag(), problem.data(), settings,
                                    problem.app()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_method_gives_the_serial_result_of_random_ranges) {
  on_each_machine([](test_machine const& on, device&) {
    for (std::uint64_t seed = 1; seed <= programs; ++seed) check(on, seed, 2);
  });
  BOOST_TEST_MESSAGE("seeds 1 to " << programs);
}

BOOST_AUTO_TEST_SUITE_END()
