#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/graph_text.hpp"
#include "text_files.hpp"

BOOST_AUTO_TEST_SUITE(edge_list_test)

using namespace gridloom;
using namespace gridloom::sparse;
using namespace gridloom::test;

namespace {

constexpr edge_list_options undirected{.undirected = true, .one_based = false};
constexpr edge_list_options directed{.undirected = false, .one_based = false};
constexpr edge_list_options one_based{.undirected = false, .one_based = true};

using pattern = csr_matrix<no_value>;
using weighted = csr_matrix<double>;

any_csr read(std::string const& text, edge_list_options const& options = undirected) {
  scratch_folder const folder;
  return read_edge_list(write_text(folder / "g.txt", text), options);
}

// The message without the folder: "g.txt:3: expected ...".
std::string refusal(std::string const& text, edge_list_options const& options = undirected) {
  return refusal_of("g.txt", text, [&](auto const& path) { return read_edge_list(path, options); });
}

// 0 -> 2, 1 -> 0, 1 -> 1, 3 -> 1.
pattern const arrows{4, 4, {0, 1, 3, 3, 4}, {2, 0, 1, 1}, {}};
pattern const edges{4, 4, {0, 2, 5, 6, 7}, {1, 2, 0, 1, 3, 0, 1}, {}};

}  // namespace

BOOST_AUTO_TEST_CASE(directed_edges_are_entries) {
  BOOST_TEST((read("0 2\n1 0\n1 1\n3 1\n", directed) == any_csr{arrows}));
  BOOST_TEST((read("3 1\n1 1\n0 2\n1 0", directed) == any_csr{arrows}));
}

BOOST_AUTO_TEST_CASE(undirected_edges_are_two_entries_but_on_the_diagonal) {
  BOOST_TEST((read("0 2\n1 0\n1 1\n3 1\n") == any_csr{edges}));
  BOOST_TEST((read("2 0\n0 1\n1 1\n1 3\n") == any_csr{edges}));
}

BOOST_AUTO_TEST_CASE(repeated_edges_count_once) {
  BOOST_TEST((read("0 2\n1 0\n0 2\n1 1\n1 1\n3 1\n0 2\n", directed) == any_csr{arrows}));
  BOOST_TEST((read("0 2\n2 0\n1 0\n0 1\n0 1\n1 1\n3 1\n1 3\n") == any_csr{edges}));
  // Both directions are two edges when they are arrows.
  BOOST_TEST((read("0 1\n1 0\n", directed) == any_csr{pattern{2, 2, {0, 1, 2}, {1, 0}, {}}}));
}

BOOST_AUTO_TEST_CASE(numbers_may_start_at_1) {
  BOOST_TEST((read("1 3\n2 1\n2 2\n4 2\n", one_based) == any_csr{arrows}));
  BOOST_TEST(refusal("1 2\n\n0 1\n", one_based) ==
             "g.txt:3: expected a vertex number from 1 to 2147483646, got \"0\"");
}

BOOST_AUTO_TEST_CASE(comments_and_empty_lines_are_passed_over) {
  BOOST_TEST((read("# Nodes: 4\n% asym\n\n0 2\n  # 9 9\n \t\r\n1 0\n%\n1 1\n3 1\n#", directed) ==
              any_csr{arrows}));
}

BOOST_AUTO_TEST_CASE(blanks_tabs_and_a_comma_separate) {
  BOOST_TEST((read(" 0\t2 \r\n1,0\r\n1 ,\t1\r\n3 , 1\r\n", directed) == any_csr{arrows}));
  weighted const one{2, 2, {0, 1, 1}, {1}, {0.5}};
  for (std::string const text : {"0 1 0.5", "0\t1\t+0.5\r\n", "0,1,.5", "0, 1, 5e-1 ", "0 1,0.5"}) {
    BOOST_TEST((read(text, directed) == any_csr{one}), text);
  }
}

BOOST_AUTO_TEST_CASE(weights_become_values) {
  BOOST_TEST((read("2 0 -1.5\n0 1 1e-400\n2 2 7\n") ==
              any_csr{weighted{3, 3, {0, 2, 3, 5}, {1, 2, 0, 0, 2}, {0, -1.5, 0, -1.5, 7}}}));
  BOOST_TEST((read("2 1 4\n2 0 -1.5\n2 1 4.0\n", directed) ==
              any_csr{weighted{3, 3, {0, 0, 0, 2}, {0, 1}, {-1.5, 4}}}));
}

BOOST_AUTO_TEST_CASE(a_file_without_edges_is_refused_at_its_last_line) {
  std::string const expected = ": expected an edge, got the end of the file";
  for (edge_list_options const& options : {undirected, directed}) {
    BOOST_TEST(refusal("", options) == "g.txt:1" + expected);
    BOOST_TEST(refusal("\n", options) == "g.txt:1" + expected);
    BOOST_TEST(refusal("# nothing\n% at\n\n# all", options) == "g.txt:4" + expected);
    BOOST_TEST(refusal(gzip(""), options) == "g.txt:1" + expected);
  }
}

BOOST_AUTO_TEST_CASE(a_bad_line_is_named) {
  std::string const expected = "expected a vertex number from 0 to 2147483645, got ";
  BOOST_TEST(refusal("0 1\n# c\n0\n") == "g.txt:3: " + expected + "the end of the line");
  BOOST_TEST(refusal("source,target\n") == "g.txt:1: " + expected + "\"source,target\"");
  BOOST_TEST(refusal("0 -1\n") == "g.txt:1: " + expected + "\"-1\"");
  BOOST_TEST(refusal("0 1.0\n") == "g.txt:1: " + expected + "\"1.0\"");
  BOOST_TEST(refusal("0;1\n") == "g.txt:1: " + expected + "\"0;1\"");
  BOOST_TEST(refusal("0,,1\n") == "g.txt:1: " + expected + "\",1\"");
  BOOST_TEST(refusal(",0 1\n") == "g.txt:1: " + expected + "\",0\"");
  BOOST_TEST(refusal("0 2147483646\n") == "g.txt:1: " + expected + "\"2147483646\"");
  BOOST_TEST(refusal("0 18446744073709551616\n").starts_with("g.txt:1: " + expected));
  BOOST_TEST(refusal("0 1 2 3\n") ==
             "g.txt:1: expected the end of the line behind the weight, got \"3\"");
  BOOST_TEST(refusal("0 1 2,\n") == "g.txt:1: expected a finite weight, got \"2,\"");
  BOOST_TEST(refusal("0 1,\n") == "g.txt:1: expected a finite weight, got the end of the line");
  for (std::string const weight : {"nan", "inf", "-inf", "1e400", "x", "1x"}) {
    BOOST_TEST(refusal("0 1 " + weight) ==
               "g.txt:1: expected a finite weight, got \"" + weight + "\"");
  }
}

BOOST_AUTO_TEST_CASE(weights_are_on_every_line_or_on_none) {
  BOOST_TEST(refusal("#\n0 1 5\n1 2\n") ==
             "g.txt:3: expected a weight, as on line 2, got the end of the line");
  BOOST_TEST(refusal("#\n0 1\n1 2 5\n") ==
             "g.txt:3: expected the end of the line behind the edge, as on line 2, got \"5\"");
  BOOST_TEST(refusal("0 1\n1 2,\n") ==
             "g.txt:2: expected the end of the line behind the edge, as on line 1, got \",\"");
}

BOOST_AUTO_TEST_CASE(the_first_line_with_another_weight_for_an_edge_is_named) {
  BOOST_TEST(refusal("5 6 1\n#\n0 1 5\n1 0 5\n5 6 1\n0 1 6\n6 5 2\n") ==
             "g.txt:6: expected the same weight as on line 3 for a repeated edge, got another");
  BOOST_TEST(refusal("0 1 6\n5 6 1\n5 6 2\n0 1 5\n", directed) ==
             "g.txt:3: expected the same weight as on line 2 for a repeated edge, got another");
  BOOST_CHECK_NO_THROW((void)read("0 1 5\n1 0 6\n", directed));
}

BOOST_AUTO_TEST_CASE(a_few_edges_with_a_huge_number_are_refused_without_allocating_for_it) {
  BOOST_TEST(
      refusal("0 1\n#\n0 2000000000\n2100000000 3\n") ==
      "g.txt:3: expected at most 16777216 vertices for 3 edges, got vertex number 2000000000");
  BOOST_TEST(refusal("16777217 1\n", one_based) ==
             "g.txt:1: expected at most 16777216 vertices for 1 edges, got vertex number 16777217");
  BOOST_TEST(std::get<pattern>(read("0 16777215\n")).num_rows == 16777216U);
}

BOOST_AUTO_TEST_CASE(many_edges_may_name_many_vertices) {
  std::string text;
  for (int k = 0; k < 300000; ++k) text += "0 1\n";
  BOOST_TEST(std::get<pattern>(read(text + "64 19000000\n", directed)).num_rows == 19000001U);
  BOOST_TEST(refusal(text + "64 19200064\n", directed).starts_with("g.txt:300001: "));
}

BOOST_AUTO_TEST_CASE(a_row_may_have_all_edges) {
  // Edges are sorted in two halves of the rows, of which one is then empty.
  for (std::uint32_t const hub : {0, 3, 9}) {
    pattern expected{10, 10, std::vector<std::uint64_t>(11, 0), {}, {}};
    std::string text;
    for (std::uint32_t k = 10; k-- > 0;)
      text += std::to_string(hub) + " " + std::to_string(k) + "\n";
    for (std::uint32_t k = 0; k < 10; ++k) expected.columns.push_back(k);
    for (std::uint32_t row = hub + 1; row <= 10; ++row) expected.row_offsets[row] = 10;
    BOOST_TEST((read(text, directed) == any_csr{expected}));
  }
}

BOOST_AUTO_TEST_CASE(lists_larger_than_a_block_come_back) {
  random_source random{11};
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> entries[2];
  std::string text[2];
  for (int k = 0; k < 200000; ++k) {
    // A few vertices have most of the edges, so many are repeated.
    auto const u = static_cast<std::uint32_t>(random.below(1 + random.below(3000)));
    auto const v = static_cast<std::uint32_t>(random.below(1 + random.below(3000)));
    double const weight = static_cast<double>(u ^ v) / 4;
    entries[0][{u, v}] = weight;
    entries[1][{u, v}] = weight;
    entries[1][{v, u}] = weight;
    std::string const line = std::to_string(u) + "\t" + std::to_string(v);
    text[0] += line + "\n";
    text[1] += line + "\t" + std::to_string(weight) + "\n";
  }
  for (bool const both_ways : {false, true}) {
    weighted expected;
    std::uint32_t n = 0;
    for (auto const& [ends, weight] : entries[1]) n = std::max(n, ends.first + 1);
    expected.num_rows = expected.num_cols = n;
    expected.row_offsets.assign(n + 1, 0);
    for (auto const& [ends, weight] : entries[both_ways ? 1 : 0]) {
      expected.columns.push_back(ends.second);
      expected.values.push_back(weight);
      ++expected.row_offsets[ends.first + 1];
    }
    for (std::uint32_t row = 0; row < n; ++row) {
      expected.row_offsets[row + 1] += expected.row_offsets[row];
    }
    pattern const without{n, n, expected.row_offsets, expected.columns, {}};
    edge_list_options const options{.undirected = both_ways, .one_based = false};
    BOOST_TEST((read(text[0], options) == any_csr{without}));
    BOOST_TEST((read(gzip(text[1]), options) == any_csr{expected}));
  }
}

BOOST_AUTO_TEST_SUITE_END()
