// Runs the real bodies in blocks of whole warps, which the host backend does not have. Fibers act
// as lanes, and run in rising and in falling order. So the test finds errors between the lanes of a
// warp without a GPU.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "alignment.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/generate.hpp"
#include "modelled_threads.hpp"
#include "sweep_tile.hpp"
#include "test_support.hpp"
#include "wavefront/ours/sptrsv/in_order_solve.hpp"
#include "wavefront/ours/sw/strips_kernel.hpp"
#include "wavefront/rivals/sptrsv/wave_solve.hpp"

BOOST_AUTO_TEST_SUITE(lanes_test)

using namespace gridloom;
using namespace gridloom::test;
namespace sptrsv = gridloom::wavefront::sptrsv;
namespace sw = gridloom::wavefront::sw;
namespace kba = gridloom::wavefront::kba;

namespace {

static_assert(thread_group<modelled_group> && warp_group<modelled_warp>);

/// Calls body(block) in each thread of one block, in both orders.
template <class Body>
void by_lanes(int threads, Body&& body) {
  for (bool const falling : {false, true}) {
    modelled_threads all(threads, falling);
    body(
        [&](auto const& work) { all.run([&](int thread) { work(modelled_group(all, thread)); }); });
  }
}

/// A watchdog without a limit, for the warps of one block.
struct patient_dog {
  std::uint64_t limit_ns = ~std::uint64_t{0};
  std::uint32_t stop = 0;
  std::vector<wait_note> notes = std::vector<wait_note>(32);
  watchdog_ref ref() { return {&stop, notes.data(), limit_ns}; }
};

sptrsv::lower_system generated(std::string const& spec) {
  return sptrsv::make_lower(spec, sparse::generate(spec), sptrsv::factor_kind::lower, false, 5,
                            spec);
}

/// A few long rows among short ones.
sptrsv::lower_system uneven_rows() {
  random_source random(4);
  sparse::csr_matrix<sparse::no_value> pattern;
  pattern.num_rows = pattern.num_cols = 700;
  for (std::uint32_t row = 0; row < 700; ++row) {
    auto const in_so_many = 1 + random.below(row % 50 == 49 ? 2 : 40);
    for (std::uint32_t column = 0; column <= row; ++column) {
      if (column == row || random.below(in_so_many) == 0) pattern.columns.push_back(column);
    }
    pattern.row_offsets.push_back(pattern.columns.size());
  }
  return sptrsv::make_lower("m", pattern, sptrsv::factor_kind::given, false, 6, "m");
}

}  // namespace

BOOST_AUTO_TEST_CASE(warps_solve_rows_of_any_number_of_lanes) {
  using namespace gridloom::wavefront::sptrsv;
  for (auto const& of : {generated("poisson2d:nx=23,ny=19"), uneven_rows()}) {
    for (std::uint32_t const entries : {1U, 4U, 11U}) {
      for (std::uint32_t const narrow : {0U, 8U}) {
        for (int const warps : {1, 2, 9}) {
          solve_plan const plan = make_plan(of, {32, entries, narrow});
          dealt_rounds const dealt = deal(plan, {1, warps, 1, 2});
          std::vector<double> x(of.rows());
          std::vector<double> values(of.rows());
          system_ref const system{plan.numbers.data(), plan.inverses.data(), dealt.from.data(),
                                  plan.factors.data(), of.right_side.data(), x.data()};
          // The method by levels has no ring.
          system_ref by_position = system;
          by_position.from = plan.from.data();
          std::vector<value_word> words[2] = {std::vector<value_word>(of.rows(), empty_word),
                                              std::vector<value_word>(of.rows(), empty_word)};
          std::vector<value_word> near(near_slots + 1);
          patient_dog dog;
          int turn = 0;
          by_lanes(32 * warps, [&](auto const& run) {
            in_order_ref const shared{system, dealt.rounds.data(), dealt.offsets.data(),
                                      words[turn].data(), words[1 - turn].data()};
            std::uint32_t ended = 0;
            run([&](modelled_group const& block) {
              watch patience(dog.ref(), block.warp().index());
              in_order_solver<true, modelled_warp>(shared, block.warp(), near.data(),
                                                   level_counter(&ended), patience)
                  .run();
            });
            BOOST_CHECK_NO_THROW(require_solution(of, of.right_side, x));
            turn = 1 - turn;
            x.assign(x.size(), std::numeric_limits<double>::quiet_NaN());
            run([&](modelled_group const& block) {
              for (std::uint32_t level = 0; level < plan.levels(); ++level) {
                wave_ref const waves{by_position, plan.rounds.data(), values.data()};
                solve_level(block, waves,
                            read_first(block, waves, plan.level_rounds[level],
                                       plan.level_rounds[level + 1]));
                block.sync();
              }
            });
            BOOST_CHECK_NO_THROW(require_solution(of, of.right_side, x));
          });
        }
      }
    }
  }
}

namespace {

/// Chains of two rows, and a longer one at the end. A level of 320 rows precedes each chain.
sptrsv::lower_system chains_behind_wide_levels(int short_ones, int last) {
  sparse::csr_matrix<sparse::no_value> pattern;
  auto const add_row = [&](std::vector<std::uint32_t> const& before) {
    pattern.columns.insert(pattern.columns.end(), before.begin(), before.end());
    pattern.columns.push_back(pattern.num_rows++);
    pattern.row_offsets.push_back(pattern.columns.size());
  };
  for (int chain = 0; chain <= short_ones; ++chain) {
    std::uint32_t const first = pattern.num_rows;
    for (int k = 0; k < 320; ++k)
      add_row(chain == 0 ? std::vector<std::uint32_t>{} : std::vector{first - 1});
    for (int k = 0; k < (chain < short_ones ? 2 : last); ++k)
      add_row({k == 0 ? first : pattern.num_rows - 1});
  }
  pattern.num_cols = pattern.num_rows;
  return sptrsv::make_lower("m", pattern, sptrsv::factor_kind::given, false, 6, "m");
}

/// Solves a system in one block by in_order. `spoil` may change the plan.
template <class Spoil>
std::vector<double> solved_by_one_block(sptrsv::lower_system const& of, int warps, bool falling,
                                        patient_dog& dog, Spoil&& spoil) {
  using namespace gridloom::wavefront::sptrsv;
  solve_plan const plan = make_plan(of, {32, 4, 8});
  dealt_rounds dealt = deal(plan, {1, warps, 2, 0});
  spoil(dealt);
  std::vector<double> x(of.rows(), std::numeric_limits<double>::quiet_NaN());
  std::vector<value_word> words(of.rows(), empty_word), others(of.rows(), empty_word);
  // The block's shared memory still has the data of another kernel.
  auto const near = std::make_unique<near_ring>();
  std::fill(std::begin(near->slots), std::end(near->slots), word_of(88));
  near->ended = 1U << 30U;
  in_order_ref const shared{{plan.numbers.data(), plan.inverses.data(), dealt.from.data(),
                             plan.factors.data(), of.right_side.data(), x.data()},
                            dealt.rounds.data(),
                            dealt.offsets.data(),
                            words.data(),
                            others.data()};
  modelled_threads all(32 * warps, falling);
  in_order_kernel<true> const kernel{shared, dog.ref()};
  all.run([&](int thread) { kernel(modelled_group(all, thread), *near); });
  return x;
}

}  // namespace

BOOST_AUTO_TEST_CASE(warps_that_come_early_to_a_later_pack_of_their_block_wait) {
  // With 12 or more warps, the first round of some warps is far behind the first packs.
  for (int const short_ones : {1, 2, 20}) {
    auto const of = chains_behind_wide_levels(short_ones, 40);
    for (int const warps : {2, 12, 16}) {
      for (bool const falling : {false, true}) {
        patient_dog dog;
        auto const x = solved_by_one_block(of, warps, falling, dog, [](auto&) {});
        BOOST_CHECK_NO_THROW(sptrsv::require_solution(of, of.right_side, x));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(warps_of_a_pack_leave_when_the_watchdog_stops_them) {
  auto const of = chains_behind_wide_levels(1, 40);
  for (bool const falling : {false, true}) {
    patient_dog dog{1'000'000};
    (void)solved_by_one_block(of, 4, falling, dog, [](sptrsv::dealt_rounds& dealt) {
      for (auto& round : dealt.rounds) {
        if (round.near_first != sptrsv::nothing && round.after == 20) round.gate = round.first;
      }
    });
    BOOST_TEST(dog.stop == 1U);
    auto const waited = [](wait_note const& note) { return note.kind == wait_kind::task; };
    BOOST_TEST(std::count_if(dog.notes.begin(), dog.notes.end(), waited) >= 2);
  }
}

BOOST_AUTO_TEST_CASE(warps_align_by_tiles_and_by_strips) {
  using namespace gridloom::wavefront::sw;
  auto const drawn = [](std::size_t length, std::uint64_t seed) {
    random_source random(seed);
    std::vector<residue> made;
    for (std::size_t k = 0; k < length; ++k)
      made.push_back(random.below(30) == 0 ? separator : static_cast<residue>(random.below(5)));
    return made;
  };
  std::vector<std::int8_t> const scores(blosum62().begin(), blosum62().end());
  for (std::size_t const cols : {5U, 100U}) {
    auto const of = make_input(drawn(300, 1), drawn(cols, 2), {3, 1});
    auto const expected = align_serially(of);
    lattice_ref const cells{of.query.data(), of.target.data(), scores.data(),
                            of.gaps,         of.rows(),        of.cols()};
    std::uint32_t const strips = of.rows() / strip_rows;
    std::uint32_t const tile_cols = 37;
    std::uint32_t const across = (of.cols() + tile_cols - 1) / tile_cols;
    by_lanes(32, [&](auto const& run) {
      std::vector<edge> above(of.cols());
      std::vector<std::int32_t> left_h(std::size_t{strips} * (strip_rows + 1));
      std::vector<std::int32_t> left_e(std::size_t{strips} * strip_rows);
      std::vector<std::uint64_t> best(std::size_t{strips} * across);
      align_tile const tile{cells,         tile_cols,     across,     above.data(),
                            left_h.data(), left_e.data(), best.data()};
      align_tile::scratch local;
      run([&](modelled_group const& block) {
        for (std::uint32_t t = 0; t < strips * across; ++t) {
          tile.execute(block, t, {}, local);
          block.sync();
        }
      });
      for (std::uint32_t s = 0; s < strips; ++s)
        BOOST_TEST(*std::max_element(best.begin() + s * across, best.begin() + (s + 1) * across) ==
                   expected.best[s]);
      for (std::uint32_t c = 0; c < of.cols(); ++c)
        BOOST_REQUIRE_EQUAL(above[c].h, expected.last_row[c]);
    });
    std::vector<tagged<edge>> words(of.cols(), tagged<edge>{0, {}});
    patient_dog dog;
    std::uint32_t base = 0;
    by_lanes(64, [&](auto const& run) {
      std::vector<std::int32_t> last_h(of.rows());
      std::vector<std::uint64_t> best(strips);
      strips_kernel const kernel{cells, words.data(), last_h.data(), best.data(),
                                 base,  false,        dog.ref()};
      score_table table;
      run([&](modelled_group const& block) { kernel(block, table); });
      base += strips + 1;
      BOOST_TEST((best == expected.best));
      BOOST_TEST((last_h == expected.last_column));
      for (std::uint32_t c = 0; c < of.cols(); ++c)
        BOOST_REQUIRE_EQUAL(words[c].value.h, expected.last_row[c]);
    });
  }
}

BOOST_AUTO_TEST_CASE(a_warp_sweeps_its_directions) {
  using namespace gridloom::wavefront::kba;
  for (std::uint32_t const angles : {3U, 32U, 40U}) {
    box const of = make_box(13, 6, 5, angles, 9);
    auto const expected = sweep_serially(of);
    std::uint32_t const tile = 4;
    std::uint32_t const nx = 2;
    std::uint32_t const ny = 2;
    std::uint32_t const nz = 2;
    auto const faces = [&](std::uint32_t a, std::uint32_t b) {
      return std::vector<double>(std::size_t{octants} * a * b * angles);
    };
    by_lanes(32, [&](auto const& run) {
      std::vector<double> flux(of.cells());
      auto face_x = faces(of.ny, of.nz);
      auto face_y = faces(of.nx, of.nz);
      auto face_z = faces(of.nx, of.ny);
      sweep_tile const body{of.nx,
                            of.ny,
                            of.nz,
                            tile,
                            nx,
                            ny,
                            nz,
                            angles,
                            of.directions.data(),
                            of.absorption.data(),
                            of.source.data(),
                            flux.data(),
                            face_x.data(),
                            face_y.data(),
                            face_z.data()};
      run([&](modelled_group const& block) {
        no_scratch shared;
        for (std::uint32_t octant = 0; octant < octants; ++octant) {
          for (std::uint32_t t = 0; t < nx * ny * nz; ++t) {
            // With two tiles per axis, the bits of a tile's number are its steps from the octant's
            // corner.
            body.execute(block, octant * nx * ny * nz + (t ^ octant), {}, shared);
            block.sync();
          }
        }
      });
      BOOST_CHECK_NO_THROW(require_flux(of, expected, flux));
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
