#include <zlib.h>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gridloom/error.hpp"
#include "gridloom/files/atomic_file.hpp"
#include "gridloom/sparse/matrix_market.hpp"
#include "gridloom/sparse/measures.hpp"

namespace gridloom::sparse {
namespace {

inline constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

// Compresses text piece by piece.
class gzip_encoder {
 public:
  gzip_encoder() {
    // Adding 16 selects a gzip header instead of zlib's.
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

// to_chars writes the fewest digits that read as the same bits. It cannot write the sign and
// payload of a NaN.
void add_number(std::string& text, auto value) {
  if constexpr (std::floating_point<decltype(value)>) {
    if (std::isnan(value)) {
      text += "nan";
      return;
    }
  }
  std::array<char, 32> digits;
  auto const [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
}

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

bool is_stored(market_style const& style, std::uint32_t row, std::uint32_t column) {
  return style.symmetry == market_symmetry::general || column <= row;
}

template <matrix_value Value>
std::string header_of(csr_matrix<Value> const& matrix, market_style const& style) {
  std::uint64_t entries = 0;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    for (std::uint32_t const column : matrix.row(row)) entries += is_stored(style, row, column);
  }
  std::string const field = !has_values<Value> ? "pattern" : style.integer ? "integer" : "real";
  std::string text =
      "%%MatrixMarket matrix coordinate " + field + " " + name_of(style.symmetry) + "\n";
  std::istringstream comment{style.comment};
  for (std::string line; std::getline(comment, line);) text += "% " + line + "\n";
  return text + std::to_string(matrix.num_rows) + " " + std::to_string(matrix.num_cols) + " " +
         std::to_string(entries) + "\n";
}

template <matrix_value Value>
void add_row(std::string& text, csr_matrix<Value> const& matrix, market_style const& style,
             std::uint32_t row) {
  for (std::uint64_t entry = matrix.row_offsets[row]; entry < matrix.row_offsets[row + 1];
       ++entry) {
    std::uint32_t const column = matrix.columns[entry];
    if (!is_stored(style, row, column)) continue;
    add_number(text, row + 1);
    text += ' ';
    add_number(text, column + 1);
    if constexpr (has_values<Value>) {
      text += ' ';
      if (style.integer) {
        add_number(text, static_cast<std::int64_t>(matrix.values[entry]));
      } else {
        add_number(text, matrix.values[entry]);
      }
    }
    text += '\n';
  }
}

}  // namespace

template <matrix_value Value>
void write_matrix_market(std::filesystem::path const& path, csr_matrix<Value> const& matrix,
                         market_style const& style) {
  require_symmetry(matrix, style.symmetry);
  if (style.integer) require_integers(matrix);
  gzip_encoder gzip;
  std::string text = header_of(matrix, style);
  std::uint32_t row = 0;
  bool more = true;
  replace_file(path, [&](std::vector<std::byte>& piece) {
    if (!more) return false;
    while (row < matrix.num_rows && text.size() < piece_bytes) add_row(text, matrix, style, row++);
    more = row < matrix.num_rows;
    piece.clear();
    if (style.compress) {
      gzip.encode(text, !more, piece);
    } else {
      auto const bytes = std::as_bytes(std::span{text});
      piece.assign(bytes.begin(), bytes.end());
    }
    text.clear();
    return true;
  });
}

template void write_matrix_market(std::filesystem::path const&, csr_matrix<no_value> const&,
                                  market_style const&);
template void write_matrix_market(std::filesystem::path const&, csr_matrix<float> const&,
                                  market_style const&);
template void write_matrix_market(std::filesystem::path const&, csr_matrix<double> const&,
                                  market_style const&);

}  // namespace gridloom::sparse
