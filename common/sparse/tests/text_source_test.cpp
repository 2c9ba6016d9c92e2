#include "text_source.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "gridloom/random.hpp"
#include "plausible.hpp"
#include "text_files.hpp"
#include "text_lines.hpp"

BOOST_AUTO_TEST_SUITE(text_source_test)

using namespace gridloom;
using namespace gridloom::sparse;
using namespace gridloom::test;

namespace {

struct piece {
  std::string text;
  std::uint64_t first_line;
};

std::vector<piece> pieces_of(std::filesystem::path const& path, std::size_t bytes) {
  text_source source{path};
  std::vector<piece> pieces;
  text_block block;
  while (source.next(block, bytes)) pieces.push_back({std::string{block.view()}, block.first_line});
  BOOST_TEST(!source.next(block, bytes));  // the end stays the end
  return pieces;
}

// Reads in blocks of several sizes; each time the text must come back in blocks of whole lines.
void check_whole_lines(std::filesystem::path const& path, std::string const& text) {
  for (std::size_t const bytes : {0, 1, 2, 3, 7, 64, 4096, 1 << 20}) {
    std::string joined;
    std::uint64_t line = 1;
    std::vector<piece> const pieces = pieces_of(path, bytes);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      BOOST_TEST(pieces[k].first_line == line);
      BOOST_TEST(!pieces[k].text.empty());
      BOOST_TEST((k + 1 == pieces.size() || pieces[k].text.back() == '\n'));
      for (char const c : pieces[k].text) line += c == '\n' ? 1 : 0;
      joined += pieces[k].text;
    }
    BOOST_TEST((joined == text), "blocks of " << bytes << " bytes");
  }
}

void check_plain_and_gzip(std::string const& text) {
  scratch_folder const folder;
  check_whole_lines(write_text(folder / "plain", text), text);
  check_whole_lines(write_text(folder / "packed", gzip(text)), text);
}

// The message from the number of the line on.
std::string refusal(std::filesystem::path const& path) {
  std::string const message = message_of<usage_error>([&] { (void)pieces_of(path, 4096); });
  BOOST_TEST(message.starts_with(path.string() + ":"));
  return message.substr(std::min(message.size(), path.string().size() + 1));
}

// Lines of random lengths, many empty, more than the reader's own buffers hold.
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

BOOST_AUTO_TEST_CASE(blocks_are_whole_lines_and_give_the_text_back) {
  check_plain_and_gzip("");
  check_plain_and_gzip("\n");
  check_plain_and_gzip("x");
  check_plain_and_gzip("one\ntwo\n");
  check_plain_and_gzip("one\ntwo");
  check_plain_and_gzip("\n\n\nrather long line behind empty ones\n\n");
  check_plain_and_gzip("CR LF\r\nstays\r\n");
  check_plain_and_gzip(std::string{"zero \0 byte\n", 12});
}

BOOST_AUTO_TEST_CASE(texts_larger_than_every_buffer_come_back) {
  scratch_folder const folder;
  std::string const text = random_lines(1, 3 << 20U) + "no end";
  for (std::string const& file : {text, gzip(text)}) {
    write_text(folder / "t", file);
    for (std::size_t const bytes : {1000, 1 << 16, 1 << 20}) {
      std::string joined;
      for (piece const& part : pieces_of(folder / "t", bytes)) joined += part.text;
      BOOST_TEST((joined == text));
    }
  }
}

BOOST_AUTO_TEST_CASE(blocks_are_about_as_large_as_asked) {
  scratch_folder const folder;
  write_text(folder / "t", random_lines(2, 1 << 20U));
  for (piece const& part : pieces_of(folder / "t", 1 << 16U)) {
    BOOST_TEST(part.text.size() <= 1U << 16U);
  }
  BOOST_TEST(pieces_of(folder / "t", 1 << 16U).size() < 20U);
}

BOOST_AUTO_TEST_CASE(a_block_that_was_used_before_is_replaced) {
  scratch_folder const folder;
  text_source source{write_text(folder / "t", "a\nb\n")};
  text_block block;
  block.text.assign(100, 'x');
  BOOST_TEST(source.next(block, 2));
  BOOST_TEST(block.view() == "a\n");
}

BOOST_AUTO_TEST_CASE(members_of_gzip_follow_each_other) {
  scratch_folder const folder;
  std::string const big = random_lines(3, 600000);
  std::string const all = "begun here, " + big + "end";
  write_text(folder / "t", gzip("begun ") + gzip("here, ") + gzip("") + gzip(big) + gzip("end"));
  for (std::size_t const bytes : {100, 1 << 20}) {
    std::string joined;
    for (piece const& part : pieces_of(folder / "t", bytes)) joined += part.text;
    BOOST_TEST((joined == all));
  }
  // Padding, as tapes leave it.
  write_text(folder / "t",
             gzip("a\n") + std::string(1000, '\0') + gzip("b\n") + std::string(3, '\0'));
  check_whole_lines(folder / "t", "a\nb\n");
}

BOOST_AUTO_TEST_CASE(gzip_that_ends_early_is_refused_wherever_it_ends) {
  scratch_folder const folder;
  std::string const packed = gzip("1 2\n3 4\n");
  std::string const early = ": expected a whole gzip stream, got one that ends early";
  for (std::size_t length = 2; length < packed.size(); ++length) {
    write_text(folder / "t", packed.substr(0, length));
    BOOST_TEST(refusal(folder / "t").ends_with(early));
    write_text(folder / "t", packed + packed.substr(0, length));
    BOOST_TEST(refusal(folder / "t").ends_with(early));
  }
}

BOOST_AUTO_TEST_CASE(damage_of_gzip_is_placed_on_the_line_reached) {
  scratch_folder const folder;
  std::string const begun = gzip("lost\n").substr(0, 12);  // its header and hardly more
  for (std::size_t const lines : {0, 3, 20000, 300000}) {
    std::string text;
    for (std::size_t k = 0; k < lines; ++k) text += "0 1\n";
    std::string const line = std::to_string(lines + 1) + ": expected a ";
    write_text(folder / "t", gzip(text) + begun);
    BOOST_TEST(refusal(folder / "t") == line + "whole gzip stream, got one that ends early");
    write_text(folder / "t", gzip(text + "begun") + "no gzip");
    BOOST_TEST(refusal(folder / "t").starts_with(line + "sound gzip stream, got a damaged one"));
  }
}

BOOST_AUTO_TEST_CASE(no_begun_line_of_a_gzip_that_ends_early_is_handed_out) {
  scratch_folder const folder;
  std::string const packed = gzip(random_lines(4, 100000));
  for (std::size_t length = 5000; length < packed.size(); length += 7001) {
    text_source source{write_text(folder / "t", packed.substr(0, length))};
    text_block block;
    BOOST_CHECK_THROW(while (source.next(block, 1000)) BOOST_TEST(block.text.back() == '\n');
                      , usage_error);
  }
}

BOOST_AUTO_TEST_CASE(damaged_gzip_is_refused) {
  scratch_folder const folder;
  std::string const packed = gzip("1 2\n3 4\n");
  for (std::size_t const from_end : {1, 5}) {  // of the length, of the CRC
    std::string damaged = packed;
    damaged[damaged.size() - from_end] ^= 1;
    write_text(folder / "t", damaged);
    BOOST_TEST(
        refusal(folder / "t").starts_with("3: expected a sound gzip stream, got a damaged one"));
  }
  std::string method = packed;
  method[2] = 9;
  write_text(folder / "t", method);
  BOOST_TEST(refusal(folder / "t").starts_with("1: expected a sound gzip stream"));
}

BOOST_AUTO_TEST_CASE(what_follows_gzip_and_is_no_gzip_is_not_dropped) {
  scratch_folder const folder;
  std::string second = gzip("b\n");
  second[0] ^= 1;
  for (std::string const& rest : {second, std::string{"b\n"}, std::string{"\0b", 2}}) {
    write_text(folder / "t", gzip("a\n") + rest);
    BOOST_TEST(!refusal(folder / "t").empty());
  }
}

BOOST_AUTO_TEST_CASE(one_byte_of_the_magic_number_is_text) {
  scratch_folder const folder;
  check_whole_lines(write_text(folder / "t", "\x1f"), "\x1f");
  check_whole_lines(write_text(folder / "t", "\x1f\n"), "\x1f\n");
}

BOOST_AUTO_TEST_CASE(lines_up_to_the_limit_are_taken_and_no_longer_ones) {
  scratch_folder const folder;
  for (bool const ended : {true, false}) {
    for (std::size_t const length : {9, 10, 11, 12, 40}) {
      write_text(folder / "t", "first\n" + std::string(length, 'x') + (ended ? "\nlast\n" : ""));
      for (std::size_t const bytes : {1, 4, 10, 11, 16, 1000}) {
        text_source source{folder / "t", 10};
        text_block block;
        auto const read = [&] {
          while (source.next(block, bytes)) continue;
        };
        if (length <= 10) {
          BOOST_CHECK_NO_THROW(read());
        } else {
          BOOST_TEST(message_of<usage_error>(read) ==
                     (folder / "t").string() + ":2: expected lines of at most 10 bytes");
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(endless_lines_in_small_gzip_are_refused_at_the_usual_limit) {
  scratch_folder const folder;
  std::string const line(longest_line_bytes, 'x');
  write_text(folder / "t", gzip(line));
  BOOST_TEST(pieces_of(folder / "t", 1 << 20U).size() == 1U);
  write_text(folder / "t", gzip(line + "x"));
  BOOST_CHECK_THROW((void)pieces_of(folder / "t", 1 << 20U), usage_error);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_named) {
  scratch_folder const folder;
  BOOST_TEST(message_of<usage_error>([&] {
               text_source{folder / "absent"};
             }).starts_with((folder / "absent").string() + ": cannot read"));
  BOOST_TEST(message_of<usage_error>([&] { text_source{folder.path()}; }) ==
             folder.path().string() + ": expected a regular file, got a folder");
}

BOOST_AUTO_TEST_CASE(lines_of_records_are_remembered_over_comments) {
  line_map lines;
  std::vector<std::uint64_t> const expected{1, 2, 5, 6, 7, 9, 11, 1000000000000, 1000000000001};
  for (std::uint64_t const line : expected) lines.append(line);
  BOOST_TEST(lines.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) BOOST_TEST(lines[k] == expected[k]);
}

BOOST_AUTO_TEST_CASE(every_line_comes_with_its_number) {
  scratch_folder const folder;
  std::string const text = random_lines(5, 3 << 20U) + "last";
  text_source source{write_text(folder / "t", text)};
  std::string joined;
  std::uint64_t expected = 0;
  std::uint64_t const last = for_each_line(source, [&](cursor line, std::uint64_t number) {
    BOOST_REQUIRE(number == ++expected);
    joined += joined.empty() && number == 1 ? "" : "\n";
    joined += line.rest();
  });
  BOOST_TEST(last == expected);
  BOOST_TEST((joined == text));
}

BOOST_AUTO_TEST_CASE(a_few_entries_do_not_ask_for_gigabytes_of_rows) {
  static_assert(most_plausible_rows(0) == 1U << 24U);
  static_assert(most_plausible_rows(1U << 18U) == 1U << 24U);
  static_assert(most_plausible_rows((1U << 18U) + 1) == (1U << 24U) + 64);
  static_assert(most_plausible_rows(~std::uint64_t{0}) == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_SUITE_END()
