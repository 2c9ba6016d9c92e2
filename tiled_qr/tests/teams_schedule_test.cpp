// Tests teams of resident blocks under thousands of seeded schedules on a weak memory model. No
// part of a sum is read before it is written or after it is overwritten, and every run ends.
// scripts/tests/test_queue_mutations.py puts faults into team.hpp, one at a time, and checks that
// this test finds them.

#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "ours/panel/team.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_teams_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr::panels;

namespace {

struct team_layout {
  int teams;
  int members;
  int panels;
  /// Number of panels with reflectors.
  int factored;
  /// Number of matrices that one team works on, one after the other.
  int matrices = 1;
};

/// Models each part of a sum by one word. A panel's place in the matrix has two words per member,
/// for parts of products with reflectors. The first word later stands for the member's own
/// reflectors.
class scene {
 public:
  scene(schedule& on, team_layout const& of) : on_(&on), of_(of) {
    auto const words = [&](std::vector<std::uint32_t>& to, int count) {
      to.assign(static_cast<std::size_t>(count), 0);
      for (auto& word : to) on.memory().add(&word, 0);
    };
    words(words_->meetings, workers());
    words(words_->reflectors_ready, of.factored * of.members * of.matrices);
    words(words_->t_ready, of.factored * of.matrices);
    words(words_->own, 2 * of.members);
    words(words_->places, of.panels * 2 * of.members * of.matrices);
  }
  [[nodiscard]] int workers() const { return of_.teams * of_.members; }
  void work(int worker) {
    steps mine(*this, worker);
    for (int matrix = 0; matrix < of_.matrices; ++matrix) {
      mine.start(matrix);
      for (int panel = worker / of_.members; panel < of_.panels; panel += of_.teams)
        if (!take_panel(mine, panel, of_.factored)) on_->fail("stopped");
    }
  }
  [[nodiscard]] std::string verdict() const {
    for (int matrix = 0; matrix < of_.matrices; ++matrix)
      for (int panel = 0; panel < of_.panels; ++panel)
        for (int member = 0; member < of_.members; ++member)
          if (on_->memory().newest(place(matrix, panel, 0, member)) != stored(panel, member))
            return "a panel was overwritten after it was stored";
    return "";
  }

 private:
  struct state {
    std::vector<std::uint32_t> meetings;
    std::vector<std::uint32_t> reflectors_ready;
    std::vector<std::uint32_t> t_ready;
    std::vector<std::uint32_t> own;
    std::vector<std::uint32_t> places;
  };
  static std::uint32_t stored(int panel, int member) {
    return 1000U + static_cast<std::uint32_t>(panel * 10 + member);
  }
  std::uint32_t* place(int matrix, int panel, int buffer, int member) const {
    int const number = ((matrix * of_.panels + panel) * 2 + buffer) * of_.members + member;
    return &words_->places[static_cast<std::size_t>(number)];
  }
  std::uint32_t* own(int buffer, int member) const {
    return &words_->own[static_cast<std::size_t>(buffer * of_.members + member)];
  }

  /// The steps of factor_kernel. Each part of a sum is one word.
  class steps {
    std::uint32_t* ready(int panel, int member) {
      int const number = (matrix_ * of_->of_.factored + panel) * of_->of_.members + member;
      return &of_->words_->reflectors_ready[static_cast<std::size_t>(number)];
    }
    std::uint32_t* t_ready(int panel) {
      return &of_->words_->t_ready[static_cast<std::size_t>(matrix_ * of_->of_.factored + panel)];
    }
    void wait_for(std::uint32_t* word, std::uint32_t wanted = 1) {
      while (memory_.load_acquire(word) < wanted) of_->on_->yielded();
    }
    auto waiting() {
      return [this](panel_words const& words) {
        for (int w = 0; w < words.count; ++w)
          wait_for(const_cast<std::uint32_t*>(words.first + w), words.wanted);
        return true;
      };
    }

   public:
    steps(scene& of, int worker)
        : of_(&of),
          memory_(*of.on_, worker),
          number_(worker / of.of_.members),
          member_(worker % of.of_.members),
          team_(&of.words_->meetings[static_cast<std::size_t>(worker - member_)],
                {member_, of.of_.members}) {}

    void start(int matrix) { matrix_ = matrix; }
    void load(int) {}
    bool apply(int k, int panel) {
      for (int m = 0; m < of_->of_.members; ++m) wait_for(ready(k, m));
      if (memory_.load_relaxed(of_->place(matrix_, k, 0, member_)) != stored(k, member_))
        of_->on_->fail("reflectors came after their word");
      int const buffer = team_.buffer();
      add_up([&](int m) { return of_->place(matrix_, panel, buffer, m); }, true);
      wait_for(t_ready(k));
      return true;
    }
    bool meet(int) {
      return team_.meet(
          block_, memory_, [] {}, waiting(), [] {});
    }
    bool make_reflectors(int panel) {
      // Every other panel has two chains.
      for (int chain = 0; chain <= panel % 2; ++chain) add_own(true);
      return true;
    }
    void store(int panel) {
      memory_.store_relaxed(of_->place(matrix_, panel, 0, member_), stored(panel, member_));
    }
    void tell_reflectors(int panel) { memory_.store_release(ready(panel, member_), 1U); }
    bool finish_t(int panel) {
      add_own(member_ == 0);
      if (member_ == 0) memory_.store_release(t_ready(panel), 1U);
      return true;
    }

   private:
    void add_own(bool takes) {
      int const buffer = team_.buffer();
      add_up([&](int m) { return of_->own(buffer, m); }, takes);
    }
    /// Leaves a unique value as this member's part, and checks that the parts of all members are
    /// from this meeting.
    template <class At>
    void add_up(At&& at, bool takes) {
      ++sums_;
      auto const part = [&](int m) {
        return sums_ * 100 + static_cast<std::uint32_t>(number_ * 10 + m);
      };
      bool const came = team_.meet(
          block_, memory_, [&] { memory_.store_relaxed(at(member_), part(member_)); }, waiting(),
          [&] {
            for (int m = 0; takes && m < of_->of_.members; ++m)
              if (memory_.load_relaxed(at(m)) != part(m))
                of_->on_->fail("a part is not of this meeting");
          });
      if (!came) of_->on_->fail("stopped");
    }

    scene* of_;
    scheduled_memory memory_;
    thread_of_one block_{0, 1};
    int number_;
    int member_;
    team_member team_;
    int matrix_ = 0;
    /// Number of sums so far, which is the same for all members of a team.
    std::uint32_t sums_ = 0;
  };

  schedule* on_;
  team_layout of_;
  std::unique_ptr<state> words_ = std::make_unique<state>();
};

}  // namespace

BOOST_AUTO_TEST_CASE(parts_are_read_after_they_are_left_and_before_they_are_written_over) {
  for (team_layout const& of :
       {team_layout{1, 2, 3, 3}, team_layout{1, 3, 3, 2}, team_layout{2, 2, 3, 3},
        team_layout{2, 2, 4, 1}, team_layout{2, 3, 2, 2}, team_layout{3, 2, 3, 3},
        team_layout{1, 2, 2, 2, 2}, team_layout{1, 3, 1, 1, 3}}) {
    explore(std::to_string(of.teams) + " teams of " + std::to_string(of.members) + ", " +
                std::to_string(of.panels) + " panels, " + std::to_string(of.factored) +
                " with reflectors, " + std::to_string(of.matrices) + " matrices",
            seeds_from(1000), [&](schedule& on) { return scene(on, of); });
  }
}

BOOST_AUTO_TEST_SUITE_END()
