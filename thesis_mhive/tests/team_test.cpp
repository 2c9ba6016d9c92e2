// Tests teams of units under seeded schedules on a weak memory model. The test uses the real
// team_board, and a small model of a unit of the megakernel. All units of one group execute every
// team's task together, once. No two leaders wait for each other.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "mhive/team.hpp"

BOOST_AUTO_TEST_SUITE(team_test)

using namespace gridloom;
using namespace gridloom::mhive;
using namespace gridloom::test;

namespace {

/// Units of the block. They form groups of two inside groups of four inside one group of eight.
constexpr int units = 8;
static_assert(units == schedule::max_workers);
/// Largest number of tasks per unit.
constexpr int most_tasks = 2;
constexpr std::uint64_t seeds = 10'000;

/// How often the schedules reached certain events.
struct encounters {
  /// Number of calls given up because an enclosing group had a call.
  std::uint64_t refused = 0;
  /// Number of times that a unit joined a team although it had a task to call for itself.
  std::uint64_t joined = 0;
};

struct board_words {
  team_board<units> board{};
  /// Total number of arrivals at each group's barrier.
  std::array<std::uint32_t, 2 * units> arrived{};
  /// The item of each unit's task.
  std::array<std::uint32_t, units> items{};
  /// Number of executed tasks. The run ends when all are executed.
  std::uint32_t done = 0;
};

class block_of_units {
 public:
  block_of_units(schedule& on, encounters& met) : on_(&on), met_(&met) {
    for (auto& group : state_->board.groups) on.memory().add(&group, group_word::free);
    for (auto& count : state_->arrived) on.memory().add(&count, 0);
    on.memory().add(&state_->done, 0);
    for (auto& own : sizes_) {
      for (std::uint32_t n = on.random().below(most_tasks + 1); n > 0; --n) {
        own.push_back(2 << on.random().below(3));
        size_of_.push_back(own.back());
      }
    }
    executions_.resize(size_of_.size());
  }
  [[nodiscard]] static int workers() { return units; }

  void work(int unit) {
    scheduled_memory memory{*on_, unit};
    auto const me = static_cast<std::size_t>(unit);
    std::uint32_t ticket = 0;
    for (std::size_t u = 0; u < me; ++u) ticket += static_cast<std::uint32_t>(sizes_[u].size());
    own_done_[me] = ticket;
    // As in megakernel.hpp, a unit that has called takes no other task before its own is executed.
    for (int const size : sizes_[me]) {
      state_->items[me] = ticket;
      for (bool called = false; own_done_[me] <= ticket;) {
        if (!called) called = call(memory, unit, size, ticket);
        if (!serve(memory, unit)) {
          on_->yielded();
        } else if (own_done_[me] <= ticket) {
          ++met_->joined;
        }
      }
      ++ticket;
    }
    while (memory.load_acquire(&state_->done) != size_of_.size()) {
      if (!serve(memory, unit)) on_->yielded();
    }
  }

  [[nodiscard]] std::string verdict() const {
    for (std::size_t t = 0; t < size_of_.size(); ++t) {
      if (executions_[t] != size_of_[t]) {
        return "task " + std::to_string(t) + " of " + std::to_string(size_of_[t]) +
               " units: " + std::to_string(executions_[t]) + " executed it";
      }
    }
    return "";
  }

 private:
  bool call(scheduled_memory& memory, int unit, int size, std::uint32_t ticket) {
    if (!state_->board.lead(memory, size, unit)) {
      ++met_->refused;
      return false;
    }
    memory.store_release(&state_->board.group(size, unit), group_word::call(size, ticket, unit));
    return true;
  }
  bool serve(scheduled_memory& memory, int unit) {
    team_call const call = state_->board.called(memory, unit);
    if (call.size == 0) return false;
    if (group_word::type(call.word) != call.size) on_->fail("a call of another group");
    if (group_word::leader(call.word) / call.size != unit / call.size)
      on_->fail("a leader of another group");
    // Waits until all units have joined.
    sync(memory, unit, call.size);
    std::uint32_t const ticket = group_word::ticket(call.word);
    auto const leader = static_cast<std::size_t>(group_word::leader(call.word));
    if (state_->items[leader] != ticket) on_->fail("the item of another task");
    ++executions_[ticket];
    // After this barrier, no unit reads the call any more.
    sync(memory, unit, call.size);
    if (unit % call.size == 0) {
      memory.store_release(&state_->board.group(call.size, unit), group_word::free);
      memory.fetch_add_acq_rel(&state_->done, 1U);
    }
    // Without this barrier, a unit could take the old call for a new one.
    sync(memory, unit, call.size);
    if (leader == static_cast<std::size_t>(unit)) own_done_[leader] = ticket + 1;
    return true;
  }
  // The group's barrier. A waiting unit does nothing else, as on the device.
  void sync(scheduled_memory& memory, int unit, int size) {
    std::uint32_t& arrived = state_->arrived[static_cast<std::size_t>(units / size + unit / size)];
    auto const n = static_cast<std::uint32_t>(size);
    std::uint32_t const turn = memory.fetch_add_acq_rel(&arrived, 1U) / n;
    while (memory.load_acquire(&arrived) / n == turn) on_->yielded();
  }

  schedule* on_;
  encounters* met_;
  std::unique_ptr<board_words> state_ = std::make_unique<board_words>();
  /// Sizes of the teams for which each unit has tasks.
  std::array<std::vector<int>, units> sizes_;
  std::vector<int> size_of_;
  std::vector<int> executions_;
  /// For each unit, the ticket after the last of its own tasks that was executed.
  std::array<std::uint32_t, units> own_done_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_call_ends_and_is_served_by_the_whole_group) {
  encounters met;
  explore("teams", seeds_from(seeds), [&](schedule& on) { return block_of_units(on, met); });
  BOOST_TEST_MESSAGE(met.refused << " refused, " << met.joined << " joined before their own");
  BOOST_TEST(met.refused > 0U);
  BOOST_TEST(met.joined > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
