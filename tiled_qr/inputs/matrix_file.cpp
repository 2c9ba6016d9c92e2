#include "inputs/matrix_file.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <new>
#include <sstream>
#include <string>

#include "gridloom/error.hpp"
#include "gridloom/files/input_file.hpp"
#include "gridloom/parse.hpp"
#include "gridloom/sparse/dense_file.hpp"
#include "gridloom/sparse/matrix_source.hpp"
#include "inputs/families.hpp"

namespace gridloom::tiled_qr {

namespace {

[[noreturn]] void refuse(std::filesystem::path const& path, std::string const& message) {
  throw usage_error(path.string() + ": " + message);
}

void require_size(std::filesystem::path const& path, std::uint64_t rows, std::uint64_t cols,
                  room_check const& require_room) {
  if (rows == 0 || cols == 0)
    refuse(path, "expected a matrix with elements, got " + std::to_string(rows) + " x " +
                     std::to_string(cols));
  if (rows > (std::uint64_t{1} << 40U) / cols)
    refuse(path, "expected at most 2^40 elements, got " + std::to_string(rows) + " x " +
                     std::to_string(cols));
  if (require_room) require_room(static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols));
}

dense_matrix make_dense(std::filesystem::path const& path, std::uint64_t rows, std::uint64_t cols,
                        room_check const& require_room) {
  require_size(path, rows, cols, require_room);
  dense_matrix made{static_cast<std::int64_t>(rows), static_cast<std::int64_t>(cols), {}};
  made.values.assign(rows * cols, 0.0);
  return made;
}

/// The lines of a text that are no comments, with their numbers.
class lines_of {
 public:
  explicit lines_of(std::filesystem::path const& path) : path_(path) {
    require_readable(path);
    file_.open(path);
    if (!file_) refuse(path, "cannot be read");
  }
  bool next(std::string& line) {
    while (std::getline(file_, line)) {
      ++number_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (number_ == 1 || (!line.empty() && line.front() != '%')) return true;
    }
    return false;
  }
  [[noreturn]] void refuse_line(std::string const& expected, std::string const& got) const {
    throw usage_error(path_.string() + ":" + std::to_string(number_) + ": expected " + expected +
                      ", got " + in_quotes(got));
  }

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t number_ = 0;
};

/// The first line of a Matrix Market file. What follows its first word is of either case.
struct market_banner {
  explicit market_banner(std::string const& line) {
    std::istringstream words(line);
    words >> name;
    for (std::string* word : {&object, &format, &field, &symmetry, &surplus}) {
      words >> *word;
      for (char& c : *word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  std::string name, object, format, field, symmetry, surplus;
};

bool is_array(std::filesystem::path const& path) {
  std::string line;
  if (!lines_of(path).next(line)) return false;
  market_banner const banner(line);
  return banner.name == "%%MatrixMarket" && banner.format == "array";
}

double next_number(std::filesystem::path const& path, lines_of& lines) {
  std::string line;
  if (!lines.next(line)) refuse(path, "expected more elements, got the end of the file");
  char const* begin = line.data() + std::min(line.find_first_not_of(" \t+"), line.size());
  char const* const end = line.data() + line.find_last_not_of(" \t") + 1;
  double value = 0;
  auto const [last, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || last != end || !std::isfinite(value))
    lines.refuse_line("a finite number", line);
  return value;
}

dense_matrix read_array(std::filesystem::path const& path, room_check const& require_room) {
  lines_of lines(path);
  std::string line;
  static_cast<void>(lines.next(line));
  market_banner const banner(line);
  bool const is_symmetric = banner.symmetry == "symmetric";
  // Some programs write double for real.
  bool const is_number =
      banner.field == "real" || banner.field == "double" || banner.field == "integer";
  if (banner.object != "matrix" || !is_number || (banner.symmetry != "general" && !is_symmetric) ||
      !banner.surplus.empty())
    lines.refuse_line("\"matrix array\", real or integer, general or symmetric", line);
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  if (!lines.next(line)) refuse(path, "expected rows and columns, got the end of the file");
  std::istringstream sizes(line);
  if (!(sizes >> rows >> cols) || !(sizes >> std::ws).eof() || line.find('-') != std::string::npos)
    lines.refuse_line("rows and columns", line);
  if (is_symmetric && rows != cols) lines.refuse_line("as many columns as rows", line);
  // A line has two bytes at least, and of a symmetric matrix more than half the elements have one: a
  // file that claims more than it holds takes no memory.
  if (std::error_code ignored; cols != 0 && rows > std::filesystem::file_size(path, ignored) / cols)
    refuse(path,
           "too short for " + std::to_string(rows) + " x " + std::to_string(cols) + " elements");
  dense_matrix made = make_dense(path, rows, cols, require_room);
  for (std::uint64_t j = 0; j < cols; ++j) {
    // Of a symmetric matrix the file has the lower triangle.
    for (std::uint64_t i = is_symmetric ? j : 0; i < rows; ++i) {
      double const value = next_number(path, lines);
      made.values[j * rows + i] = value;
      if (is_symmetric) made.values[i * rows + j] = value;
    }
  }
  if (lines.next(line)) lines.refuse_line("the end of the file", line);
  return made;
}

template <sparse::matrix_value Value>
dense_matrix dense_of(std::filesystem::path const& path, sparse::csr_matrix<Value> const& matrix,
                      room_check const& require_room) {
  dense_matrix made = make_dense(path, matrix.num_rows, matrix.num_cols, require_room);
  for (std::uint32_t i = 0; i < matrix.num_rows; ++i) {
    for (std::uint64_t e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e) {
      auto const at = static_cast<std::size_t>(matrix.columns[e]) * matrix.num_rows + i;
      if constexpr (sparse::has_values<Value>) {
        made.values[at] = static_cast<double>(matrix.values[e]);
      } else {
        made.values[at] = 1;
      }
    }
  }
  require_finite(std::span<double const>(made.values), made.rows, path.string());
  return made;
}

dense_matrix by_columns(std::filesystem::path const& path, dense_rows const& rows,
                        room_check const& require_room) {
  dense_matrix made = make_dense(path, rows.rows, rows.cols, require_room);
  for (std::uint64_t i = 0; i < rows.rows; ++i) {
    for (std::uint64_t j = 0; j < rows.cols; ++j)
      made.values[j * rows.rows + i] = rows.values[i * rows.cols + j];
  }
  require_finite(std::span<double const>(made.values), made.rows, path.string());
  return made;
}

}  // namespace

dense_matrix read_dense(std::filesystem::path const& path, room_check const& require_room) {
  try {
    std::string const ending = path.extension().string();
    if (ending == ".mtx" && is_array(path)) return read_array(path, require_room);
    bool const is_hdf5 = ending == ".h5" || ending == ".hdf5";
    if (is_hdf5) {
      // A sparse matrix is a group of that name.
      if (auto const rows = read_dense_rows(path, "matrix"))
        return by_columns(path, *rows, require_room);
    }
    if (ending != ".mtx" && !is_hdf5)
      refuse(path, "expected a name that ends with .mtx, .h5 or .hdf5");
    if (ending == ".mtx") {
      // Its first lines say how large it is; the entries may take long.
      auto const header = sparse::read_market_header(path);
      require_size(path, header.num_rows, header.num_cols, require_room);
    }
    return std::visit([&](auto const& matrix) { return dense_of(path, matrix, require_room); },
                      sparse::read_matrix(path));
  } catch (std::bad_alloc const&) {
    refuse(path, "does not fit into memory");
  }
}

}  // namespace gridloom::tiled_qr
