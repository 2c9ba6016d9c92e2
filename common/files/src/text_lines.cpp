#include "gridloom/files/text_lines.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"

namespace gridloom {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18U;
// Adding 16 selects gzip's header and checksum.
constexpr int gzip_window_bits = 15 + 16;

struct bad_gzip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

// Uses inflate() directly, because zlib's file functions silently drop a second gzip member whose
// first bytes are damaged.
struct text_lines::stream {
  explicit stream(std::filesystem::path const& path) : file{path}, input(block_bytes) {
    is_gzip = refill() && inflater.avail_in >= 2 && input[0] == 0x1f && input[1] == 0x8b;
    if (is_gzip && inflateInit2(&inflater, gzip_window_bits) != Z_OK) throw std::bad_alloc{};
  }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  ~stream() {
    if (is_gzip) inflateEnd(&inflater);
  }

  bool refill() {
    inflater.next_in = input.data();
    inflater.avail_in = static_cast<uInt>(file.read(input.data(), input.size()));
    return inflater.avail_in > 0;
  }

  // Appends up to one block to the text. Returns false at the end.
  bool append(std::string& text) {
    if (!is_gzip) {
      if (inflater.avail_in == 0 && !refill()) return false;
      text.append(reinterpret_cast<char const*>(inflater.next_in), inflater.avail_in);
      inflater.avail_in = 0;
      return true;
    }
    std::size_t const held = text.size();
    while (text.size() == held) {
      if (inflater.avail_in == 0 && !refill()) {
        if (in_member) throw bad_gzip("expected a complete gzip stream, got one that ends early");
        return false;
      }
      // Tapes and block devices pad files with zeros, which are skipped.
      if (!in_member && *inflater.next_in == 0) {
        ++inflater.next_in;
        --inflater.avail_in;
      } else {
        inflate_some(text);
      }
    }
    return true;
  }

  void inflate_some(std::string& text) {
    if (!std::exchange(in_member, true)) inflateReset(&inflater);
    std::size_t const held = text.size();
    text.resize(held + block_bytes);
    inflater.next_out = reinterpret_cast<Bytef*>(text.data() + held);
    inflater.avail_out = static_cast<uInt>(block_bytes);
    int const status = inflate(&inflater, Z_NO_FLUSH);
    text.resize(text.size() - inflater.avail_out);
    if (status == Z_MEM_ERROR) throw std::bad_alloc{};
    if (status == Z_STREAM_END) {
      in_member = false;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw bad_gzip(std::string{"expected a valid gzip stream, got a damaged one ("} +
                     (inflater.msg != nullptr ? inflater.msg : "no reason given") + ")");
    }
  }

  input_file file;
  std::vector<Bytef> input;
  // Also describes the unused bytes of a plain file.
  z_stream inflater{};
  bool is_gzip = false;
  bool in_member = false;
};

text_lines::text_lines(std::filesystem::path const& path, std::size_t longest_line)
    : path_{path}, longest_line_{longest_line}, stream_{std::make_unique<stream>(path)} {}

text_lines::~text_lines() = default;

std::uint64_t text_lines::file_bytes() const { return stream_->file.size(); }

bool text_lines::next(std::string_view& line) {
  std::size_t length = 0;
  for (;;) {
    std::size_t const end = std::min(text_.find('\n', at_ + length), text_.size());
    length = end - at_;
    if (length > longest_line_) {
      ++number_;
      refuse_line("expected lines of at most " + std::to_string(longest_line_) + " bytes");
    }
    if (end < text_.size()) break;
    if (read_more()) continue;
    if (length == 0) return false;
    break;
  }
  ++number_;
  line = std::string_view{text_}.substr(at_, length);
  at_ = std::min(at_ + length + 1, text_.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

// Moves the current line to the front and appends more text.
bool text_lines::read_more() {
  text_.erase(0, std::exchange(at_, 0));
  try {
    return stream_->append(text_);
  } catch (bad_gzip const& damage) {
    number_ += 1 + static_cast<std::uint64_t>(std::count(text_.begin(), text_.end(), '\n'));
    refuse_line(damage.what());
  }
}

void text_lines::refuse_line(std::string const& message) const {
  throw usage_error(path_.string() + ":" + std::to_string(std::max<std::uint64_t>(number_, 1)) +
                    ": " + message);
}

void text_lines::refuse(std::string const& expected, std::string_view got) const {
  refuse_line("expected " + expected + ", got " + in_quotes(got));
}

void text_lines::refuse_file(std::string const& message) const {
  throw usage_error(path_.string() + ": " + message);
}

}  // namespace gridloom
