// Smith and Waterman's alignment on host workers and on CUDA blocks. Checks are scores computed by
// hand, the original recurrence, and a comparison of every aligner with the serial one.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <optional>
#include <string_view>

#include "alignment.hpp"
#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "test_machines.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::wavefront::sw;
using namespace gridloom::test;
using gridloom::wavefront::tiles::tile_way;

namespace {

/// Letters of sequences, separated by |.
std::vector<residue> text(std::string_view of) {
  std::vector<residue> found;
  for (char const letter : of) {
    found.push_back(letter == '|' ? separator
                                  : static_cast<residue>(
                                        std::string_view("ARNDCQEGHILKMFPSTWYVBZX*").find(letter)));
  }
  return found;
}

std::int32_t score_of(std::string_view query, std::string_view target) {
  return align_serially(make_input(text(query), text(target), {})).score();
}

/// Residues of few kinds, so that many of them match; one in thirty is a separator.
std::vector<residue> mixed(std::size_t length, std::uint64_t seed) {
  random_source random(seed);
  std::vector<residue> drawn;
  for (std::size_t k = 0; k < length; ++k)
    drawn.push_back(random.below(30) == 0 ? separator : static_cast<residue>(random.below(5)));
  return drawn;
}

/// The authors' original formula: the best score over gaps of every length.
std::int32_t score_by_all_gaps(std::vector<residue> const& query,
                               std::vector<residue> const& target, gap_costs gaps) {
  std::size_t const n = query.size();
  std::size_t const m = target.size();
  std::vector<std::vector<std::int32_t>> h(n + 1, std::vector<std::int32_t>(m + 1, 0));
  std::int32_t best = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t j = 1; j <= m; ++j) {
      if (query[i - 1] == separator || target[j - 1] == separator) continue;
      std::int32_t value =
          std::max(0, h[i - 1][j - 1] + blosum62()[alphabet * query[i - 1] + target[j - 1]]);
      auto const cost = [&](std::size_t k) {
        return gaps.open + static_cast<std::int32_t>(k) * gaps.extend;
      };
      for (std::size_t k = 1; k < i && query[i - k] != separator; ++k)
        value = std::max(value, h[i - k][j] - cost(k));
      for (std::size_t k = 1; k < j && target[j - k] != separator; ++k)
        value = std::max(value, h[i][j - k] - cost(k));
      h[i][j] = value;
      best = std::max(best, value);
    }
  }
  return best;
}

/// The grid of the test; on a GPU, also a grid with one block per multiprocessor.
std::vector<launch_shape> shapes_of(test_machine const& on) {
  if (on.machine->is_host()) return {on.shape};
  return {on.shape, {on.machine->properties().multiprocessors, on.shape.threads}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(scores_of_short_texts_equal_those_computed_by_hand) {
  BOOST_TEST(score_of("WWW", "WWW") == 33);
  BOOST_TEST(score_of("WWW", "AWWA") == 22);
  BOOST_TEST(score_of("A", "W") == 0);
  BOOST_TEST(score_of("A", "S") == 1);
  // Four W match, then a gap of two or three, then four C.
  BOOST_TEST(score_of("WWWWCCCC", "WWWWDDCCCC") == 44 + 36 - 13);
  BOOST_TEST(score_of("WWWWAAACCCC", "WWWWCCCC") == 44 + 36 - 14);
  // No alignment crosses the end of a sequence, not even by a gap.
  BOOST_TEST(score_of("WW|WW", "WWWW") == 22);
  BOOST_TEST(score_of("WWWW|CCCC", "WWWWCCCC") == 44);
  BOOST_TEST(score_of("|", "W") == 0);
}

BOOST_AUTO_TEST_CASE(sequences_with_a_possibly_too_large_score_are_refused) {
  // Each pair of W scores 11, and the score must be below 2^20.
  auto const refused = [](std::vector<residue> query, std::vector<residue> target) {
    return error_text<usage_error>(
        [&] { (void)make_input(std::move(query), std::move(target), {}); });
  };
  std::vector<residue> const fits(95'325, text("W")[0]);
  std::vector<residue> longer = fits;
  longer.push_back(fits[0]);
  BOOST_TEST(refused(fits, longer) == "");
  BOOST_TEST(contains(refused(longer, longer), "with a score below 2^20"));
  // A separator splits the text into two sequences, each of which is short enough.
  longer[40'000] = separator;
  BOOST_TEST(refused(longer, longer) == "");
}

BOOST_AUTO_TEST_CASE(the_best_cell_is_where_the_alignment_ends) {
  auto const of = make_input(text("AAWWWA"), text("CCCWWWC"), {});
  auto const cell = align_serially(of).cell(of);
  BOOST_TEST(cell.first == 4U);
  BOOST_TEST(cell.second == 5U);
}

BOOST_AUTO_TEST_CASE(the_serial_score_is_the_best_over_gaps_of_every_length) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    auto const query = mixed(60 + seed, seed);
    auto const target = mixed(70, seed + 100);
    gap_costs const gaps{static_cast<std::int32_t>(seed), 1};
    BOOST_TEST(align_serially(make_input(query, target, gaps)).score() ==
               score_by_all_gaps(query, target, gaps));
  }
}

BOOST_AUTO_TEST_CASE(every_aligner_finds_what_the_serial_one_finds) {
  struct size {
    std::size_t rows, cols;
    std::uint32_t tile_cols;
  };
  on_each_machine([&](test_machine const& on, device& machine) {
    for (auto const& [rows, cols, tile_cols] :
         {size{1, 1, 1}, size{128, 40, 64}, size{300, 700, 31}, size{1000, 33, 512},
          size{900, 900, 128}, size{4000, 700, 32}}) {
      // Runs alternate between two inputs. So a result left by the previous run would be noticed.
      alignment_input const inputs[] = {
          make_input(mixed(rows, rows), mixed(cols, cols + 7), {3, 1}),
          make_input(mixed(rows, rows + 1), mixed(cols, cols + 8), {3, 1})};
      alignment_result const results[] = {align_serially(inputs[0]), align_serially(inputs[1])};
      using enum tile_way;
      std::vector<std::optional<tile_way>> ways{scanning, single_queue,    multi_queue,
                                                in_order, in_order_ticket, barrier,
                                                launches, graph,           graph_pdl};
      // Strips need whole warps.
      if (on.machine->is_host() || on.shape.threads % 32 == 0) ways.emplace_back();
      for (std::optional<tile_way> const how : ways) {
        for (launch_shape const shape : shapes_of(on)) {
          BOOST_TEST_CONTEXT((how ? static_cast<int>(*how) : -1)
                             << ", " << rows << " x " << cols << ", " << shape.blocks) {
            auto const by = how ? make_tiled(machine, inputs[0], *how, {shape, tile_cols, 300})
                                : make_strips(machine, inputs[0], false, {shape, tile_cols, 300});
            for (int k = 0; k < 3; ++k) {
              auto const& expected = results[k % 2];
              by->forget();
              by->load(inputs[k % 2]);
              by->run();
              auto const found = by->result();
              by->require_done();
              BOOST_TEST((found.best == expected.best));
              BOOST_TEST((found.last_row == expected.last_row));
              BOOST_TEST((found.last_column == expected.last_column));
            }
          }
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_table_of_scores_is_symmetric_and_has_known_values) {
  auto const& scores = blosum62();
  for (std::uint32_t a = 0; a < alphabet; ++a) {
    for (std::uint32_t b = 0; b < alphabet; ++b)
      BOOST_TEST(scores[alphabet * a + b] == scores[alphabet * b + a]);
    BOOST_TEST(scores[alphabet * a + separator] == no_score);
  }
  auto const of = [&](char a, char b) {
    return int{scores[alphabet * text({&a, 1})[0] + text({&b, 1})[0]]};
  };
  BOOST_TEST(of('W', 'W') == 11);
  BOOST_TEST(of('I', 'V') == 3);
  BOOST_TEST(of('E', 'Z') == 4);
  BOOST_TEST(of('W', 'D') == -4);
  BOOST_TEST(of('X', 'P') == -2);
}

BOOST_AUTO_TEST_CASE(fasta_files_are_joined_and_bad_lines_named) {
  scratch_folder const folder;
  auto const file = (folder / "a.fasta").string();
  auto const read = [&](std::string_view content) { return read_fasta(write_text(file, content)); };
  BOOST_TEST(read(">a\nAR\r\n\nn\n>b\nU*\n") == text("ARN|X*"), per_element());
  BOOST_TEST(error_text<usage_error>([&] {
               read(">a\nA\nA1\n");
             }).starts_with(file + ":3: expected letters of ARND"));
}
