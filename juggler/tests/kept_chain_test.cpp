// A worker that keeps a chain of tasks checks its queue after a fixed number of tasks. This holds
// even if the policy always reads an old length of the queue.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "gridloom/atomic.hpp"
#include "juggler/ours/local_then_shorter.hpp"

BOOST_AUTO_TEST_SUITE(juggler_kept_chain_test)

using namespace gridloom;
using namespace gridloom::juggler;

namespace {

constexpr std::uint32_t chain = 300;
/// Another worker inserts task `given` while task `giving` of the chain runs.
constexpr std::uint32_t giving = 4, given = chain;
/// The limit given in docs/methods.md.
constexpr std::uint32_t most_in_a_row = 64;

/// Memory in which relaxed reads of the worker's own queue length return an old value in the whole
/// run.
struct late_memory : direct_memory {
  std::int32_t const* late;

  explicit late_memory(std::int32_t const* word) : late(word) {}
  template <class T>
  T load_relaxed(T const* word) {
    if (static_cast<void const*>(word) == late) return T{1};
    return direct_memory::load_relaxed(word);
  }
};

struct no_watch {
  template <class Memory>
  bool stop(Memory&, wait_kind, std::uint32_t, std::uint64_t, std::uint64_t) {
    return false;
  }
};

/// Runs one worker, whose queue has a place for each task. Returns the task numbers in the order of
/// execution.
template <class Policy>
std::vector<std::uint32_t> executed() {
  constexpr std::uint32_t tasks = chain + 1, length = tasks + 1;
  std::vector<task<std::uint32_t>> list;
  std::vector<std::uint32_t> children, open(tasks, 1);
  for (std::uint32_t t = 0; t < chain; ++t) {
    list.push_back({0, t + 1 < chain ? 1U : 0U, t, t});
    children.push_back(t + 1);
  }
  list.push_back({0, 0, chain, given});
  std::uint32_t const ready = 0;
  std::vector<std::uint32_t> queue(length, slot_inbox::empty);
  inbox_words inbox{1, 1, 0, 0};
  rt_words words{};
  std::uint32_t stop = 0;
  rt_context_ref const context{1,      tasks,       length, false, 1, &ready, queue.data(),
                               &inbox, open.data(), &words, &stop};
  late_memory memory(&inbox.iqs);

  struct steps {
    late_memory& memory;
    rt_context_ref const& context;
    std::vector<std::uint32_t> order{};

    bool stops(late_memory&) { return false; }
    void execute(std::uint32_t number, task<std::uint32_t> const&) {
      order.push_back(number);
      if (number == giving) Policy::inbox::insert(memory, context, 0, given);
    }
  };
  steps own{memory, context};
  no_watch patience;
  app_context_ref<std::uint32_t> const app{tasks, list.data(), children.data()};
  using worker = worker_of<Policy, std::uint32_t>;
  typename worker::scratch scratch;
  worker(context, app, 0, scratch).work(memory, thread_of_one(0, 1), patience, own);
  return own.order;
}

template <class Policy>
void check() {
  BOOST_TEST_CONTEXT(Policy::name) {
    std::vector<std::uint32_t> const order = executed<Policy>();
    BOOST_REQUIRE(order.size() == chain + 1);
    auto const place =
        static_cast<std::uint32_t>(std::find(order.begin(), order.end(), given) - order.begin());
    // The old value has an effect: the worker did not notice the task at once.
    BOOST_TEST(place > giving + 1);
    BOOST_TEST(place <= most_in_a_row);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_queued_task_is_executed_before_the_end_of_a_long_chain) {
  check<local_then_shorter>();
  check<local_then_shorter_slots>();
}

BOOST_AUTO_TEST_SUITE_END()
