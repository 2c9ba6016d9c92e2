#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/random.hpp"
#include "gridloom/sparse/graph_text.hpp"
#include "text_files.hpp"

BOOST_AUTO_TEST_SUITE(metis_test)

using namespace gridloom;
using namespace gridloom::sparse;
using namespace gridloom::test;

namespace {

any_csr read(std::string const& text) {
  scratch_folder const folder;
  return read_metis(write_text(folder / "g.graph", text));
}

using pattern = csr_matrix<no_value>;
using weighted = csr_matrix<double>;

// The message without the folder: "g.graph:3: expected ...".
std::string refusal(std::string const& text) { return refusal_of("g.graph", text, read_metis); }

// 0 - 1, 0 - 2, 1 - 2, 2 - 3, and 4 alone.
pattern const small{5, 5, {0, 2, 4, 7, 8, 8}, {1, 2, 0, 2, 0, 1, 3, 2}, {}};
weighted const small_weighted{5, 5, small.row_offsets, small.columns, {7, 8, 7, 9, 8, 9, 6, 6}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_graph_without_weights_is_a_pattern) {
  any_csr const graph = read("5 4\n2 3\n1 3\n1 2 4\n3\n\n");
  BOOST_TEST((std::get<pattern>(graph) == small));
}

BOOST_AUTO_TEST_CASE(neighbours_may_stand_in_any_order_with_any_blanks) {
  BOOST_TEST((read(" 5\t4 \r\n3\t2\r\n  3  1 \r\n4 1 2\r\n3\r\n\r\n") == any_csr{small}));
  BOOST_TEST((read("5 4\n2 3\n1 3\n1 2 4\n3\n \t\n\n\n  \n") == any_csr{small}));
}

BOOST_AUTO_TEST_CASE(comments_may_stand_anywhere_and_are_no_vertices) {
  BOOST_TEST((read("% a\n%\n5 4\n% 1\n2 3\n1 3\n%%\n%\n1 2 4\n3\n%\n\n% end") == any_csr{small}));
}

BOOST_AUTO_TEST_CASE(gzip_gives_the_same_graph) {
  BOOST_TEST((read(gzip("5 4\n2 3\n1 3\n1 2 4\n3\n\n")) == any_csr{small}));
}

BOOST_AUTO_TEST_CASE(the_last_line_may_lack_its_end) {
  BOOST_TEST((read("2 1\n2\n1") == any_csr{pattern{2, 2, {0, 1, 2}, {1, 0}, {}}}));
  BOOST_TEST((read("0 0") == any_csr{pattern{}}));
}

BOOST_AUTO_TEST_CASE(vertices_without_neighbours_are_empty_lines) {
  BOOST_TEST((read("3 0\n\n\n\n") == any_csr{pattern{3, 3, {0, 0, 0, 0}, {}, {}}}));
  BOOST_TEST((read("4 1\n\n4\n\n2\n") == any_csr{pattern{4, 4, {0, 0, 1, 1, 2}, {3, 1}, {}}}));
}

BOOST_AUTO_TEST_CASE(edge_weights_become_values_and_others_are_dropped) {
  std::string const edges[] = {"3 8 2 7", "1 7 3 9", "1 8 4 6 2 9", "3 6", ""};
  // Format, further weights in the header, and what stands before the neighbours of a vertex.
  for (auto const& [format, before] :
       std::vector<std::pair<std::string, std::string>>{{"1", ""},
                                                        {"01", ""},
                                                        {"001", ""},
                                                        {"011", "5 "},
                                                        {"11 1", "0 "},
                                                        {"011 3", "1 2 3 "},
                                                        {"101", "4 "},
                                                        {"111", "4 5 "},
                                                        {"111 2", "4 5 18446744073709551615 "}}) {
    std::string text = "5 4 " + format + "\n";
    for (std::string const& line : edges) text += before + line + "\n";
    BOOST_TEST((read(text) == any_csr{small_weighted}), format);
  }
  BOOST_TEST((read("5 4 000\n2 3\n1 3\n1 2 4\n3\n\n") == any_csr{small}));
  BOOST_TEST((read("5 4 10\n9 2 3\n9 1 3\n9 1 2 4\n9 3\n9\n") == any_csr{small}));
  BOOST_TEST((read("5 4 100\n9 2 3\n9 1 3\n9 1 2 4\n9 3\n9\n") == any_csr{small}));
}

BOOST_AUTO_TEST_CASE(a_bad_header_is_named) {
  std::string const none =
      ": expected a METIS header \"n m [fmt [ncon]]\", got the end of the file";
  BOOST_TEST(refusal("") == "g.graph:1" + none);
  BOOST_TEST(refusal("% only\n%\n% comments\n") == "g.graph:3" + none);
  BOOST_TEST(
      refusal("%\n\n1 0\n\n") ==
      "g.graph:2: expected a number of vertices from 0 to 2147483646, got the end of the line");
  BOOST_TEST(refusal("2147483647 0\n") ==
             "g.graph:1: expected a number of vertices from 0 to 2147483646, got \"2147483647\"");
  BOOST_TEST(refusal("-1 0\n").starts_with("g.graph:1: expected a number of vertices"));
  BOOST_TEST(refusal("3\n").starts_with("g.graph:1: expected a number of edges"));
  BOOST_TEST(refusal("3 1.5\n").starts_with("g.graph:1: expected a number of edges"));
  BOOST_TEST(refusal("3 18446744073709551616\n").ends_with("got \"18446744073709551616\""));
  for (std::string const format : {"2", "0001", "x", "-1", "1.0"}) {
    BOOST_TEST(refusal("1 0 " + format + "\n\n") ==
               "g.graph:1: expected a format of up to three digits 0 or 1, got \"" + format + "\"");
  }
  BOOST_TEST(
      refusal("1 0 001 1\n\n") ==
      "g.graph:1: expected no number of weights for a format without vertex weights, got \"1\"");
  BOOST_TEST(refusal("1 0 010 0\n1\n").starts_with("g.graph:1: expected a number of weights"));
  BOOST_TEST(refusal("1 0 010 1 7\n1\n") == "g.graph:1: expected the end of the header, got \"7\"");
}

BOOST_AUTO_TEST_CASE(a_bad_neighbour_is_named_with_its_line) {
  BOOST_TEST(refusal("2 1\n% c\n2\n3\n") ==
             "g.graph:4: expected a neighbour from 1 to 2, got \"3\"");
  BOOST_TEST(refusal("2 1\n0\n1\n") == "g.graph:2: expected a neighbour from 1 to 2, got \"0\"");
  BOOST_TEST(refusal("2 1\n2 -1\n1\n") ==
             "g.graph:2: expected a neighbour from 1 to 2, got \"-1\"");
  BOOST_TEST(refusal("2 1\n2,\n1\n") == "g.graph:2: expected a neighbour from 1 to 2, got \"2,\"");
  BOOST_TEST(refusal("2 1\n2 % no\n1\n") ==
             "g.graph:2: expected a neighbour from 1 to 2, got \"%\"");
  BOOST_TEST(refusal("2 1\n4294967297\n1\n").starts_with("g.graph:2: expected a neighbour"));
  BOOST_TEST(refusal("2 1\n2\n2\n") ==
             "g.graph:3: expected no edge from a vertex to itself, got \"2\"");
  BOOST_TEST(refusal("3 2\n2 3 2\n1\n1\n") ==
             "g.graph:2: expected each neighbour once, got 2 twice");
}

BOOST_AUTO_TEST_CASE(a_bad_weight_is_named_with_its_line) {
  BOOST_TEST(refusal("2 1 1\n2 0\n1 0\n") ==
             "g.graph:2: expected an edge weight from 1 to 9007199254740992, got \"0\"");
  BOOST_TEST(
      refusal("2 1 1\n2 9007199254740993\n1 1\n").starts_with("g.graph:2: expected an edge"));
  BOOST_TEST(refusal("2 1 1\n2 1.5\n1 1.5\n").ends_with("got \"1.5\""));
  BOOST_TEST(refusal("2 1 1\n2 1\n1\n")
                 .ends_with(":3: expected an edge weight from 1 to "
                            "9007199254740992, got the end of the line"));
  BOOST_TEST(refusal("1 0 010 3\n1 2\n").starts_with("g.graph:2: expected a vertex weight from 0"));
  BOOST_TEST(refusal("1 0 010 18446744073709551615\n1 2\n").starts_with("g.graph:2: "));
  BOOST_TEST(refusal("1 0 100\n\n").starts_with("g.graph:2: expected a vertex size from 0"));
}

BOOST_AUTO_TEST_CASE(every_edge_must_stand_at_both_ends) {
  BOOST_TEST(
      refusal("3 1\n2\n\n%\n\n") ==
      "g.graph:2: expected every edge at both of its ends, got neighbour 2 without its return "
      "at vertex 2 (line 3)");
  BOOST_TEST(
      refusal("3 1\n\n%\n\n2\n") ==
      "g.graph:5: expected every edge at both of its ends, got neighbour 2 without its return "
      "at vertex 2 (line 4)");
  // As many entries as the header says, and each row is as long as it would have to be.
  BOOST_TEST(refusal("3 1\n3\n\n2\n").starts_with("g.graph:2: expected every edge"));
  BOOST_TEST(refusal("4 2\n3 4\n\n2\n1\n").starts_with("g.graph:2: expected every edge"));
  BOOST_TEST(refusal("4 2\n4\n\n\n1 2 3\n").starts_with("g.graph:5: expected every edge"));
  // The first line is named, although a pass over the larger ends meets vertex 4 before vertex 3.
  BOOST_TEST(refusal("4 2\n4\n3\n1\n1 3\n").starts_with("g.graph:3: expected every edge"));
  BOOST_TEST(refusal("4 3\n3 4\n3\n1 2\n1 2\n").starts_with("g.graph:5: expected every edge"));
}

BOOST_AUTO_TEST_CASE(weights_must_agree_at_both_ends) {
  BOOST_TEST(
      refusal("3 2 1\n2 5\n1 5 3 6\n%\n2 7\n") ==
      "g.graph:3: expected the same weight at both ends of an edge, got 6 here and 7 at vertex "
      "3 (line 5)");
}

BOOST_AUTO_TEST_CASE(counts_of_the_header_must_be_right) {
  BOOST_TEST(refusal("3 1\n2\n1\n") ==
             "g.graph:1: expected a line for each of the 3 vertices of the header, got 2");
  BOOST_TEST(refusal("%\n3 1\n2\n1") ==
             "g.graph:2: expected a line for each of the 3 vertices of the header, got 2");
  BOOST_TEST(refusal("2 1\n2\n1\n\n2\n") ==
             "g.graph:5: expected the end of the file behind the last vertex, got \"2\"");
  BOOST_TEST(refusal("2 2\n2\n1\n") == "g.graph:1: expected 2 edges as the header says, got 1");
  BOOST_TEST(refusal("2 9223372036854775809\n2\n1\n").ends_with("as the header says, got 1"));
}

BOOST_AUTO_TEST_CASE(a_header_alone_allocates_nothing) {
  // Under a limit of memory this would fail, and without one it would take long.
  BOOST_TEST(refusal("2147483646 9000000000000000000 001\n\n\n") ==
             "g.graph:1: expected a line for each of the 2147483646 vertices of the header, got 2");
}

BOOST_AUTO_TEST_CASE(a_header_of_many_vertices_needs_edges_for_them) {
  BOOST_TEST(refusal("%\n2000000000 0\n\n") ==
             "g.graph:2: expected at most 16777216 vertices for 0 edges, got 2000000000");
  BOOST_TEST(refusal("16777217 131072\n\n") ==
             "g.graph:1: expected at most 16777216 vertices for 131072 edges, got 16777217");
  BOOST_TEST(refusal("16777217 131073\n\n").starts_with("g.graph:1: expected a line for each"));
}

BOOST_AUTO_TEST_CASE(endless_empty_lines_of_a_small_gzip_are_refused_on_the_way) {
  // The header promises enough edges; 32 MiB of empty lines come first.
  std::string const member = gzip(std::string(std::size_t{1} << 25U, '\n'));
  BOOST_TEST(refusal(gzip("2000000000 1000000000\n") + member) ==
             "g.graph:16777218: expected at most 16777216 vertices for 0 edges, got more");
}

BOOST_AUTO_TEST_CASE(graphs_larger_than_a_block_come_back) {
  // A ring with chords and gaps, written with shuffled neighbours and comments.
  random_source random{7};
  constexpr std::uint32_t n = 100000;
  std::vector<std::set<std::uint32_t>> neighbours(n);
  for (std::uint32_t k = 0; k < 3 * n; ++k) {
    auto const u = static_cast<std::uint32_t>(random.below(n));
    auto const v = static_cast<std::uint32_t>(random.below(n));
    if (u % 50 == 0 || v % 50 == 0 || u == v) continue;
    neighbours[u].insert(v);
    neighbours[v].insert(u);
  }
  weighted expected{n, n, {0}, {}, {}};
  std::string text;
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t const v : neighbours[u]) {
      expected.columns.push_back(v);
      expected.values.push_back(1.0 + u + v);
    }
    expected.row_offsets.push_back(expected.columns.size());
    auto const row = expected.row(u);
    if (random.below(10) == 0) text += "% " + std::to_string(u) + "\n";
    for (std::size_t const k : random_permutation(row.size(), random)) {
      text += std::to_string(row[k] + 1) + " " + std::to_string(1 + u + row[k]) + " ";
    }
    text += "\n";
  }
  std::string const header = std::to_string(n) + " " + std::to_string(expected.num_entries() / 2);
  BOOST_TEST((read(header + " 001\n" + text) == any_csr{expected}));
  BOOST_TEST((read(gzip(header + " 001\n" + text)) == any_csr{expected}));
}

BOOST_AUTO_TEST_SUITE_END()
