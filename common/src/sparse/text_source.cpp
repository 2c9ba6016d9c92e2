#include "sparse/text_source.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "atomic_file.hpp"
#include "gridloom/error.hpp"

namespace gridloom::sparse {

// zlib's gz layer also passes plain text through, so one path serves both.
struct text_source::stream {
  explicit stream(std::filesystem::path const& path) : file{gzopen(path.c_str(), "rb")} {}
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
  ~stream() {
    if (file != nullptr) gzclose_r(file);
  }

  gzFile file;
};

text_source::text_source(std::filesystem::path const& path) : path_{path} {
  require_readable(path);
  stream_ = std::make_unique<stream>(path);
  if (stream_->file == nullptr) throw usage_error(path.string() + ": cannot read");
  gzbuffer(stream_->file, 1U << 18U);
}

text_source::~text_source() = default;

bool text_source::next(text_block& block, std::size_t bytes) {
  std::vector<char>& text = block.text;
  text.clear();
  text.swap(rest_);
  block.first_line = next_line_;
  for (;;) {
    std::size_t const held = text.size();
    std::size_t const wanted = std::max(bytes, held + bytes / 2);
    if (held > longest_line_bytes) {
      refuse_line(path_, next_line_,
                  "expected lines of at most " + std::to_string(longest_line_bytes) + " bytes");
    }
    text.resize(wanted);
    int const got = gzread(stream_->file, text.data() + held, static_cast<unsigned>(wanted - held));
    int error = Z_OK;
    char const* const reason = gzerror(stream_->file, &error);
    // A truncated stream gives its data first and complains afterwards.
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END)) {
      throw usage_error(path_.string() + ": damaged or truncated gzip (" +
                        (reason != nullptr ? reason : "unknown") + ")");
    }
    text.resize(held + static_cast<std::size_t>(got));
    if (got == 0) {
      block.line_ends = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
      next_line_ += block.line_ends;
      return !text.empty();
    }
    // Only what was read just now can hold the last line end.
    auto const last =
        std::find(text.rbegin(), text.rend() - static_cast<std::ptrdiff_t>(held), '\n');
    if (last == text.rend() - static_cast<std::ptrdiff_t>(held)) continue;
    rest_.assign(last.base(), text.end());
    text.erase(last.base(), text.end());
    block.line_ends = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    next_line_ += block.line_ends;
    return true;
  }
}

void refuse_line(std::filesystem::path const& path, std::uint64_t line,
                 std::string const& message) {
  throw usage_error(path.string() + ":" + std::to_string(line) + ": " + message);
}

}  // namespace gridloom::sparse
