// Tests of the readers of numbers, plain and compressed lines, and sequences.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "gridloom/error.hpp"
#include "gridloom/files/sequences.hpp"
#include "gridloom/files/text_lines.hpp"
#include "gridloom/number.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/random.hpp"
#include "gzip.hpp"
#include "test_support.hpp"

using namespace gridloom;
using namespace gridloom::test;

namespace {

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 47;
  if (read_number(text, value)) return value;
  BOOST_TEST(value == 47);
  return std::nullopt;
}

std::string joined_lines(std::filesystem::path const& path) {
  text_lines lines{path};
  std::string joined;
  std::uint64_t expected = 0;
  for (std::string_view line; lines.next(line);) {
    BOOST_REQUIRE(lines.number() == ++expected);
    joined += std::string{line} + "\n";
  }
  std::string_view line;
  // There are no lines after the last.
  BOOST_TEST(!lines.next(line));
  return joined;
}

// The message of the refusal without the file name; it begins with the line number.
std::string refusal(std::filesystem::path const& path) {
  return refusal_of(path, joined_lines).substr(1);
}

// Lines of random lengths, many of them empty, with more text than the reader holds at once.
std::string random_lines(std::uint64_t seed, std::size_t bytes) {
  random_source random{seed};
  std::string text;
  while (text.size() < bytes) {
    std::uint64_t const length = random.below(3) == 0 ? 0 : random.below(200);
    for (std::uint64_t k = 0; k < length; ++k) text += static_cast<char>('a' + random.below(26));
    text += '\n';
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_test)

BOOST_AUTO_TEST_CASE(numbers_are_read_to_the_last_bit_or_refused) {
  std::string const zeros(400, '0');
  BOOST_TEST(number<double>("-1.5").value() == -1.5);
  BOOST_TEST(number<double>("+.5").value() == 0.5);
  BOOST_TEST(number<double>("1.7976931348623157e308").value() ==
             std::numeric_limits<double>::max());
  BOOST_TEST(number<double>("4.9e-324").value() == std::numeric_limits<double>::denorm_min());
  BOOST_TEST(number<double>("1" + zeros + "e-400").value() == 1.0);
  // This is just above the middle of two floats. A conversion through double would round it down.
  BOOST_TEST(number<float>("1.00000017881393432617187500001").value() == 1.00000023841857910156F);
  BOOST_TEST(number<float>("-9.6322e-41").value() == -9.6322e-41F);
  BOOST_TEST(std::isnan(number<double>("NaN").value()));
  BOOST_TEST(std::isinf(number<double>("+inf").value()));
  for (std::string const& tiny : {std::string{"1e-400"}, "0." + zeros + "1e5",
                                  std::string{"123.5e-999999999999999999999999"}}) {
    BOOST_TEST(number<double>(tiny).value() == 0.0);
    BOOST_TEST(std::signbit(number<double>("-" + tiny).value()));
  }
  BOOST_TEST(!number<float>("1e39"));
  BOOST_TEST(number<std::int64_t>("+16777217").value() == 16777217);
  BOOST_TEST(number<std::uint64_t>(zeros + "18446744073709551615").value() == ~std::uint64_t{0});
  for (std::string const& text :
       {std::string{}, std::string{"-"}, std::string{"+"}, std::string{"+-5"}, std::string{"++5"},
        std::string{"1e"}, std::string{"0x10"}, std::string{"1x"}, std::string{" 1"},
        std::string{"1,5"}, std::string{"1d5"}, std::string{"1e400"}, std::string{"1.8e308"},
        std::string{"-1e999999999999999999"}, std::string{"1\0", 2}}) {
    BOOST_TEST(!number<double>(text), text);
    BOOST_TEST(!number<int>(text), text);
  }
  BOOST_TEST(!number<int>("1.5"));
  BOOST_TEST(!number<std::uint64_t>("-1"));
  BOOST_TEST(!number<std::uint64_t>("18446744073709551616"));
  // Options are read by the same function.
  BOOST_TEST(parse_real("--x", "1e-400", 0) == 0.0);
  BOOST_TEST(message_of<usage_error>([] { (void)parse_real("--x", "+-5", -9); }) ==
             "--x: expected a number >= -9, got \"+-5\"");
}

BOOST_AUTO_TEST_CASE(lines_come_back_plain_and_packed) {
  scratch_folder const folder;
  for (auto const& [text, lines] : std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {"\n", "\n"},
           {"x", "x\n"},
           {"one\ntwo", "one\ntwo\n"},
           {"\n\n\na line behind empty ones\n\n", "\n\n\na line behind empty ones\n\n"},
           {"CR LF\r\ngoes\r\n\r\r\n", "CR LF\ngoes\n\r\n"},
           {std::string{"zero \0 byte\n", 12}, std::string{"zero \0 byte\n", 12}},
           {"\x1f\n", "\x1f\n"}}) {
    BOOST_TEST((joined_lines(write_text(folder / "t", text)) == lines), text);
    BOOST_TEST((joined_lines(write_text(folder / "t", gzip(text))) == lines), text);
  }
  std::string const text = random_lines(1, 3 << 20U);
  BOOST_TEST((joined_lines(write_text(folder / "t", text + "no end")) == text + "no end\n"));
  std::string const members = gzip("begun ") + gzip("here, ") + gzip("") + gzip(text);
  BOOST_TEST((joined_lines(write_text(folder / "t", members)) == "begun here, " + text));
  // Tapes pad files with zeros.
  write_text(folder / "t", gzip("a\n") + std::string(1000, '\0') + gzip("b\n") + '\0');
  BOOST_TEST(joined_lines(folder / "t") == "a\nb\n");
}

BOOST_AUTO_TEST_CASE(words_are_cut_at_blanks) {
  std::string_view line = " \ta bc\r";
  BOOST_TEST(take_word(line) == "a");
  BOOST_TEST(take_word(line) == "bc");
  BOOST_TEST(take_word(line) == "");
}

BOOST_AUTO_TEST_CASE(gzip_that_ends_early_is_refused_wherever_it_ends) {
  scratch_folder const folder;
  std::string const packed = gzip("1 2\n3 4\n");
  std::string const early = ": expected a complete gzip stream, got one that ends early";
  for (std::size_t length = 2; length < packed.size(); ++length) {
    BOOST_TEST(refusal(write_text(folder / "t", packed.substr(0, length))).ends_with(early));
    write_text(folder / "t", packed + packed.substr(0, length));
    BOOST_TEST(refusal(folder / "t").ends_with(early));
  }
}

BOOST_AUTO_TEST_CASE(damage_of_gzip_is_placed_on_the_line_reached) {
  scratch_folder const folder;
  // 12 bytes are a little more than the header.
  std::string const begun = gzip("lost\n").substr(0, 12);
  for (std::size_t const lines : {0, 3, 20000, 300000}) {
    std::string text;
    for (std::size_t k = 0; k < lines; ++k) text += "0 1\n";
    std::string const line = std::to_string(lines + 1) + ": expected a ";
    write_text(folder / "t", gzip(text) + begun);
    BOOST_TEST(refusal(folder / "t") == line + "complete gzip stream, got one that ends early");
    write_text(folder / "t", gzip(text + "begun") + "no gzip");
    BOOST_TEST(refusal(folder / "t").starts_with(line + "valid gzip stream, got a damaged one"));
  }
  std::string const packed = gzip("1 2\n3 4\n");
  // Damages a byte of the length, and one of the checksum.
  for (std::size_t const from_end : {1, 5}) {
    std::string damaged = packed;
    damaged[damaged.size() - from_end] ^= 1;
    BOOST_TEST(refusal(write_text(folder / "t", damaged)).starts_with("3: expected a valid gzip"));
  }
  std::string second = gzip("b\n");
  second[0] ^= 1;
  for (std::string const& rest : {second, std::string{"b\n"}, std::string{"\0b", 2}}) {
    BOOST_TEST(!refusal(write_text(folder / "t", gzip("a\n") + rest)).empty());
  }
}

BOOST_AUTO_TEST_CASE(lines_up_to_the_limit_are_taken_and_no_longer_ones) {
  scratch_folder const folder;
  for (bool const ended : {true, false}) {
    for (std::size_t const length : {9, 10, 11, 40}) {
      write_text(folder / "t", "first\n" + std::string(length, 'x') + (ended ? "\nlast\n" : ""));
      text_lines lines{folder / "t", 10};
      auto const read = [&] {
        for (std::string_view line; lines.next(line);) continue;
      };
      if (length <= 10) {
        BOOST_CHECK_NO_THROW(read());
      } else {
        BOOST_TEST(message_of<usage_error>(read) ==
                   (folder / "t").string() + ":2: expected lines of at most 10 bytes");
      }
    }
  }
  std::string const line(longest_line_bytes, 'x');
  BOOST_TEST(joined_lines(write_text(folder / "t", gzip(line))).size() == line.size() + 1);
  BOOST_TEST(!refusal(write_text(folder / "t", gzip(line + "x"))).empty());
}

BOOST_AUTO_TEST_CASE(blanks_and_line_ends_are_not_letters_of_a_sequence) {
  scratch_folder const folder;
  fasta_alphabet const by{"ACGT", [](char letter) {
                            auto const at = std::string_view{"ACGT"}.find(letter);
                            return at == std::string_view::npos ? -1 : static_cast<int>(at);
                          }};
  auto const file = folder / "a.fasta";
  auto const read = [&](std::string const& text) {
    std::string letters;
    for (sequence const& each : read_fasta(write_text(file, text), by)) {
      for (auto const letter : each) letters += by.letters[letter];
      letters += '|';
    }
    return letters;
  };
  for (std::string const text : {">a\nACGT\n>b\nTT\n", ">a one\r\nAC  \r\n\r\nGT\t\r\n>b\r\nTT",
                                 "\n \t\n>a\nAC\n\n GT \n>b\nT T\n   \n\t\n"}) {
    BOOST_TEST(read(text) == "ACGT|TT|");
    BOOST_TEST(read_fasta(file, by, 2) == (sequence{3, 3}));
  }
  auto const refused = [&](std::string const& text) {
    return message_of<usage_error>([&] { read(text); }).substr(file.string().size());
  };
  BOOST_TEST(refused("") == ": expected at least 1 sequences, got 0");
  BOOST_TEST(refused("ACGT\n") == ":1: expected a header that begins with >, got \"ACGT\"");
  BOOST_TEST(refused(">a\n>b\nACGT\n") == ":1: expected letters behind this header, got none");
  BOOST_TEST(refused(">a\nACGT\n>b\n \n") == ":3: expected letters behind this header, got none");
  // A carriage return alone does not end a line, so the whole text is a header.
  BOOST_TEST(refused(">a\rACGT\r>b\rACGT") == ":1: expected letters behind this header, got none");
  BOOST_TEST(refused(">a\nA\nX\n") == ":3: expected letters of ACGT, got \"X\"");
  // Only the wanted sequence is checked.
  BOOST_TEST(read_fasta(write_text(file, ">a\nX\n>b\nC\n>c\n"), by, 2) == (sequence{1}));
  BOOST_TEST(message_of<usage_error>([&] { (void)read_fasta(file, by, 4); }) ==
             file.string() + ": expected at least 4 sequences, got 3");
}

BOOST_AUTO_TEST_SUITE_END()
