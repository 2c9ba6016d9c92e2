#include "apps/grid/image.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"

namespace gridloom::juggler {

namespace {

/// Reads a PGM file from beginning to end.
class pgm_reader {
 public:
  pgm_reader(std::string_view bytes, std::string const& name) : bytes_(bytes), name_(name) {}

  grey_image read() {
    bool const plain = bytes_.starts_with("P2");
    if (!plain && !bytes_.starts_with("P5"))
      fail("expected a PGM file, which begins with P2 or P5" +
           std::string(bytes_.starts_with("\x89PNG") ? "; it is a PNG" : ""));
    at_ = 2;
    if (at_ < bytes_.size() && !is_space(bytes_[at_]) && bytes_[at_] != '#')
      fail("expected white space after P2 or P5");
    grey_image image;
    image.cols = number("the width", most_side);
    image.rows = number("the height", most_side);
    if (image.cols == 0 || image.rows == 0) fail("an image without pixels");
    auto const maximum = static_cast<int>(number("the maximum", 65535));
    if (maximum == 0) fail("expected a maximum of 1 to 255, got 0");
    if (maximum > 255)
      fail("pixels of 16 bits (maximum " + std::to_string(maximum) + "), expected 8");
    // Compares the size with the file's before allocating memory.
    auto const pixels = static_cast<std::size_t>(image.rows * image.cols);
    if (pixels > bytes_.size()) fail_short(pixels);
    if (plain) {
      image.pixels.reserve(pixels);
      while (image.pixels.size() < pixels)
        image.pixels.push_back(static_cast<std::uint8_t>(number("a pixel", maximum)));
    } else {
      read_raw(image, pixels, maximum);
    }
    if (!std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), bytes_.end(), is_space))
      fail("more bytes than " + std::to_string(pixels) + " pixels");
    return image;
  }

 private:
  static constexpr std::int64_t most_side = 1 << 20;

  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  [[noreturn]] void fail(std::string const& what) const { throw usage_error(name_ + ": " + what); }
  [[noreturn]] void fail_short(std::size_t pixels) const {
    fail("ends before its " + std::to_string(pixels) + " pixels");
  }

  void read_raw(grey_image& image, std::size_t pixels, int maximum) {
    // Skips exactly one character: the next one is a pixel, whatever its value.
    if (at_ == bytes_.size() || !is_space(bytes_[at_])) fail("expected white space before pixels");
    ++at_;
    if (bytes_.size() - at_ < pixels) fail_short(pixels);
    auto const first = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    image.pixels.assign(first, first + static_cast<std::ptrdiff_t>(pixels));
    at_ += pixels;
    int const found = *std::max_element(image.pixels.begin(), image.pixels.end());
    if (found > maximum)
      fail("a pixel of " + std::to_string(found) + ", above the maximum " +
           std::to_string(maximum));
  }
  /// Returns the next number, skipping white space and comments before it.
  std::int64_t number(char const* what, std::int64_t most) {
    while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1);
      ++at_;
    }
    std::size_t const begin = at_;
    std::int64_t value = 0;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_) {
      value = 10 * value + (bytes_[at_] - '0');
      if (value > most) fail(std::string(what) + " is more than " + std::to_string(most));
    }
    if (at_ == begin) fail(std::string("expected ") + what + " at byte " + std::to_string(at_));
    return value;
  }

  std::string_view bytes_;
  std::string const& name_;
  std::size_t at_ = 0;
};

}  // namespace

grey_image make_image(std::int64_t rows, std::int64_t cols, int brightest, std::uint64_t seed) {
  random_source random(seed);
  random_pixels const as{seed, cols, brightest};
  grey_image image{rows, cols, std::vector<std::uint8_t>(static_cast<std::size_t>(rows * cols))};
  for (std::size_t first = 0; first < image.pixels.size(); first += as.of_word) {
    std::uint64_t const word = random.next();
    for (unsigned k = 0; k < as.of_word && first + k < image.pixels.size(); ++k)
      image.pixels[first + k] = as.of(word, k);
  }
  return image;
}

grey_image parse_pgm(std::string_view bytes, std::string const& name) {
  return pgm_reader(bytes, name).read();
}

grey_image read_pgm(std::filesystem::path const& file) {
  std::vector<std::byte> const bytes = read_file(file);
  return parse_pgm({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, file.string());
}

}  // namespace gridloom::juggler
