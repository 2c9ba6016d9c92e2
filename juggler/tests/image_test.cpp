// Grey images: PGM files, and damaged ones.

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "apps/grid/image.hpp"
#include "gridloom/error.hpp"
#include "test_machines.hpp"

using namespace gridloom;
using namespace gridloom::juggler;
using namespace gridloom::test;

namespace {

using pixels = std::vector<std::uint8_t>;

std::string pgm_refusal(std::string const& bytes) {
  return error_text<usage_error>([&] { (void)parse_pgm(bytes, "a.pgm"); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(image_test)

BOOST_AUTO_TEST_CASE(plain_and_raw_files_hold_the_same_image) {
  for (std::string const& file :
       {std::string("P2\n3 2\n255\n1 2 3\n4 5 255\n"), std::string("P5\n3 2\n255\n\1\2\3\4\5\377"),
        std::string("P2# a comment\n#and # one more\n 3#width\n#\n2 #height\n255 1 2 3 4 5 255"),
        std::string("P5 3\t2\r255\n\1\2\3\4\5\377\n")}) {
    grey_image const image = parse_pgm(file, "a.pgm");
    BOOST_TEST(image.rows == 2);
    BOOST_TEST(image.cols == 3);
    BOOST_TEST(image.pixels == (pixels{1, 2, 3, 4, 5, 255}));
  }
}

BOOST_AUTO_TEST_CASE(a_pixel_may_look_like_white_space_or_a_comment) {
  BOOST_TEST(parse_pgm("P5 4 1 255\n #\n ", "a.pgm").pixels == (pixels{32, 35, 10, 32}));
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused_with_their_name) {
  std::pair<char const*, char const*> const all[] = {
      {"", "P2 or P5"},
      {"P6 1 1 255 abc", "P2 or P5"},
      {"\x89PNG\r\n", "it is a PNG"},
      {"P5", "the width"},
      {"P25 1 255 1", "white space after"},
      {"P5 3", "the height"},
      {"P5 3 2", "the maximum"},
      {"P5 -3 2 255 ", "the width"},
      {"P2 1 1 255 # no end", "a pixel"},
      {"P5 0 2 255 ", "without pixels"},
      {"P5 2 0 255 ", "without pixels"},
      {"P5 99999999999999999999 2 255 ", "the width is more than"},
      {"P5 1000000 1000000 255 ", "ends before its 1000000000000 pixels"},
      {"P5 1 1 0 a", "maximum of 1 to 255"},
      {"P5 1 1 65535 ab", "16 bits"},
      {"P5 1 1 256 ab", "16 bits"},
      {"P5 1 1 65536 ab", "the maximum is more than 65535"},
      {"P5 3 2 255 abcde", "ends before its 6 pixels"},
      {"P5 3 2 255", "white space before pixels"},
      {"P5 3 2 90 abcdez", "a pixel of 122, above the maximum 90"},
      {"P5 1 1 255 ab", "more bytes than 1 pixels"},
      {"P2 3 2 255 1 2 3 4 5", "a pixel"},
      {"P2 3 2 255 1 2 x 4 5 6", "a pixel at byte 15"},
      {"P2 3 2 9 1 2 3 4 5 10", "a pixel is more than 9"},
      {"P2 1 1 255 1 2", "more bytes than 1 pixels"},
  };
  for (auto const& [bytes, words] : all) {
    std::string const text = pgm_refusal(bytes);
    BOOST_TEST(text.starts_with("a.pgm: "), bytes << ": " << text);
    BOOST_TEST(contains(text, words), bytes << ": " << text);
  }
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused_and_do_not_crash) {
  // The file is cut off after each byte, or one byte is replaced.
  std::string const whole("P5\n#c\n3 2\n255\n\1\2\3\4\5\6");
  for (std::size_t end = 0; end < whole.size(); ++end)
    BOOST_TEST(!pgm_refusal(whole.substr(0, end)).empty(), end);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int const byte : {0, 10, 32, 35, 48, 57, 127, 255}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(byte);
      if (!pgm_refusal(damaged).empty()) continue;
      grey_image const image = parse_pgm(damaged, "a.pgm");
      BOOST_TEST(image.rows * image.cols == static_cast<std::int64_t>(image.pixels.size()));
    }
  }
}

BOOST_AUTO_TEST_CASE(missing_files_are_refused) {
  BOOST_CHECK_THROW((void)read_pgm("none.pgm"), usage_error);
  BOOST_CHECK_THROW((void)read_pgm("."), usage_error);
}

BOOST_AUTO_TEST_CASE(generated_images_depend_on_the_seed_and_have_all_values) {
  grey_image const image = make_image(60, 70, 3, 5);
  BOOST_TEST(image.pixels.size() == 60U * 70);
  int counts[256] = {};
  for (std::uint8_t const pixel : image.pixels) ++counts[pixel];
  for (int value = 0; value < 4; ++value) BOOST_TEST(counts[value] > 900);
  BOOST_TEST(counts[0] + counts[1] + counts[2] + counts[3] == 60 * 70);
  BOOST_TEST(make_image(60, 70, 3, 5).pixels == image.pixels);
  BOOST_TEST(make_image(60, 70, 3, 6).pixels != image.pixels);
  for (std::uint8_t const pixel : make_image(9, 9, 0, 5).pixels) BOOST_TEST(pixel == 0);
}

BOOST_AUTO_TEST_SUITE_END()
