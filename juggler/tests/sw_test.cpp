// Smith-Waterman alignment: the serial version compared with the definition, scores, and sequences
// from files.

#include <boost/test/unit_test.hpp>

#include "apps/sw/alignment.hpp"
#include "apps/sw/input.hpp"
#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

namespace {

sw::sequence numbers_of(std::string_view letters, sw::scoring const& by) {
  sw::sequence numbers;
  for (char const letter : letters)
    numbers.push_back(static_cast<std::uint8_t>(by.number_of(letter)));
  return numbers;
}

sw::best_cell best_of(std::string_view x, std::string_view y, sw::scoring const& by) {
  return sw::align(numbers_of(x, by), numbers_of(y, by), by, [](auto...) {});
}

/// All scores by Smith and Waterman's definition: a gap of any length may end at each element.
std::vector<int> by_definition(sw::sequence const& x, sw::sequence const& y,
                               sw::scoring const& by) {
  std::size_t const cols = y.size() + 1;
  std::vector<int> h((x.size() + 1) * cols, 0);
  auto const cost = [&](std::size_t length) {
    return by.gap_open + static_cast<int>(length) * by.gap_extend;
  };
  for (std::size_t i = 1; i <= x.size(); ++i) {
    for (std::size_t j = 1; j < cols; ++j) {
      int best = std::max(0, h[(i - 1) * cols + j - 1] + by.of(x[i - 1], y[j - 1]));
      for (std::size_t k = 1; k <= i; ++k) best = std::max(best, h[(i - k) * cols + j] - cost(k));
      for (std::size_t k = 1; k <= j; ++k) best = std::max(best, h[i * cols + j - k] - cost(k));
      h[i * cols + j] = best;
    }
  }
  return h;
}

/// The error message for a file with this text.
template <class Read>
std::string refusal(std::string const& text, Read const& read) {
  scratch_folder const folder;
  return refusal_of(write_text(folder / "input", text), read);
}
std::string fasta_refusal(std::string const& text) {
  return refusal(text, [](auto const& file) {
    return sw::read_fasta(file.string(), 1, sw::nucleotides(2, -3, 5, 2));
  });
}
std::string matrix_refusal(std::string const& text) {
  return refusal(text,
                 [](auto const& file) { return sw::substitution_matrix(file.string(), 11, 1); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sw_test)

BOOST_AUTO_TEST_CASE(alignments_by_hand) {
  // GTT-AC against GTTGAC: five matches and a gap of one letter.
  sw::scoring const linear = sw::nucleotides(3, -3, 0, 2);
  BOOST_TEST((best_of("TGTTACGG", "GGTTGACTA", linear) == sw::best_cell{13, 5, 6}));
  // One long gap costs less than two short ones: AC--GT against ACTTGT scores 4 · 3 - (4 + 2 · 1).
  sw::scoring const affine = sw::nucleotides(3, -3, 4, 1);
  BOOST_TEST((best_of("ACGT", "ACTTGT", affine) == sw::best_cell{6, 1, 1}));
  BOOST_TEST((best_of("AACCGGTT", "AACCTTGGTT", affine) == sw::best_cell{18, 7, 9}));
}

BOOST_AUTO_TEST_CASE(equal_scores_select_the_first_row_then_the_first_column) {
  sw::scoring const by = sw::nucleotides(2, -3, 5, 2);
  BOOST_TEST((best_of("AGGA", "CACA", by) == sw::best_cell{2, 0, 1}));
  BOOST_TEST((best_of("TA", "ACT", by) == sw::best_cell{2, 0, 2}));
  BOOST_TEST((best_of("A", "T", by) == sw::no_cell));
  BOOST_TEST((best_of("N", "N", by) == sw::no_cell));
}

BOOST_AUTO_TEST_CASE(proteins_by_hand) {
  sw::scoring const by = sw::substitution_matrix("BLOSUM62", 11, 1);
  // The scores are W-W 11, H-H 8, A-G 0 and E-E 5.
  BOOST_TEST((best_of("WHAE", "WHGE", by) == sw::best_cell{24, 3, 3}));
  BOOST_TEST(by.letters == "ARNDCQEGHILKMFPSTWYVBZX*");
  BOOST_TEST(by.of(by.number_of('C'), by.number_of('c')) == 9);
  BOOST_TEST(by.of(by.number_of('W'), by.number_of('P')) == -4);
  BOOST_TEST(by.of(by.number_of('*'), by.number_of('*')) == 1);
  BOOST_TEST(by.number_of('J') == -1);
  int sum = 0;
  for (int a = 0; a < 24; ++a) {
    for (int b = 0; b < 24; ++b) {
      BOOST_TEST(by.of(a, b) == by.of(b, a));
      if (a < 20 && b < 20) sum += by.of(a, b);
    }
  }
  // The sum over the twenty amino acids, from NCBI's file.
  BOOST_TEST(sum == -426);
}

BOOST_AUTO_TEST_CASE(random_sequences_score_as_defined) {
  random_source random(5);
  for (int round = 0; round < 60; ++round) {
    auto const length = [&] { return 1 + static_cast<std::int64_t>(random.below(25)); };
    int const open = static_cast<int>(random.below(5));
    int const extend = static_cast<int>(random.below(3));
    sw::scoring const by = round % 2 == 0 ? sw::nucleotides(2, -1, open, extend)
                                          : sw::substitution_matrix("BLOSUM62", open, extend);
    sw::sequence const x = sw::make_sequence(length(), random.next(), by);
    sw::sequence const y = sw::make_sequence(length(), random.next(), by);
    std::vector<int> const expected = by_definition(x, y, by);
    int highest = 0;
    auto const best = sw::align(x, y, by, [&](std::size_t i, std::size_t j, sw::scored const& of) {
      BOOST_TEST(of.score == expected[(i + 1) * (y.size() + 1) + j + 1]);
      highest = std::max(highest, of.score);
    });
    BOOST_TEST(best.score == highest);
  }
}

BOOST_AUTO_TEST_CASE(sequences_of_a_file_span_lines) {
  scratch_folder const folder;
  sw::scoring const by = sw::nucleotides(2, -3, 5, 2);
  auto const file = write_text(folder / "a.fa", ">one, with words\r\nAC\r\n\r\ngt \n>two\nN");
  BOOST_TEST(sw::read_fasta(file.string(), 1, by) == (sw::sequence{0, 1, 2, 3}));
  BOOST_TEST(sw::read_fasta(file.string(), 2, by) == (sw::sequence{4}));
}

BOOST_AUTO_TEST_CASE(letters_that_are_no_nucleotides_are_refused_with_their_line) {
  for (std::string const letter : {"X", "-"}) {
    BOOST_TEST(fasta_refusal(">a\nAC\nG" + letter + "T\n") ==
               ":3: expected letters of ACGTN, got \"" + letter + "\"");
  }
}

BOOST_AUTO_TEST_CASE(a_matrix_of_a_file_is_read_as_it_stands) {
  scratch_folder const folder;
  auto const file =
      write_text(folder / "m", "# words\n   A  c *\nA  4 -1 0\r\n* 1 2 -127\nC 3 127 5");
  sw::scoring const by = sw::substitution_matrix(file.string(), 7, 3);
  BOOST_TEST(by.letters == "AC*");
  BOOST_TEST(by.gap_open == 7);
  BOOST_TEST(by.gap_extend == 3);
  BOOST_TEST(by.of(0, 1) == -1);
  BOOST_TEST(by.of(1, 0) == 3);
  BOOST_TEST(by.of(2, 2) == -127);
  BOOST_TEST(by.of(1, 1) == 127);
}

BOOST_AUTO_TEST_CASE(damaged_matrices_are_refused_in_a_line) {
  std::vector<std::pair<std::string, std::string>> const cases{
      {"# nothing\n", ": expected a matrix of scores, got none"},
      {"A A\n", ":1: expected each letter once, got \"A\""},
      {"A 5\n", ":1: expected a letter, got \"5\""},
      {"A C\nA 1 2\n", ": expected a line for each of 2 letters, got 1"},
      {"A\nA 1\nA 1\n", ":3: expected a letter of the columns, each once, got \"A\""},
      {"A\nC 1\n", ":2: expected a letter of the columns, each once, got \"C\""},
      {"A\nA 1.5\n", ":2: expected a whole number from -127 to 127 for each letter, got \"1.5\""},
      {"A\nA 128\n", ":2: expected a whole number"},
      {"A\nA\n", ":2: expected a whole number"},
      {"A\nA 1 2\n", ":2: expected no more scores than letters"}};
  for (auto const& [text, message] : cases) {
    BOOST_TEST(matrix_refusal(text).starts_with(message), text);
  }
}

BOOST_AUTO_TEST_CASE(scores_beyond_a_word_are_refused) {
  sw::scoring const by = sw::nucleotides(127, -1, 0, 0);
  BOOST_CHECK_NO_THROW(sw::require_scores_fit(by, 8000000, 9000000));
  BOOST_CHECK_THROW(sw::require_scores_fit(by, 9000000, 9000000), usage_error);
  BOOST_CHECK_THROW(sw::require_scores_fit(by, 1, 1 << 30), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
