#include "text_scan.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(text_scan_test)

using namespace gridloom::sparse;

namespace {

cursor over(std::string_view text) { return {text.data(), text.data() + text.size()}; }

std::optional<std::uint64_t> whole(std::string_view text) {
  cursor line = over(text);
  std::uint64_t number = 4711;
  if (take_unsigned(line, number)) return number;
  BOOST_TEST(number == 4711U);  // untouched, and the cursor at the word that is at fault
  skip_blanks(line);
  BOOST_TEST(line.rest() == text.substr(std::min(text.find_first_not_of(" \t\r"), text.size())));
  return std::nullopt;
}

std::optional<double> real(std::string_view text) {
  cursor line = over(text);
  double number = 4711;
  if (take_real(line, number)) return number;
  BOOST_TEST(number == 4711);
  return std::nullopt;
}

std::string const zeros(400, '0');

}  // namespace

BOOST_AUTO_TEST_CASE(whole_numbers_up_to_64_bits_are_taken) {
  BOOST_TEST(whole("0").value() == 0U);
  BOOST_TEST(whole(" \t\r 12 rest").value() == 12U);
  BOOST_TEST(whole("9999999999999999999").value() == 9999999999999999999U);
  BOOST_TEST(whole("18446744073709551615").value() == ~std::uint64_t{0});
  BOOST_TEST(whole(zeros + "7").value() == 7U);
  BOOST_TEST(whole(zeros + "18446744073709551615").value() == ~std::uint64_t{0});
  BOOST_TEST(whole("7\r").value() == 7U);
}

BOOST_AUTO_TEST_CASE(other_whole_numbers_are_refused) {
  for (std::string const text :
       {"18446744073709551616", "18446744073709551620", "99999999999999999999",
        "184467440737095516150", "", " ", "-1", "+1", "1.0", "1e5", "1x", "x", "0x10", "1,", "1\v",
        "18446744073709551615x", "\xc3\xa9"}) {
    BOOST_TEST(!whole(text), text);
  }
  BOOST_TEST(!whole(zeros + "18446744073709551616"));
  BOOST_TEST(!whole(std::string{"1\0", 2}));
}

BOOST_AUTO_TEST_CASE(digits_end_where_they_end) {
  cursor line = over("12,13");
  std::uint64_t number = 0;
  BOOST_TEST(take_digits(line, number));
  BOOST_TEST(number == 12U);
  BOOST_TEST(line.rest() == ",13");
  BOOST_TEST(!take_digits(line, number));
  BOOST_TEST(line.rest() == ",13");
}

BOOST_AUTO_TEST_CASE(reals_are_taken_as_the_nearest_double) {
  BOOST_TEST(real("0").value() == 0.0);
  BOOST_TEST(real("+1").value() == 1.0);
  BOOST_TEST(real("-1.5\r").value() == -1.5);
  BOOST_TEST(real("1e5").value() == 1e5);
  BOOST_TEST(real("1E+5 x").value() == 1e5);
  BOOST_TEST(real("1.").value() == 1.0);
  BOOST_TEST(real(".5").value() == 0.5);
  BOOST_TEST(real("0.1").value() == 0.1);
  BOOST_TEST(real("1.7976931348623157e308").value() == std::numeric_limits<double>::max());
  BOOST_TEST(real("4.9e-324").value() == std::numeric_limits<double>::denorm_min());
  BOOST_TEST(std::signbit(real("-0").value()));
  BOOST_TEST(real("9007199254740993").value() == 9007199254740992.0);
  BOOST_TEST(real("1" + zeros + "e-400").value() == 1.0);
  BOOST_TEST(real("0." + zeros + "1e401").value() == 1.0);
}

BOOST_AUTO_TEST_CASE(infinities_and_nan_are_numbers_for_the_caller_to_judge) {
  BOOST_TEST(std::isinf(real("inf").value()));
  BOOST_TEST(real("-Infinity").value() == -std::numeric_limits<double>::infinity());
  BOOST_TEST(std::isinf(real("+inf").value()));
  BOOST_TEST(std::isnan(real("nan").value()));
  BOOST_TEST(std::isnan(real("NaN").value()));
}

BOOST_AUTO_TEST_CASE(tiny_reals_become_zero_with_their_sign) {
  for (std::string const& text : std::vector<std::string>{
           "1e-400", "2e-324", "0." + zeros + "1", "0." + zeros + "1e5", "." + zeros + "1e+5",
           zeros + "1e-400", "123.5e-999999999999999999999999",
           "0." + zeros + "1e-9223372036854775808"}) {
    BOOST_TEST(real(text).value() == 0.0, text);
    BOOST_TEST(std::signbit(real("-" + text).value()), text);
    BOOST_TEST(!std::signbit(real("+" + text).value()), text);
  }
}

BOOST_AUTO_TEST_CASE(huge_reals_are_refused) {
  for (std::string const& text :
       std::vector<std::string>{"1e400", "1.8e308", "1" + zeros, "1" + zeros + ".5",
                                "1" + zeros + "e-5", "1" + zeros + ".0e-5", "0." + zeros + "1e800",
                                "1e999999999999999999999999", "1e+9223372036854775807"}) {
    BOOST_TEST(!real(text), text);
    BOOST_TEST(!real("-" + text), text);
    BOOST_TEST(!real("+" + text), text);
  }
}

BOOST_AUTO_TEST_CASE(zero_with_any_exponent_is_zero) {
  BOOST_TEST(real("0e999999999999999999999").value() == 0.0);
  BOOST_TEST(real("0.0e-999").value() == 0.0);
}

BOOST_AUTO_TEST_CASE(what_is_no_real_is_refused) {
  for (std::string const text :
       {"",    " ",   "-",   "+",    ".",  "e5",  "1e",    "1e+", "--1", "+-1",
        "-+1", "++1", "+ 1", "0x10", "1x", "1,5", "1.2.3", "1d5", "abc", "1e400x"}) {
    BOOST_TEST(!real(text), text);
  }
}

BOOST_AUTO_TEST_CASE(lines_and_words_are_cut_where_they_end) {
  std::string const text = "a bc\r\n\n d";
  cursor rest = over(text);
  cursor first = take_line(rest);
  BOOST_TEST(first.rest() == "a bc\r");
  BOOST_TEST(take_line(rest).rest() == "");
  BOOST_TEST(!rest.done());
  BOOST_TEST(take_line(rest).rest() == " d");
  BOOST_TEST(rest.done());
  BOOST_TEST(take_word(first) == "a");
  BOOST_TEST(take_word(first) == "bc");
  BOOST_TEST(take_word(first) == "");
}

BOOST_AUTO_TEST_SUITE_END()
