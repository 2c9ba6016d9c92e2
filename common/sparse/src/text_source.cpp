#include "text_source.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "gridloom/files/input_file.hpp"

namespace gridloom::sparse {
namespace {

constexpr std::size_t least_buffer_bytes = std::size_t{1} << 13U;
constexpr std::size_t input_bytes = std::size_t{1} << 18U;
constexpr int gzip_window_bits = 15 + 16;  // 16: with gzip's header and check sum

// Becomes a usage_error once it is known which line it concerns.
struct bad_gzip : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::uint64_t count_line_ends(std::vector<char> const& text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

// Inflates by hand: zlib's own file layer takes what follows a member and does not start like one
// for padding and drops it, so a damaged second member would silently shorten the text.
struct text_source::stream {
  explicit stream(std::filesystem::path const& path) : file{path} {
    // A small file is a frequent case in tests, and needs no large buffer.
    input.resize(
        std::clamp(static_cast<std::size_t>(file.size()), least_buffer_bytes, input_bytes));
    refill();
    is_gzip = inflater.avail_in >= 2 && input[0] == 0x1f && input[1] == 0x8b;
    if (is_gzip && inflateInit2(&inflater, gzip_window_bits) != Z_OK) throw std::bad_alloc{};
  }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  ~stream() {
    if (is_gzip) inflateEnd(&inflater);
  }

  // Fills the room with text; less than that only at the end.
  std::size_t read(char* room, std::size_t bytes) {
    return is_gzip ? read_gzip(room, bytes) : read_plain(room, bytes);
  }

  // The bytes not yet used are the inflater's input, also of a plain file.
  bool refill() {
    inflater.next_in = input.data();
    inflater.avail_in = static_cast<uInt>(file.read(input.data(), input.size()));
    return inflater.avail_in > 0;
  }

  std::size_t read_plain(char* room, std::size_t bytes) {
    std::size_t const held = std::min<std::size_t>(bytes, inflater.avail_in);
    std::memcpy(room, inflater.next_in, held);
    inflater.next_in += held;
    inflater.avail_in -= static_cast<uInt>(held);
    return held + file.read(room + held, bytes - held);
  }

  std::size_t read_gzip(char* room, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
      if (inflater.avail_in == 0 && !refill()) {
        if (!in_member) break;
        throw bad_gzip("expected a whole gzip stream, got one that ends early");
      }
      if (!in_member && *inflater.next_in == 0) {  // tapes and block devices pad with zeros
        ++inflater.next_in;
        --inflater.avail_in;
        continue;
      }
      done += inflate_some(room + done, std::min(bytes - done, input_bytes));
    }
    return done;
  }

  std::size_t inflate_some(char* room, std::size_t bytes) {
    if (!std::exchange(in_member, true)) inflateReset(&inflater);
    inflater.next_out = reinterpret_cast<Bytef*>(room);
    inflater.avail_out = static_cast<uInt>(bytes);
    int const status = inflate(&inflater, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc{};
    if (status == Z_STREAM_END) {
      in_member = false;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {  // the latter: more input is needed
      throw bad_gzip(std::string{"expected a sound gzip stream, got a damaged one ("} +
                     (inflater.msg != nullptr ? inflater.msg : "no reason given") + ")");
    }
    return bytes - inflater.avail_out;
  }

  input_file file;
  std::vector<Bytef> input;
  z_stream inflater{};
  bool is_gzip = false;
  bool in_member = false;
};

text_source::text_source(std::filesystem::path const& path, std::size_t longest_line)
    : path_{path}, longest_line_{longest_line}, stream_{std::make_unique<stream>(path)} {}

text_source::~text_source() = default;

bool text_source::next(text_block& block, std::size_t bytes) {
  // No step is longer than a line may be, so only the first line of a block can be too long.
  std::size_t const step = std::clamp<std::size_t>(bytes, 1, longest_line_);
  std::vector<char>& text = block.text;
  text.clear();
  text.swap(rest_);
  block.first_line = next_line_;
  try {
    fill(text, step);
  } catch (bad_gzip const& error) {
    // What came before the damage is in the text; the room behind it is zeros.
    refuse_line(path_, next_line_ + count_line_ends(text), error.what());
  }
  block.line_ends = count_line_ends(text);
  next_line_ += block.line_ends;
  return !text.empty();
}

void text_source::fill(std::vector<char>& text, std::size_t step) {
  for (;;) {
    std::size_t const held = text.size();
    std::size_t const got = append(text, std::max(step, held + (step + 1) / 2) - held);
    // Only what was read just now can hold a line end.
    auto const fresh = text.begin() + static_cast<std::ptrdiff_t>(held);
    auto const first = std::find(fresh, text.end(), '\n');
    if (static_cast<std::size_t>(first - text.begin()) > longest_line_) {
      refuse_line(path_, next_line_,
                  "expected lines of at most " + std::to_string(longest_line_) + " bytes");
    }
    if (got > 0 && first == text.end()) continue;
    if (got > 0) {
      auto const last = std::find(text.rbegin(), std::make_reverse_iterator(first), '\n').base();
      rest_.assign(last, text.end());
      text.erase(last, text.end());
    }
    return;
  }
}

std::size_t text_source::append(std::vector<char>& text, std::size_t bytes) {
  std::size_t const held = text.size();
  while (text.size() - held < bytes) {
    // Doubling: a small text takes little memory, whatever block was asked for.
    std::size_t const before = text.size();
    std::size_t const room =
        std::min(bytes - (before - held), std::max(before, least_buffer_bytes));
    text.resize(before + room);
    std::size_t const got = stream_->read(text.data() + before, room);
    text.resize(before + got);
    if (got < room) break;
  }
  return text.size() - held;
}

void refuse_line(std::filesystem::path const& path, std::uint64_t line,
                 std::string const& message) {
  throw usage_error(path.string() + ":" + std::to_string(line) + ": " + message);
}

}  // namespace gridloom::sparse
