// Tests that blocks of 256 threads compute in registers the same bits that one thread computes in
// memory. A host worker is one thread, so fibers stand for the threads of a GPU, in ascending and
// in descending order.

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "gridloom/group.hpp"
#include "modelled_threads.hpp"
#include "ours/panel/reflectors.hpp"
#include "ours/stream/chain_kernel.hpp"
#include "ours/tall/cholesky_decision.hpp"
#include "ours/tall/cholesky_kernels.hpp"
#include "ours/tall/reflector_kernels.hpp"

BOOST_AUTO_TEST_SUITE(tiled_qr_warps)

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::tiled_qr;

namespace {

struct fiber_block : modelled_group {
  using modelled_group::modelled_group;
  void wait_for_previous_launch() const {}
};

/// These functions run body(block, scratch) with one thread, or with 256 threads in rising or
/// falling order. They return the final `Scratch`; its initial value is `start`.
template <class Scratch, class Body>
Scratch by_one(Scratch const& start, Body&& body) {
  auto scratch = std::make_unique<Scratch>(start);
  body(host_block(0, 1, nullptr), *scratch);
  return *scratch;
}
template <class Scratch, class Body>
Scratch by_many(Scratch const& start, bool falling, Body&& body) {
  auto scratch = std::make_unique<Scratch>(start);
  modelled_threads all(tall_threads, falling);
  all.run([&](int thread) { body(fiber_block(all, thread), *scratch); });
  return *scratch;
}

/// Returns the number of entries (row, col) with `counts` true whose bits differ.
template <class Counts>
int differences(square<work_real> const& left, square<work_real> const& right, Counts&& counts) {
  int result = 0;
  for (int row = 0; row < panel_width; ++row)
    for (int col = 0; col < panel_width; ++col)
      if (counts(row, col) && std::bit_cast<std::uint64_t>(left(row, col)) !=
                                  std::bit_cast<std::uint64_t>(right(row, col)))
        ++result;
  return result;
}
bool everywhere(int, int) { return true; }

square<work_real> random_square(unsigned seed, double diagonal = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  square<work_real> result{};
  for (int row = 0; row < panel_width; ++row)
    for (int col = 0; col < panel_width; ++col)
      result(row, col) = normal(random) + (row == col ? diagonal : 0);
  return result;
}
/// Returns aᵀa of a matrix of 400 rows, in which column `like` nearly equals the column before it.
square<work_real> random_gram(unsigned seed, int like = -1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  square<work_real> result{};
  for (int k = 0; k < 400; ++k) {
    double row[panel_width];
    for (double& entry : row) entry = normal(random);
    if (like > 0) row[like] = row[like - 1] + 1e-9 * row[like];
    for (int i = 0; i < panel_width; ++i)
      for (int j = 0; j < panel_width; ++j) result(i, j) += row[i] * row[j];
  }
  return result;
}

struct factored {
  square<work_real> a{};
  work_real over[panel_width] = {};
  work_real signs[panel_width] = {};
  bool is_positive = false;
};

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_solved_in_registers_as_in_memory) {
  struct rows {
    square<work_real> matrix, left, x;
  };
  rows const start{random_square(1), random_square(2), {}};
  for (auto const& [first, last] : {std::pair{0, panel_width}, {3, 29}, {7, 7}}) {
    auto const body = [&](auto const& block, rows& of) {
      panels::solve_rows(
          block, of.matrix, [](int c) { return 1.0 / (3 + c); }, first, last, of.left, of.x);
    };
    rows const one = by_one(start, body);
    for (bool const falling : {false, true})
      BOOST_TEST(differences(one.x, by_many(start, falling, body).x, everywhere) == 0);
  }
}

BOOST_AUTO_TEST_CASE(cholesky_in_registers_is_cholesky_in_memory) {
  auto const body = [](auto const& block, factored& of) {
    bool const is_positive = factor_square(block, of.a, of.over);
    if (block.thread_rank() == 0) of.is_positive = is_positive;
  };
  for (bool const is_definite : {true, false}) {
    factored start{random_gram(3)};
    if (!is_definite) start.a(20, 20) = 0;
    factored const one = by_one(start, body);
    BOOST_TEST(one.is_positive == is_definite);
    for (bool const falling : {false, true}) {
      factored const many = by_many(start, falling, body);
      BOOST_TEST(many.is_positive == is_definite);
      if (!is_definite) continue;
      BOOST_TEST(differences(one.a, many.a, everywhere) == 0);
      BOOST_TEST(std::memcmp(one.over, many.over, sizeof(one.over)) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(lu_less_signs_in_registers_equals_that_in_memory) {
  auto const body = [](auto const& block, factored& of) {
    factor_less_signs(block, of.a, of.signs, of.over);
  };
  factored const start{random_square(4)};
  factored const one = by_one(start, body);
  for (bool const falling : {false, true}) {
    factored const many = by_many(start, falling, body);
    BOOST_TEST(differences(one.a, many.a, everywhere) == 0);
    BOOST_TEST(std::memcmp(one.over, many.over, sizeof(one.over)) == 0);
    BOOST_TEST(std::memcmp(one.signs, many.signs, sizeof(one.signs)) == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_chain_in_registers_equals_one_in_memory) {
  struct chain {
    panels::chain_scratch<work_real> scratch;
    int last;
  };
  struct trial {
    int first;
    int like;
  };
  for (trial const of : {trial{0, -1}, {5, -1}, {31, -1}, {0, 17}, {4, 30}, {16, 17}}) {
    BOOST_TEST_CONTEXT("from " << of.first << ", like " << of.like) {
      chain start{};
      start.scratch.gram = random_gram(5, of.like);
      start.scratch.top = random_square(6);
      start.scratch.over_most = panels::least_length(100000, 64);
      auto const body = [&](auto const& block, chain& it) {
        int const last = panels::reflectors_of_gram(block, of.first, it.scratch);
        if (block.thread_rank() == 0) it.last = last;
      };
      chain const one = by_one(start, body);
      BOOST_TEST(one.last > of.first);
      BOOST_TEST((of.like > 0 ? one.last <= of.like : one.last == panel_width));
      auto const is_chain_row = [&](int row, int) { return row >= of.first && row < one.last; };
      auto const behind = [&](int row, int col) { return row >= one.last && col >= one.last; };
      for (bool const falling : {false, true}) {
        chain const many = by_many(start, falling, body);
        BOOST_TEST(many.last == one.last);
        auto const& a = one.scratch;
        auto const& b = many.scratch;
        BOOST_TEST(differences(a.r, b.r, is_chain_row) == 0);
        BOOST_TEST(differences(a.reflectors, b.reflectors, is_chain_row) == 0);
        BOOST_TEST(differences(a.coefficients, b.coefficients, is_chain_row) == 0);
        BOOST_TEST(differences(a.top, b.top, behind) == 0);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_chain_kernel_equals_one_thread_item_by_item) {
  constexpr std::int64_t rows = 200;
  constexpr std::int64_t cols = 80;
  struct memory {
    panels::stream_progress progress[2];
    work_real sums[3 * square_size];
    work_real squares[5 * square_size];
    work_real matrix[rows * cols];
    work_real t[3 * square_size];
    work_real tau[3 * panel_width];
  };
  using kernel = panels::chain_kernel<work_real>;
  // The chain begins at one of three places: at the first panel, at the second panel, or in the
  // middle of the second panel. At the second panel, T of the first is made, too.
  for (panels::stream_progress const at :
       {panels::stream_progress{0, 0, 0, 0}, {1, 0, 0, panel_width}, {1, 9, 0, 9}}) {
    auto start = std::make_unique<memory>();
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (work_real& entry : start->matrix) entry = normal(random);
    for (work_real& entry : start->squares) entry = normal(random);
    for (work_real& entry : start->tau) entry = 1;
    for (int slot = 0; slot < 3; ++slot) {
      auto const gram = random_gram(8 + static_cast<unsigned>(slot));
      for (int e = 0; e < square_size; ++e)
        start->sums[slot * square_size + e] = gram(e / panel_width, e % panel_width);
    }
    start->progress[0] = at;
    std::uint64_t word = 0;
    auto const made = [&](auto&& run) {
      auto of = std::make_unique<memory>(*start);
      work_real* const squares = of->squares;
      panels::stream_scene<work_real> const scene{
          {of->matrix, rows, cols, rows},
          {of->progress, nullptr, of->sums, squares, squares + square_size,
           squares + 2 * square_size, of->t, of->tau},
          1,
          0};
      word = 0;
      run(kernel{scene, {&word, 1}});
      BOOST_TEST(word >> 32 == 1U);
      BOOST_TEST(static_cast<int>(word & 0xffffffffU) == of->progress[1].panel);
      return of;
    };
    kernel::scratch const scratch{};
    auto const body = [](kernel const& of) {
      return [&](auto const& block, kernel::scratch& shared) { of(block, shared); };
    };
    auto const one = made([&](kernel const& of) { by_one(scratch, body(of)); });
    for (bool const falling : {false, true}) {
      auto const many = made([&](kernel const& of) { by_many(scratch, falling, body(of)); });
      BOOST_TEST(std::memcmp(one.get(), many.get(), sizeof(memory)) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_small_kernels_of_a_step_equal_one_thread) {
  constexpr std::int64_t rows = 200;
  constexpr std::int64_t cols = 70;
  constexpr int width = 3 * panel_width;
  struct memory {
    tall_plan plan;
    work_real products[width * width];
    work_real grams[variants * 6 * square_size];
    work_real triangles[variants * 6 * square_size];
    work_real diagonal_inverses[variants * 3 * square_size];
    work_real inverses[variants * 6 * square_size];
    work_real row_sums[variants * width];
    work_real chains[variants * 3];
    work_real totals[2 * 6 * square_size];
    work_real top[9 * square_size];
    work_real factors[9 * square_size];
    work_real signs[width];
    work_real to_reflectors[6 * square_size];
    work_real matrix[rows * cols];
    work_real t[3 * square_size];
    work_real tau[width];
    work_real r[cols * cols];
  };
  for (auto const& [step, forms_q] : {std::pair{0, false}, {1, false}, {1, true}}) {
    auto start = std::make_unique<memory>();
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    for (work_real& entry : start->matrix) entry = normal(random) / std::sqrt(double(rows));
    for (work_real& entry : start->totals) entry = normal(random);
    // The columns are nearly orthogonal, so this step is the last.
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i <= j; ++i)
        start->products[i + j * width] = (i == j) + 1e-3 * normal(random);
    auto const made = [&](auto&& run) {
      auto of = std::make_unique<memory>(*start);
      cholesky_scene<work_real> const scene{
          {of->matrix, rows, cols, rows},
          {&of->plan, of->products, of->grams, of->triangles, of->diagonal_inverses, of->inverses,
           of->row_sums, of->chains, of->totals, of->top, of->factors, of->signs,
           of->to_reflectors},
          tall_shape::of(rows, cols),
          step,
          true,
          forms_q};
      std::uint64_t word = 0;
      for (int k = 0; k < 3; ++k) run(factor_kernel<work_real>{scene, k});
      run(invert_kernel<work_real>{scene});
      run(decide_kernel<work_real>{scene, {&word, 3}});
      BOOST_TEST((of->plan.outcome == tall_outcome::last));
      BOOST_TEST(word == (std::uint64_t{3} << 32 | static_cast<unsigned>(tall_outcome::last)));
      run(combine_kernel<work_real>{scene, forms_q ? of->r : nullptr});
      if (!forms_q) {
        for (int k = 0; k < 3; ++k) run(reconstruct_kernel<work_real>{scene, k});
        run(put_reflectors_kernel<work_real>{scene, of->t, of->tau});
      }
      return of;
    };
    auto const with = [](auto const& of, auto&& launch) {
      using kernel = std::remove_cvref_t<decltype(of)>;
      auto const scratch = std::make_unique<typename kernel::scratch>();
      launch(*scratch, [&](auto const& block, typename kernel::scratch& it) { of(block, it); });
    };
    auto const one = made([&](auto const& of) {
      with(of, [](auto const& scratch, auto&& body) { by_one(scratch, body); });
    });
    for (bool const falling : {false, true}) {
      auto const many = made([&](auto const& of) {
        with(of, [&](auto const& scratch, auto&& body) { by_many(scratch, falling, body); });
      });
      BOOST_TEST(one->plan.variant == many->plan.variant);
      BOOST_TEST(one->plan.is_refined == many->plan.is_refined);
      BOOST_TEST(std::memcmp(one->products, many->products,
                             sizeof(memory) - offsetof(memory, products)) == 0);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
