#include <zlib.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/sparse/matrix_market.hpp"
#include "gridloom/sparse/measures.hpp"

namespace gridloom::sparse {
namespace {

inline constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

// Text in, gzip out.
class gzip_encoder {
 public:
  gzip_encoder() {
    // 16 more than the largest window: a gzip header instead of zlib's.
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw run_error("gzip: out of memory");
    }
  }
  gzip_encoder(gzip_encoder const&) = delete;
  gzip_encoder& operator=(gzip_encoder const&) = delete;
  ~gzip_encoder() { deflateEnd(&stream_); }

  void encode(std::string& text, bool last, std::vector<std::byte>& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_in = static_cast<uInt>(text.size());
    std::array<std::byte, std::size_t{1} << 16U> space;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(space.data());
      stream_.avail_out = static_cast<uInt>(space.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      out.insert(out.end(), space.begin(), space.end() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
};

// Lines into a buffer that never grows: the caller empties it in time.
class line_writer {
 public:
  [[nodiscard]] std::string& text() { return text_; }

  void number(auto value) {
    std::array<char, 32> digits;
    auto const [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text_.append(digits.data(), end);
  }
  void real(auto value) {
    // to_chars gives the fewest digits that read back to the same bits; the sign and payload of a
    // NaN have no text.
    if (std::isnan(value)) {
      text_ += "nan";
    } else {
      number(value);
    }
  }
  void plain(std::string_view text) { text_ += text; }

 private:
  std::string text_;
};

char const* name_of(market_symmetry symmetry) {
  switch (symmetry) {
    case market_symmetry::symmetric: return "symmetric";
    case market_symmetry::skew: return "skew-symmetric";
    default: return "general";
  }
}

template <matrix_value Value>
void require_symmetry(csr_matrix<Value> const& matrix, market_symmetry wanted) {
  if (wanted == market_symmetry::general) return;
  symmetry const found = symmetry_of(matrix);
  bool const as_wanted =
      wanted == market_symmetry::skew
          ? found == symmetry::skew
          : found == symmetry::values || (found == symmetry::pattern && !has_values<Value>);
  if (!as_wanted) {
    throw std::invalid_argument(std::string{"write_matrix_market: the matrix is not "} +
                                name_of(wanted));
  }
  if (wanted == market_symmetry::skew && diagonal_of(matrix).stored > 0) {
    throw std::invalid_argument(
        "write_matrix_market: a skew-symmetric file has no room for stored diagonal entries");
  }
}

template <matrix_value Value>
void require_integers(csr_matrix<Value> const& matrix) {
  if constexpr (has_values<Value>) {
    for (Value const value : matrix.values) {
      if (!(std::abs(value) <= std::ldexp(Value{1}, std::numeric_limits<Value>::digits)) ||
          std::trunc(value) != value || (value == 0 && std::signbit(value))) {
        throw std::invalid_argument("write_matrix_market: a value is not a whole number");
      }
    }
  }
}

// Makes the text piece by piece.
template <matrix_value Value>
class market_writer {
 public:
  market_writer(csr_matrix<Value> const& matrix, market_style const& style)
      : matrix_{matrix}, style_{style} {
    write_header();
  }

  // Fills the next piece of text; false at the end.
  bool next(std::string& text) {
    if (row_ == matrix_.num_rows && lines_.text().empty()) return false;
    while (row_ < matrix_.num_rows && lines_.text().size() < piece_bytes) write_entry();
    text.clear();
    text.swap(lines_.text());
    return true;
  }

 private:
  [[nodiscard]] bool stored(std::uint32_t row, std::uint32_t column) const {
    return style_.symmetry == market_symmetry::general || column <= row;
  }

  void write_header() {
    std::uint64_t entries = 0;
    for (std::uint32_t row = 0; row < matrix_.num_rows; ++row) {
      for (std::uint32_t const column : matrix_.row(row)) entries += stored(row, column) ? 1 : 0;
    }
    char const* const field = !has_values<Value> ? "pattern" : style_.integer ? "integer" : "real";
    lines_.plain("%%MatrixMarket matrix coordinate ");
    lines_.plain(field);
    lines_.plain(" ");
    lines_.plain(name_of(style_.symmetry));
    lines_.plain("\n");
    for (std::size_t begin = 0; begin < style_.comment.size();) {
      std::size_t const end = std::min(style_.comment.find('\n', begin), style_.comment.size());
      lines_.plain("% ");
      lines_.plain(std::string_view{style_.comment}.substr(begin, end - begin));
      lines_.plain("\n");
      begin = end + 1;
    }
    lines_.number(matrix_.num_rows);
    lines_.plain(" ");
    lines_.number(matrix_.num_cols);
    lines_.plain(" ");
    lines_.number(entries);
    lines_.plain("\n");
  }

  // The next entry, or the step to the next row.
  void write_entry() {
    if (entry_ == matrix_.row_offsets[row_ + 1]) {
      ++row_;
      return;
    }
    std::uint64_t const entry = entry_++;
    std::uint32_t const column = matrix_.columns[entry];
    if (!stored(row_, column)) return;
    lines_.number(row_ + 1);
    lines_.plain(" ");
    lines_.number(column + 1);
    if constexpr (has_values<Value>) {
      lines_.plain(" ");
      if (style_.integer) {
        lines_.number(static_cast<std::int64_t>(matrix_.values[entry]));
      } else {
        lines_.real(matrix_.values[entry]);
      }
    }
    lines_.plain("\n");
  }

  csr_matrix<Value> const& matrix_;
  market_style const& style_;
  line_writer lines_;
  std::uint32_t row_ = 0;
  std::uint64_t entry_ = 0;
};

}  // namespace

template <matrix_value Value>
void write_matrix_market(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
                         market_style const& style) {
  require_symmetry(matrix, style.symmetry);
  if (style.integer) require_integers(matrix);
  market_writer<Value> writer{matrix, style};
  gzip_encoder gzip;
  bool more = true;
  replace_file(path, [&](std::vector<std::byte>& piece) {
    piece.clear();
    std::string text;
    if (!more) return false;
    more = writer.next(text);
    if (style.compress) {
      gzip.encode(text, !more, piece);
      return true;
    }
    auto const bytes = std::as_bytes(std::span{text});
    piece.assign(bytes.begin(), bytes.end());
    return more;
  });
}

template void write_matrix_market(std::filesystem::path const&, csr_matrix<no_value> const&,
                                  market_style const&);
template void write_matrix_market(std::filesystem::path const&, csr_matrix<float> const&,
                                  market_style const&);
template void write_matrix_market(std::filesystem::path const&, csr_matrix<double> const&,
                                  market_style const&);

}  // namespace gridloom::sparse
