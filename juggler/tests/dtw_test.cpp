// Dynamic time warping: the serial version compared with results by hand, and series from files.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "apps/dtw/input.hpp"
#include "gridloom/error.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::test;
using namespace gridloom::juggler;

namespace {

template <class Real>
std::vector<Real> costs_of(std::vector<Real> const& x, std::vector<Real> const& y) {
  std::vector<Real> costs;
  dtw::warp(std::span<Real const>(x), std::span<Real const>(y),
            [&](std::size_t i, std::size_t j, Real cost) {
              BOOST_TEST(costs.size() == i * y.size() + j);
              costs.push_back(cost);
            });
  return costs;
}

/// The error message for a file with this text.
std::string refusal(std::string const& text, std::int64_t number = 1) {
  scratch_folder const folder;
  return refusal_of(write_text(folder / "series.tsv", text),
                    [&](auto const& file) { return dtw::read_series(file.string(), number); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dtw_test)

BOOST_AUTO_TEST_CASE(series_by_hand) {
  // 1 2 4 against 1 3 4. The best match pairs 1-1, 2-3 and 4-4.
  BOOST_TEST(costs_of<double>({1, 2, 4}, {1, 3, 4}) ==
             (std::vector<double>{0, 2, 5, 1, 1, 3, 4, 2, 1}));
  BOOST_TEST(costs_of<float>({1, 2}, {3}) == (std::vector<float>{2, 3}));
}

BOOST_AUTO_TEST_CASE(a_series_matches_itself_at_no_cost) {
  std::vector<double> const x = dtw::make_series(50, 3);
  BOOST_TEST(costs_of(x, x).back() == 0.0);
  BOOST_TEST(costs_of(x, dtw::make_series(50, 4)).back() > 0.0);
}

BOOST_AUTO_TEST_CASE(each_line_of_a_series_file_has_a_class_and_a_series) {
  scratch_folder const folder;
  for (char const* text : {"1,0.5,-2e1\n2,7,8,9\n", "1\t0.5\t-2e1\r\n\r\n2\t7\t+8\t9",
                           "  1.0e+00  0.5 -20.0 NaN NaN\n -1 7 8 9", "1e-400,0.5,-20\n2,7,8,9\n",
                           "1 , 0.5,\t-20,NaN \n \t\n2\t \t7 , 8 9  \n"}) {
    auto const file = write_text(folder / "series", text);
    BOOST_TEST(dtw::read_series(file.string(), 1) == (std::vector<double>{0.5, -20}));
    BOOST_TEST(dtw::read_series(file.string(), 2) == (std::vector<double>{7, 8, 9}));
  }
}

BOOST_AUTO_TEST_CASE(damaged_files_of_series_are_refused_in_a_line) {
  BOOST_TEST(refusal("1,2\n\n1,3\n", 3) == ": expected at least 3 series, got 2");
  BOOST_TEST(refusal("1,2\n1,3,x4\n", 2) == ":2: expected numbers, got \"x4\"");
  for (std::string const number : {"inf", "1e999", "+-5"}) {
    BOOST_TEST(refusal("1,2," + number + "\n") == ":1: expected numbers, got \"" + number + "\"");
  }
  for (std::string const line :
       {"1,0.5,,0.7,0.1", "1,0.5, ,0.7", "1,0.5,", "1,0.5 , ", ",1,0.5", ",", "1,,"}) {
    BOOST_TEST(refusal("1,2\n" + line + "\n", 2) ==
               ":2: expected a number in each field, got \"" + line + "\"");
  }
  BOOST_TEST(refusal("1,NaN,2\n") == ":1: expected numbers, got \"NaN\"");
  for (std::string const line : {"1", "1,NaN"}) {
    BOOST_TEST(refusal(line + "\n") ==
               ":1: expected a class and at least one number, got \"" + line + "\"");
  }
}

BOOST_AUTO_TEST_SUITE_END()
