// Tests that the gate keeps phases apart and ends the run, under seeded schedules on a weak memory
// model. control_ref, work_queue_ref and the functions of run_ref are the real ones. The worker is
// a small model of the one in dispatch.hpp, with one unit per block.
//
// The memory model is the device model of common/machine/tests. The accesses of a batch are relaxed
// and only fences order them, so the test finds a missing fence. Three things are not modelled:
// stores that pass earlier loads, the items (plain memory), and blocks whose units share words.

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "mhive/phases.hpp"
#include "mhive/run_ref.hpp"
#include "mhive/type_dispatch.hpp"

BOOST_AUTO_TEST_SUITE(control_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

struct item_of_test {
  std::uint32_t task;
};
template <char Name>
struct task_of_test {
  using work_item = item_of_test;
  static constexpr int worker_size = 1;
};
using a = task_of_test<'a'>;
using b = task_of_test<'b'>;
using c = task_of_test<'c'>;
using d = task_of_test<'d'>;

using with_phaseless = phase_queue<phaseless<a>, phase<b>, phase<c>>;
using three_phases = phase_queue<phaseless<>, phase<b>, phase<c>, phase<d>>;
static_assert(control_ref<with_phaseless>::closes_gate);
static_assert(control_ref<three_phases>::counts_phases && !control_ref<three_phases>::closes_gate);

/// Largest number of tasks of a type, so that no queue is ever full.
constexpr std::uint32_t capacity = 4;
constexpr int max_tasks = 9;
constexpr int most_workers = 4;

/// How often the schedules reached certain events. Without some of these events, such as items that
/// are put back, the test would prove little.
struct encounters {
  std::uint64_t changes = 0;
  /// Phases without tasks that a change skipped.
  std::uint64_t skips = 0;
  /// Gates that were closing and were opened again.
  std::uint64_t reopened = 0;
  /// Items that were put back.
  std::uint64_t put_back = 0;
  /// Claims without a second read of the gate (CT.R4).
  std::uint64_t not_looked = 0;
  /// Tasks of a phase that were enqueued while the phase ended.
  std::uint64_t left_over = 0;
};

/// The tasks, by number. A task enqueues its children. The tasks are random, or those of `ending`.
struct forest {
  int n = 0;
  std::array<int, max_tasks> type{};
  /// The task that enqueues this one; -1 if it is enqueued before the run.
  std::array<int, max_tasks> parent{};
};

/// A chain of phaseless tasks, each of which adds one task to a phase that is about to end. The
/// phase may end twice before the worker that closes it reads the counts again.
constexpr forest ending{7, {0, 1, 0, 1, 1, 2, 2}, {-1, 0, 0, 2, -1, -1, -1}};

forest draw(choices& random, int types, bool phaseless) {
  if (phaseless && random.below(2) == 0) return ending;
  forest f;
  f.n = 3 + static_cast<int>(random.below(max_tasks - 2));
  std::array<std::uint32_t, 8> type_counts{};
  for (int t = 0; t < f.n; ++t) {
    auto const at = static_cast<std::size_t>(t);
    int type = static_cast<int>(random.below(static_cast<std::uint32_t>(types)));
    while (type_counts[static_cast<std::size_t>(type)] == capacity) type = (type + 1) % types;
    ++type_counts[static_cast<std::size_t>(type)];
    f.type[at] = type;
    bool const root = t == 0 || random.below(4) == 0;
    f.parent[at] = root ? -1 : static_cast<int>(random.below(static_cast<std::uint32_t>(t)));
  }
  return f;
}

constexpr std::uint64_t seeds = 6000;
/// With phaseless tasks, one order of steps in `move` occurs in only a few of 100 000 schedules.
constexpr std::uint64_t seeds_with_phaseless = 24000;
/// Whether there are enough schedules to reach every event.
bool many_schedules() { return seeds_from(seeds) >= seeds / 10; }

struct no_data {};

/// One run. It keeps its own account of the tasks, besides the words under test, and compares every
/// step of a worker with this account.
template <class Queue>
class run_of {
  static constexpr int types = Queue::num_types;
  static constexpr int phases = Queue::num_phases;
  using run_type = run_ref<Queue, no_data, true>;
  using control_type = control_ref<Queue>;

 public:
  run_of(schedule& on, int workers, encounters& met)
      : on_(&on),
        workers_(workers),
        met_(&met),
        tasks_(draw(on.random(), types, Queue::num_phaseless > 0)) {
    run_words<Queue>& words = state_->words;
    run_.words = &words;
    run_.control = {&words.control, words.pending};
    run_.dog.stop = &state_->stop;
    // The test limits steps instead of time.
    run_.dog.limit_ns = ~std::uint64_t{0};
    for (int t = 0; t < types; ++t)
      with_type<Queue>(t, [&](auto tag) { set_up<typename decltype(tag)::type>(); });
    for (int t = 0; t < tasks_.n; ++t) {
      if (parent_of(t) < 0) count(phase_of(t));
    }
    weak_memory& memory = on.memory();
    memory.add(&words.control.gate, gate_);
    memory.add(&words.control.total, static_cast<std::uint64_t>(unfinished_));
    for (int p = 0; p < phases; ++p) memory.add(&words.pending[p].count, at(unfinished_of_, p));
    memory.add(&state_->stop, 0);
    for (int w = 0; w < workers; ++w) {
      memory.add(&at(state_->results, w), 0);
      memory.add(&at(state_->begun, w), 0);
    }
    on.set_invariant([this] { return check(); });
  }
  [[nodiscard]] int workers() const { return workers_; }

  void work(int worker) {
    scheduled_memory memory(*on_, worker);
    finished_tasks mine;
    for (std::uint32_t turn = static_cast<std::uint32_t>(worker);; ++turn) {
      std::array<std::uint64_t, types> words{};
      for (int t = 0; t < types; ++t)
        at(words, t) = memory.load_relaxed(&state_->words.queues[t].ready);
      std::uint64_t const seen = begin_to_settle(memory, mine);
      std::uint64_t to = settle(memory, mine, seen);
      if (gate::state(to) != gate::open) {
        if (gate::state(run_.control.move(memory, seen, to)) == gate::ended) return;
        continue;
      }
      int const type = choose(gate::phase(to), words, turn);
      if (type >= 0) {
        with_type<Queue>(type, [&](auto tag) {
          claim<typename decltype(tag)::type>(memory, worker, mine, at(words, type), seen, to);
        });
        continue;
      }
      if (to == seen) to = run_.control.advance(memory, seen);
      run_.control.move(memory, seen, to);
      on_->yielded();
    }
  }
  [[nodiscard]] std::string verdict() const {
    for (int t = 0; t < tasks_.n; ++t) {
      if (at(runs_, t) != 1)
        return "task " + std::to_string(t) + " ran " + std::to_string(at(runs_, t)) + " times";
    }
    if (gate::state(newest(&state_->words.control.gate)) != gate::ended) return "the gate is open";
    if (newest(&state_->words.control.total) != 0) return "the total is not 0 at the end";
    for (count_word const& pending : state_->words.pending) {
      if (newest(&pending.count) != 0) return "the count of a phase is not 0 at the end";
    }
    return "";
  }

 private:
  /// Finished tasks that were not yet subtracted from the counts.
  struct finished_tasks {
    std::int64_t phaseless = 0;
    std::int64_t phased = 0;
    /// The gate's word under which the phased ones were claimed.
    std::uint64_t gate = 0;
  };
  /// A task, and its place in the order of its worker's tasks.
  struct turn_of_worker {
    int worker;
    std::uint32_t number;
  };
  struct words_of_run {
    run_words<Queue> words{};
    std::array<std::array<tagged<item_of_test>, capacity>, types> slots{};
    std::uint32_t stop = 0;
    /// Number of phased tasks of each worker.
    std::array<std::uint32_t, weak_memory::max_workers> results{};
    /// Number of all tasks of each worker.
    std::array<std::uint32_t, weak_memory::max_workers> begun{};
  };

  template <class Array>
  static auto& at(Array& array, int i) {
    return array[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] int parent_of(int task) const { return at(tasks_.parent, task); }
  [[nodiscard]] int phase_of(int task) const { return Queue::phase_of(at(tasks_.type, task)); }
  [[nodiscard]] std::uint64_t newest(void const* word) const { return on_->memory().newest(word); }

  // Makes the queue of a type, filled with the tasks that exist before the run.
  template <class Type>
  void set_up() {
    constexpr int type = Queue::template index_of<Type>();
    queue_words& words = state_->words.queues[type];
    auto& slots = at(state_->slots, type);
    for (std::uint32_t i = 0; i < capacity; ++i) slots[i].tag = i;
    std::uint32_t n = 0;
    for (int t = 0; t < tasks_.n; ++t) {
      if (parent_of(t) >= 0 || at(tasks_.type, t) != type) continue;
      slots[n] = {n + 1, {static_cast<std::uint32_t>(t)}};
      ++n;
    }
    weak_memory& memory = on_->memory();
    memory.add(&words.tail, n);
    memory.add(&words.ready, ready::word(0, n));
    for (auto const& slot : slots) memory.add(&slot, std::bit_cast<std::uint64_t>(slot));
    static_cast<mhive::detail::type_memory<Type>&>(run_.memory_of).queue = {
        {slots.data(), capacity}, &words};
  }

  // From here on: the worker, as in dispatch.hpp.

  std::uint64_t begin_to_settle(scheduled_memory& memory, finished_tasks const& mine) {
    bool const held = mine.phased != 0;
    std::uint64_t const seen = held ? mine.gate : run_.control.glance(memory);
    if (held || mine.phaseless != 0) memory.batch_fence();
    return seen;
  }
  std::uint64_t settle(scheduled_memory& memory, finished_tasks& mine, std::uint64_t seen) {
    if (mine.phaseless + mine.phased == 0) return seen;
    finished_tasks const done = mine;
    mine = {0, 0, done.gate};
    return run_.control.finish(memory, seen, done.phaseless, done.phased);
  }
  static int choose(int phase, std::array<std::uint64_t, types> const& words, std::uint32_t turn) {
    for (int k = 0; k < types; ++k) {
      int const type = static_cast<int>((turn + static_cast<std::uint32_t>(k)) % types);
      int const own = Queue::phase_of(type);
      if (ready::count(at(words, type)) > 0 && (own < 0 || own == phase)) return type;
    }
    return -1;
  }
  struct gate_change {
    control_type const& control;
    scheduled_memory& memory;
    std::uint64_t seen;
    std::uint64_t to;
    bool runs;

    [[nodiscard]] bool needed() const { return to != seen; }
    void operator()() {
      control.move(memory, seen, to);
      seen = to;
    }
  };
  template <class Type>
  void claim(scheduled_memory& memory, int worker, finished_tasks& mine, std::uint64_t word,
             std::uint64_t seen, std::uint64_t to) {
    constexpr int phase = Queue::phase_of(Queue::template index_of<Type>());
    auto const& queue = run_.template queue_of<Type>();
    auto const wanted = static_cast<std::int32_t>(1 + on_->random().below(2));
    // Covers both ways of claiming.
    bool const many = on_->random().below(2) == 0;
    gate_change change{run_.control, memory, seen, to, control_type::is_sure(seen, to)};
    if (change.needed() && !change.runs) {
      change.runs = run_.control.move(memory, seen, to) == to;
      change.seen = to;
    }
    claimed_tickets const got = claim_tickets(*queue.words, memory, word, wanted, many, change);
    if (change.needed()) change();
    if (got.n == 0) return;
    bool mays = change.runs && got.first == ready::head(word);
    if (mays) {
      ++met_->not_looked;
    } else {
      run_.control.fence_after_claim(memory, phase);
      mays = run_.control.may_run(memory, phase, to);
    }
    if (mays && phase >= 0) mine.gate = to;
    if (mays && phase >= 0) at(running_, phase) += got.n;
    for (std::int32_t i = 0; i < got.n; ++i) {
      std::uint32_t const ticket = got.first + static_cast<std::uint32_t>(i);
      item_of_test item{};
      while (!queue.get(memory, ticket, item)) on_->yielded();
      queue.free(memory, ticket, item);
      if (!mays) {
        ++met_->put_back;
        run_.template put<Type>(memory, queue.reserve(memory, 1), item);
        continue;
      }
      execute(memory, worker, static_cast<int>(item.task));
      if (phase >= 0) --at(running_, phase);
      ++(phase >= 0 ? mine.phased : mine.phaseless);
      // Another unit of the block may subtract the finished tasks meanwhile.
      if (on_->random().below(2) == 0) {
        std::uint64_t const now = begin_to_settle(memory, mine);
        run_.control.move(memory, now, settle(memory, mine, now));
      }
    }
  }

  // Checks what a task sees. It must see what its parent wrote before it enqueued the task. With a
  // phase, it must also see what all tasks of earlier phases wrote. Then enqueues the children,
  // those of one type together.
  void execute(scheduled_memory& memory, int worker, int task) {
    int const phase = phase_of(task);
    if (phase >= 0) {
      // Compares the run's account of the tasks with the words under test.
      on_->changed();
      auto const earlier = done_in_earlier_phases_;
      for (int w = 0; w < workers_; ++w) {
        if (memory.load_relaxed(&at(state_->results, w)) < at(earlier, w))
          on_->fail("a task does not see the result of an earlier phase");
      }
    }
    if (parent_of(task) >= 0) {
      turn_of_worker const parent = at(turns_, parent_of(task));
      if (memory.load_relaxed(&at(state_->begun, parent.worker)) < parent.number)
        on_->fail("a task does not see what its parent wrote");
    }
    at(turns_, task) = {worker, ++at(begun_, worker)};
    memory.store_relaxed(&at(state_->begun, worker), at(begun_, worker));
    for (int type = 0; type < types; ++type)
      with_type<Queue>(
          type, [&](auto tag) { enqueue_children<typename decltype(tag)::type>(memory, task); });
    if (phase >= 0) memory.store_relaxed(&at(state_->results, worker), at(done_, worker) + 1);
    if (++at(runs_, task) > 1) on_->fail("a task ran twice");
    if (phase >= 0) {
      ++at(done_, worker);
      --at(unfinished_of_, phase);
    }
    --unfinished_;
  }
  template <class Type>
  void enqueue_children(scheduled_memory& memory, int parent) {
    constexpr int type = Queue::template index_of<Type>();
    std::vector<std::uint32_t> children;
    for (int t = 0; t < tasks_.n; ++t) {
      if (parent_of(t) != parent || at(tasks_.type, t) != type) continue;
      children.push_back(static_cast<std::uint32_t>(t));
      count(phase_of(t));
    }
    auto const n = static_cast<std::uint32_t>(children.size());
    if (n == 0) return;
    auto const& queue = run_.template queue_of<Type>();
    std::uint32_t const first = run_.template announce<Type>(memory, n);
    if (n == 1) {
      while (!queue.has_room(memory, first)) on_->yielded();
      run_.template put<Type>(memory, first, {children[0]});
      return;
    }
    memory.batch_fence();
    run_.template offer<Type>(memory, n);
    for (std::uint32_t i = 0; i < n; ++i) {
      while (!queue.has_room(memory, first + i)) on_->yielded();
      queue.publish(memory, first + i, {children[i]});
    }
  }
  void count(int phase) {
    ++unfinished_;
    if (phase >= 0) ++at(unfinished_of_, phase);
  }

  // Compares the run's own account of the tasks with the words.

  std::string check() {
    std::uint64_t const word = newest(&state_->words.control.gate);
    std::string problem;
    if (word != gate_) problem = check_change(gate_, word);
    gate_ = word;
    if (!problem.empty()) return problem;
    for (int p = 0; p < phases; ++p) {
      if (at(running_, p) == 0) continue;
      if (gate::state(word) == gate::ended || gate::phase(word) != p)
        return "a task runs outside of its phase " + std::to_string(p);
    }
    return "";
  }
  std::string check_change(std::uint64_t from, std::uint64_t to) {
    int const left = gate::phase(from);
    int const entered = gate::phase(to);
    if (gate::state(from) == gate::ended) return "the gate opens after the end";
    if (gate::changes(to) == gate::changes(from)) {
      if (left != entered) return "the phase changes without being counted";
      if (gate::state(to) == gate::ended && unfinished_ != 0) return "the run ends with tasks left";
      if (gate::state(from) == gate::closing) ++met_->reopened;
      return "";
    }
    if (gate::changes(to) != gate::changes(from) + 1) return "the gate goes back";
    if (at(unfinished_of_, entered) == 0) return "a phase without tasks begins";
    if (at(unfinished_of_, left) != 0) {
      // A phaseless task may still enqueue tasks of the phase while the phase ends.
      if (!control_type::closes_gate) return "a phase ends with tasks left";
      ++met_->left_over;
    }
    for (int p = (left + 1) % phases; p != entered; p = (p + 1) % phases) {
      if (at(unfinished_of_, p) == 0) {
        ++met_->skips;
      } else {
        return "phase " + std::to_string(p) + " has tasks and is skipped, from " +
               std::to_string(left) + " to " + std::to_string(entered);
      }
    }
    ++met_->changes;
    done_in_earlier_phases_ = done_;
    return "";
  }

  schedule* on_;
  int workers_;
  encounters* met_;
  forest tasks_;
  std::unique_ptr<words_of_run> state_ = std::make_unique<words_of_run>();
  run_type run_{};
  std::uint64_t gate_ = gate::word(0, 0, gate::open);
  std::int64_t unfinished_ = 0;
  std::array<std::uint32_t, phases> unfinished_of_{};
  /// Number of running tasks of each phase. A task counts from its claim on.
  std::array<std::int32_t, phases> running_{};
  /// Number of finished phased tasks of each worker.
  std::array<std::uint32_t, weak_memory::max_workers> done_{};
  std::array<std::uint32_t, weak_memory::max_workers> done_in_earlier_phases_{};
  std::array<std::uint32_t, weak_memory::max_workers> begun_{};
  std::array<turn_of_worker, max_tasks> turns_{};
  std::array<int, max_tasks> runs_{};
};

template <class Queue>
encounters explore_runs(char const* what, std::uint64_t n) {
  encounters met;
  for (int workers = 2; workers <= most_workers; ++workers) {
    std::string const name = std::string(what) + ", " + std::to_string(workers) + " workers";
    explore(name, seeds_from(n), [&](schedule& on) { return run_of<Queue>(on, workers, met); });
  }
  BOOST_TEST_MESSAGE(what << ": " << met.changes << " changes, " << met.skips << " skips, "
                          << met.reopened << " reopened, " << met.put_back << " put back, "
                          << met.not_looked << " not looked, " << met.left_over << " left over");
  return met;
}

}  // namespace

BOOST_AUTO_TEST_CASE(phases_go_in_order_and_never_overlap) {
  encounters const met = explore_runs<three_phases>("three phases", seeds);
  if (!many_schedules()) return;
  BOOST_TEST(met.put_back > 0U);
  BOOST_TEST(met.skips > 0U);
  BOOST_TEST(met.not_looked > 0U);
}

BOOST_AUTO_TEST_CASE(phaseless_tasks_may_add_to_a_phase_that_ends) {
  encounters const met = explore_runs<with_phaseless>("with phaseless", seeds_with_phaseless);
  if (!many_schedules()) return;
  BOOST_TEST(met.put_back > 0U);
  BOOST_TEST(met.reopened > 0U);
  BOOST_TEST(met.left_over > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
