// The triangular solve under seeded schedules on a weak memory: `in_order_solver`, unchanged. The
// words of this run begin empty, those of the other array with what a run before left there.
//
// Exchanges of a warp order nothing; a block's barrier orders what its threads did before it, and no
// more.

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore.hpp"
#include "in_order_solve.hpp"

BOOST_AUTO_TEST_SUITE(sptrsv_schedule_test)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::wavefront::sptrsv;

namespace {

/// Blocks of so many warps of so many lanes.
struct grid_of_lanes {
  int blocks;
  int warps;
  int lanes;
  [[nodiscard]] int threads() const { return blocks * warps * lanes; }
};

/// Row r of whole numbers: x is exact in any order of sums.
lower_system small_system(std::vector<std::vector<std::uint32_t>> const& before) {
  lower_system made;
  auto& matrix = made.matrix;
  matrix.num_rows = matrix.num_cols = static_cast<std::uint32_t>(before.size());
  for (std::uint32_t row = 0; row < before.size(); ++row) {
    for (std::uint32_t const column : before[row]) {
      matrix.columns.push_back(column);
      matrix.values.push_back(row + 2);
    }
    matrix.columns.push_back(row);
    matrix.values.push_back(1);
    matrix.row_offsets.push_back(matrix.columns.size());
    made.right_side.push_back(row + 1);
  }
  return made;
}

class run_of {
 public:
  run_of(schedule& on, lower_system const& of, grid_of_lanes who, std::uint32_t narrow,
         std::uint32_t gate)
      : on_(&on),
        of_(&of),
        who_(who),
        plan_(make_plan(of, {who.lanes, 1, narrow})),
        dealt_(deal(plan_, {who.blocks, who.warps, 0, gate})),
        x_(of.rows()) {
    solve_serially(of, of.right_side, expected_);
    weak_memory& memory = on.memory();
    for (std::uint32_t i = 0; i < of.rows(); ++i) {
      memory.add(&words_->now[i], empty_word);
      memory.add(&words_->before[i], word_of(77));
    }
    for (int b = 0; b < who.blocks; ++b) {
      auto& block = words_->blocks[static_cast<std::size_t>(b)];
      for (std::uint32_t i = 0; narrow != 0 && i < of.rows(); ++i)
        memory.add(&block.near[i], word_of(88));
      memory.add(&block.met, 0);
    }
    memory.add(&words_->stop, 0);
  }
  [[nodiscard]] int workers() const { return who_.threads(); }

  void work(int worker) {
    int const warp = worker / who_.lanes;
    auto& block = words_->blocks[static_cast<std::size_t>(warp / who_.warps)];
    scheduled_memory memory(*on_, worker);
    lane_warp const lanes(*on_, words_->boards[static_cast<std::size_t>(warp)], worker, who_.lanes,
                          warp, who_.blocks * who_.warps);
    lane_block const whole(*on_, block, memory, worker, who_.warps * who_.lanes);
    watch patience({&words_->stop, words_->notes.data(), ~std::uint64_t{0}}, worker);
    in_order_ref const shared{{plan_.numbers.data(), plan_.inverses.data(), plan_.from.data(),
                               plan_.factors.data(), of_->right_side.data(), x_.data()},
                              dealt_.rounds.data(),
                              dealt_.offsets.data(),
                              words_->now.data(),
                              words_->before.data()};
    in_order_solver<lane_warp, scheduled_memory>(shared, lanes, block.near.data(), patience, memory)
        .run(whole);
  }
  [[nodiscard]] std::string verdict() const {
    for (std::uint32_t i = 0; i < of_->rows(); ++i) {
      std::uint32_t const row = plan_.numbers[i];
      if (x_[row] != expected_[row] ||
          on_->memory().newest(&words_->now[i]) != word_of(expected_[row]))
        return "row " + std::to_string(row) + " has another x than in a serial run";
      if (on_->memory().newest(&words_->before[i]) != empty_word)
        return "the word of row " + std::to_string(row) + " is not empty for the next run";
    }
    return "";
  }

 private:
  static constexpr std::size_t most_rows = 8;

  struct block_words {
    std::array<value_word, most_rows> near{};
    std::uint32_t met = 0;
    warp_board board;
  };
  struct words {
    std::array<value_word, most_rows> now{};
    std::array<value_word, most_rows> before{};
    std::array<block_words, 2> blocks{};
    std::uint32_t stop = 0;
    std::array<wait_note, weak_memory::max_workers> notes{};
    std::array<warp_board, weak_memory::max_workers> boards{};
  };

  class lane_warp : public scheduled_warp {
   public:
    lane_warp(schedule& on, warp_board& board, int worker, int size, int index, int count)
        : scheduled_warp(on, board, worker - worker % size, size, worker % size),
          on_(&on),
          index_(index),
          count_(count) {}
    [[nodiscard]] int index() const { return index_; }
    [[nodiscard]] int count() const { return count_; }
    template <class T>
    [[nodiscard]] T shuffle(T value, int rank) const {
      return std::bit_cast<T>(scheduled_warp::shuffle(std::bit_cast<std::uint64_t>(value), rank));
    }
    /// False: the warp goes on waiting, or has nothing to wait for.
    [[nodiscard]] bool any(bool p) const {
      bool const result = scheduled_warp::any(p);
      if (!result) on_->yielded();
      return result;
    }

   private:
    schedule* on_;
    int index_;
    int count_;
  };

  class lane_block {
   public:
    lane_block(schedule& on, block_words& own, scheduled_memory& memory, int worker, int size)
        : all_(on, own.board, worker - worker % size, size, worker % size),
          own_(&own),
          memory_(&memory) {}
    [[nodiscard]] int thread_rank() const { return all_.thread_rank(); }
    [[nodiscard]] int num_threads() const { return all_.num_threads(); }
    [[nodiscard]] int index() const { return 0; }
    [[nodiscard]] int count() const { return 1; }
    void pause(unsigned) const {}
    void sync() const {
      (void)memory_->fetch_add_acq_rel(&own_->met, 1U);
      all_.sync();
      (void)memory_->fetch_add_acq_rel(&own_->met, 1U);
    }

   private:
    scheduled_warp all_;
    block_words* own_;
    scheduled_memory* memory_;
  };

  schedule* on_;
  lower_system const* of_;
  grid_of_lanes who_;
  solve_plan plan_;
  dealt_rounds dealt_;
  std::vector<double> x_, expected_;
  std::unique_ptr<words> words_ = std::make_unique<words>();
};

void explore_all(char const* what, lower_system const& of) {
  for (auto const who : {grid_of_lanes{2, 1, 1}, grid_of_lanes{1, 2, 1}, grid_of_lanes{1, 2, 2},
                         grid_of_lanes{2, 1, 2}, grid_of_lanes{2, 2, 1}, grid_of_lanes{1, 1, 4}}) {
    for (std::uint32_t const narrow : {0U, 1U, 2U, 4U}) {
      for (std::uint32_t const gate : {0U, 1U}) {
        if (who.blocks == 2 && narrow != 0 && of.rows() > 6) continue;  // words of the model
        explore(std::string(what) + ", " + std::to_string(who.blocks) + " x " +
                    std::to_string(who.warps) + " x " + std::to_string(who.lanes) + ", narrow " +
                    std::to_string(narrow) + ", gate " + std::to_string(gate),
                seeds_from(200), [&](schedule& on) { return run_of(on, of, who, narrow, gate); });
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_chain) { explore_all("chain", small_system({{}, {0}, {1}, {2}, {3}, {4}})); }

BOOST_AUTO_TEST_CASE(narrow_levels_before_and_behind_a_wide_one) {
  explore_all("waist", small_system({{}, {0}, {0}, {1, 2}, {1}, {0, 3, 4}}));
  explore_all("fan", small_system({{}, {0}, {1}, {1}, {1}, {1}, {2, 3, 4, 5}, {6}}));
}

BOOST_AUTO_TEST_CASE(a_pack_whose_block_has_left_another_behind) {
  // Nobody needs row 1: its warp may be late in the first pack when the other comes to the second.
  explore_all("two packs", small_system({{}, {0}, {0}, {2}, {2}, {2}, {3}, {6}}));
}

BOOST_AUTO_TEST_SUITE_END()
