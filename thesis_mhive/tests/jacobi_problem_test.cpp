// Tests which systems the Jacobi method accepts, and the error messages for others.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "gridloom/error.hpp"
#include "jacobi_support.hpp"
#include "test_support.hpp"

namespace gridloom::mhive::jacobi::test {

BOOST_AUTO_TEST_SUITE(jacobi_problem_test)
namespace {

using namespace gridloom::test;

std::string refusal(std::vector<std::vector<double>> const& dense) {
  return message_of<usage_error>([&] { (void)make_system("m", sparse_of(dense), "--matrix"); });
}

std::string const two_rows =
    "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n1 2 1\n2 1 2\n2 2 5\n";

BOOST_AUTO_TEST_CASE(a_system_has_its_diagonal) {
  auto const of = make_system("m", sparse_of({{4, 1, 0}, {0, -2, 0}, {1, 1, 8}}), "--matrix");
  BOOST_TEST(of.diagonal == (std::vector<double>{4, -2, 8}), per_element());
  BOOST_TEST(of.num_rows() == 3U);
}

BOOST_AUTO_TEST_CASE(matrices_that_jacobi_cannot_take_are_refused_with_the_row) {
  BOOST_TEST(refusal({{1, 2, 3}, {1, 2, 3}}) ==
             "--matrix: expected a square matrix, got one of 2 x 3");
  BOOST_TEST(refusal({}) == "--matrix: expected at least one row, got none");
  BOOST_TEST(refusal({{1, 2}, {1, 0}}) ==
             "--matrix: row 1: expected a number other than 0 on the diagonal, got no entry");
  auto stored_zero = sparse_of({{1, 2}, {1, 7}});
  stored_zero.values[3] = 0;
  BOOST_TEST(message_of<usage_error>([&] { (void)make_system("m", stored_zero, "--matrix"); }) ==
             "--matrix: row 1: expected a number other than 0 on the diagonal, got 0");
  stored_zero.values[3] = std::numeric_limits<double>::infinity();
  BOOST_TEST(message_of<usage_error>([&] { (void)make_system("m", stored_zero, "--matrix"); }) ==
             "--matrix: row 1: expected finite values, got inf");
}

BOOST_AUTO_TEST_CASE(the_drawn_right_side_belongs_to_a_known_x) {
  auto of = make_system("m", sparse_of({{4, 1}, {2, 5}}), "--matrix");
  draw_right_side(of, 3);
  BOOST_REQUIRE(of.known.size() == 2U);
  BOOST_TEST(of.right_side[0] == 4 * of.known[0] + of.known[1]);
  BOOST_TEST(of.right_side[1] == 2 * of.known[0] + 5 * of.known[1]);
  auto const first = of.right_side;
  draw_right_side(of, 3);
  BOOST_TEST(of.right_side == first, per_element());
  draw_right_side(of, 4);
  BOOST_TEST(of.right_side[0] != first[0]);
}

BOOST_AUTO_TEST_CASE(files_are_read_in_either_precision) {
  scratch_folder const folder;
  auto const add = [&](char const* name, std::string const& text) {
    return write_text(folder / name, text).string();
  };
  problem_source source{.file = add("a.mtx", two_rows),
                        .right_side = add("b.txt", "# right side\n1\n\n 2e0 \n")};
  auto const of = std::get<system<double>>(read_system(source, "double"));
  BOOST_TEST(of.name == "a.mtx");
  BOOST_TEST(of.right_side == (std::vector<double>{1, 2}), per_element());
  BOOST_TEST(of.known.empty());
  auto const narrow = std::get<system<float>>(read_system(source, "float"));
  BOOST_TEST(narrow.diagonal == (std::vector<float>{4, 5}), per_element());
}

BOOST_AUTO_TEST_CASE(bad_files_are_refused) {
  scratch_folder const folder;
  auto const add = [&](char const* name, std::string const& text) {
    return write_text(folder / name, text).string();
  };
  std::string const matrix = add("a.mtx", two_rows);
  auto const said = [](problem_source const& source, char const* precision) {
    return message_of<usage_error>([&] { (void)read_system(source, precision); });
  };
  std::string const pattern =
      add("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n");
  BOOST_TEST(said({.file = pattern}, "double") ==
             "--matrix " + pattern + ": expected a matrix with values, got a pattern");
  BOOST_TEST(said({.spec = "path:n=10"}, "double").find("--generate: expected a matrix with") ==
             0U);
  BOOST_TEST(said({.file = matrix, .right_side = add("long.txt", "1\n2\n3\n")}, "double") ==
             "--rhs: expected 2 numbers, one per row of the matrix, got 3");
  std::string const words = add("words.txt", "1\ntwo\n");
  BOOST_TEST(said({.file = matrix, .right_side = words}, "double").find(words + ":2: expected") ==
             0U);
  BOOST_TEST(said({.file = matrix, .right_side = "/nowhere/b.txt"}, "double") ==
             "/nowhere/b.txt: cannot read: No such file or directory");
  BOOST_TEST(said({.file = matrix, .right_side = add("large.txt", "1\n1e300\n")}, "float")
                 .find("--rhs: row 1: expected a number in the range of float") == 0U);
  std::string const large =
      add("large.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e300\n");
  BOOST_TEST(said({.file = large}, "float")
                 .find("--matrix " + large + ": expected values in the range of") == 0U);
}

}  // namespace
BOOST_AUTO_TEST_SUITE_END()

}  // namespace gridloom::mhive::jacobi::test
