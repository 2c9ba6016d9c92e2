#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "gridloom/error.hpp"
#include "market_text.hpp"
#include "parallel.hpp"
#include "plausible.hpp"
#include "text_lines.hpp"

namespace gridloom::sparse {
namespace {

// Several threads take blocks in turn and parse them. Reading (and inflating) is one thread at a
// time, while the others parse.
template <matrix_value Value>
class entry_reader {
 public:
  entry_reader(text_source& source, text_block first, market_header const& header,
               market_options const& options)
      : source_{source}, first_{std::move(first)}, header_{header}, options_{options} {}

  /// All entries, in the order of the file.
  std::vector<market_entries<Value>> read() {
    on_threads(threads_for_file(), [this](unsigned) { work(); });
    if (failures_.empty()) return std::move(parsed_);
    // Blocks are taken in order, so every block before a failed one has been parsed: the earliest
    // failure is the first of the file, for every number of threads. Too many entries before it are
    // an earlier one.
    auto const& [failed, failure] = *failures_.begin();
    parsed_.resize(failed);
    std::uint64_t before = 0;
    for (auto const& block : parsed_) before += block.stored;
    if (before <= header_.stored_entries) std::rethrow_exception(failure);
    return std::move(parsed_);
  }

 private:
  // No more than there may be blocks: text is seldom packed to less than a tenth.
  [[nodiscard]] unsigned threads_for_file() const {
    std::uintmax_t const bytes = std::filesystem::file_size(source_.path());
    auto const blocks = 1 + 10 * bytes / market_block_bytes;
    return static_cast<unsigned>(std::min<std::uintmax_t>(thread_count(options_.threads), blocks));
  }

  void work() {
    text_block block;
    market_lines<Value> lines;
    std::uint64_t before = 0;
    for (auto turn = take(block, before); turn; turn = take(block, before)) {
      try {
        take_market_lines(source_.path(), block, header_, options_.allow_non_finite, before, lines);
        keep(*turn, in_buckets(lines, header_.num_rows));
      } catch (...) {
        fail(*turn, std::current_exception());
      }
    }
  }

  // The number of the block, or none when there is nothing left to do; and how many values of an
  // array come before it.
  std::optional<std::size_t> take(text_block& block, std::uint64_t& before) {
    std::lock_guard const lock{reading_};
    if (stopped()) return std::nullopt;
    std::size_t const turn = taken_;
    try {
      if (turn == 0) {
        block = std::move(first_);
      } else if (!source_.next(block, market_block_bytes)) {
        return std::nullopt;
      }
    } catch (...) {
      fail(turn, std::current_exception());
      return std::nullopt;
    }
    ++taken_;
    before = values_taken_;
    // Only lines of an array must be counted: those of a coordinate file say where they belong.
    if (header_.format == market_format::array) values_taken_ += filled_lines(block);
    return turn;
  }

  [[nodiscard]] bool stopped() {
    std::lock_guard const lock{keeping_};
    return stop_;
  }

  void keep(std::size_t turn, market_entries<Value> entries) {
    std::lock_guard const lock{keeping_};
    found_ += entries.stored;
    if (found_ > header_.stored_entries) stop_ = true;  // too many already: read no further
    if (parsed_.size() <= turn) parsed_.resize(turn + 1);
    parsed_[turn] = std::move(entries);
  }

  void fail(std::size_t turn, std::exception_ptr failure) {
    std::lock_guard const lock{keeping_};
    failures_.emplace(turn, std::move(failure));
    stop_ = true;
  }

  text_source& source_;
  text_block first_;
  market_header const& header_;
  market_options const& options_;

  std::mutex reading_;  // guards the source and:
  std::size_t taken_ = 0;
  std::uint64_t values_taken_ = 0;  // of an array

  std::mutex keeping_;  // guards all that follows
  std::vector<market_entries<Value>> parsed_;
  std::uint64_t found_ = 0;
  std::map<std::size_t, std::exception_ptr> failures_;
  bool stop_ = false;
};

// Calls visit(row, column, block, number in the block, mirrored) for each entry of the matrix whose
// row is in [begin, end). Equal positions come in the order of the file.
template <matrix_value Value, typename Visit>
void for_entries(std::vector<market_entries<Value>> const& blocks, market_symmetry symmetry,
                 std::uint32_t begin, std::uint32_t end, Visit&& visit) {
  constexpr unsigned low_bits = market_entries<Value>::low_bits;
  if (begin == end) return;
  bool const expand = symmetry != market_symmetry::general;
  std::uint32_t const span = end - begin;
  for (market_entries<Value> const& block : blocks) {
    // Only entries that are mirrored can come from other buckets than the range's own.
    std::size_t const first = expand ? 0 : begin >> low_bits;
    std::size_t const last = expand ? block.bucket_ends.size() : ((end - 1) >> low_bits) + 1;
    std::size_t i = block.bucket_begin(first);
    for (std::size_t bucket = first; bucket < last; ++bucket) {
      auto const high = static_cast<std::uint32_t>(bucket) << low_bits;
      for (; i < block.bucket_ends[bucket]; ++i) {
        std::uint32_t const row = high | block.low_rows[i];
        std::uint32_t const column = block.columns[i];
        if (row - begin < span) visit(row, column, block, i, false);
        if (expand && row != column && column - begin < span) visit(column, row, block, i, true);
      }
    }
  }
}

// Sorts the entries of one row by column; equal columns keep their order.
template <matrix_value Value>
void sort_row(csr_matrix<Value>& matrix, std::uint32_t row,
              std::vector<std::pair<std::uint32_t, Value>>& scratch) {
  auto const begin = static_cast<std::ptrdiff_t>(matrix.row_offsets[row]);
  auto const end = static_cast<std::ptrdiff_t>(matrix.row_offsets[row + 1]);
  auto const first = matrix.columns.begin() + begin;
  auto const last = matrix.columns.begin() + end;
  if (std::is_sorted(first, last)) return;
  if constexpr (has_values<Value>) {
    scratch.clear();
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      scratch.emplace_back(matrix.columns[i], matrix.values[i]);
    }
    std::stable_sort(scratch.begin(), scratch.end(),
                     [](auto const& a, auto const& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < scratch.size(); ++i) {
      matrix.columns[static_cast<std::size_t>(begin) + i] = scratch[i].first;
      matrix.values[static_cast<std::size_t>(begin) + i] = scratch[i].second;
    }
  } else {
    std::sort(first, last);
  }
}

// Rows in parallel, each thread a range of them: it looks at all entries and takes its own, so
// there are no atomics, and equal positions meet in the order of the file.
template <matrix_value Value>
csr_matrix<Value> build(std::vector<market_entries<Value>> blocks, market_header const& header,
                        unsigned threads) {
  csr_matrix<Value> matrix;
  matrix.num_rows = header.num_rows;
  matrix.num_cols = header.num_cols;
  std::vector<std::uint64_t>& offsets = matrix.row_offsets;
  offsets.assign(std::size_t{header.num_rows} + 1, 0);
  auto const first_row = [&](unsigned thread) {
    return static_cast<std::uint32_t>(std::uint64_t{header.num_rows} * thread / threads);
  };

  on_threads(threads, [&](unsigned thread) {
    for_entries(blocks, header.symmetry, first_row(thread), first_row(thread + 1),
                [&](std::uint32_t row, auto&&...) { ++offsets[row]; });
  });
  // Offsets begin as cursors: offsets[r] is where the next entry of row r goes.
  std::exclusive_scan(offsets.begin(), offsets.end(), offsets.begin(), std::uint64_t{0});
  matrix.columns.resize(offsets.back());
  if constexpr (has_values<Value>) matrix.values.resize(offsets.back());

  on_threads(threads, [&](unsigned thread) {
    for_entries(blocks, header.symmetry, first_row(thread), first_row(thread + 1),
                [&](std::uint32_t row, std::uint32_t column, market_entries<Value> const& block,
                    std::size_t i, bool mirrored) {
                  std::uint64_t const at = offsets[row]++;
                  matrix.columns[at] = column;
                  if constexpr (has_values<Value>) {
                    bool const negate = mirrored && header.symmetry == market_symmetry::skew;
                    matrix.values[at] = negate ? -block.values[i] : block.values[i];
                  }
                });
  });
  blocks.clear();
  blocks.shrink_to_fit();
  // Each cursor now stands at the begin of the next row.
  std::copy_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets.front() = 0;

  on_threads(threads, [&](unsigned thread) {
    std::vector<std::pair<std::uint32_t, Value>> scratch;
    for (std::uint32_t row = first_row(thread); row < first_row(thread + 1); ++row) {
      sort_row(matrix, row, scratch);
    }
  });
  return matrix;
}

// Adds equal positions up, in place.
template <matrix_value Value>
void sum_duplicates(csr_matrix<Value>& matrix) {
  std::uint64_t kept = 0;
  std::uint64_t begin = 0;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    std::uint64_t const end = matrix.row_offsets[row + 1];
    std::uint64_t const row_begin = kept;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (kept > row_begin && matrix.columns[kept - 1] == matrix.columns[i]) {
        if constexpr (has_values<Value>) matrix.values[kept - 1] += matrix.values[i];
        continue;
      }
      matrix.columns[kept] = matrix.columns[i];
      if constexpr (has_values<Value>) matrix.values[kept] = matrix.values[i];
      ++kept;
    }
    begin = end;
    matrix.row_offsets[row + 1] = kept;
  }
  matrix.columns.resize(kept);
  if constexpr (has_values<Value>) matrix.values.resize(kept);
}

template <matrix_value Value>
void handle_duplicates(std::filesystem::path const& path, csr_matrix<Value>& matrix,
                       market_symmetry symmetry, duplicates wanted) {
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    auto const columns = matrix.row(row);
    auto const twice = std::adjacent_find(columns.begin(), columns.end());
    if (twice == columns.end()) continue;
    if (wanted == duplicates::sum) return sum_duplicates(matrix);
    // The file has the position in its lower triangle.
    bool const swapped = symmetry != market_symmetry::general && row < *twice;
    std::uint32_t const file_row = swapped ? *twice : row;
    std::uint32_t const file_column = swapped ? row : *twice;
    refuse_line(path, line_of_position(path, file_row, file_column, 1),
                "expected each position once, got row " + std::to_string(file_row + 1) +
                    ", column " + std::to_string(file_column + 1) +
                    " again (duplicates can be "
                    "summed on request)");
  }
}

// What the header says against what is there.
template <matrix_value Value>
void check_claims(std::filesystem::path const& path, market_header const& header,
                  std::vector<market_entries<Value>> const& blocks) {
  std::uint64_t found = 0;
  for (auto const& block : blocks) found += block.stored;
  std::string const expected = "expected " + std::to_string(header.stored_entries) + " entries";
  if (found > header.stored_entries) {
    refuse_line(path, line_of_entry(path, header.stored_entries), expected + ", got more");
  }
  if (found < header.stored_entries) {
    refuse_line(path, last_line_of(path),
                expected + ", got the end of the file after " + std::to_string(found));
  }
  std::uint64_t const most = most_plausible_rows(found);
  if (header.num_rows > most || header.num_cols > most) {
    refuse_line(path, header.size_line,
                "expected at most " + std::to_string(most) + " rows and columns for " +
                    std::to_string(found) + " entries, got " +
                    std::to_string(std::max(header.num_rows, header.num_cols)));
  }
}

// More entries than positions: some must repeat.
void refuse_repeats(std::filesystem::path const& path, market_header const& header,
                    market_options const& options) {
  std::uint64_t const positions = std::uint64_t{header.num_rows} * header.num_cols;
  if (options.on_duplicate == duplicates::refuse && header.stored_entries > positions) {
    refuse_line(path, header.size_line,
                "expected at most rows x columns = " + std::to_string(positions) +
                    " entries, got " + std::to_string(header.stored_entries));
  }
}

}  // namespace

market_header read_market_header(std::filesystem::path const& path) {
  text_source source{path};
  text_block rest;
  return take_market_header(source, rest);
}

template <matrix_value Value>
csr_matrix<Value> read_matrix_market(std::filesystem::path const& path,
                                     market_options const& options) {
  return within_memory(path, [&] {
    text_source source{path};
    text_block first;
    market_header const header = take_market_header(source, first);
    refuse_repeats(path, header, options);
    entry_reader<Value> reader{source, std::move(first), header, options};
    std::vector<market_entries<Value>> blocks = reader.read();
    check_claims(path, header, blocks);
    csr_matrix<Value> matrix = build(std::move(blocks), header, thread_count(options.threads));
    handle_duplicates(path, matrix, header.symmetry, options.on_duplicate);
    return matrix;
  });
}

template csr_matrix<no_value> read_matrix_market(std::filesystem::path const&,
                                                 market_options const&);
template csr_matrix<float> read_matrix_market(std::filesystem::path const&, market_options const&);
template csr_matrix<double> read_matrix_market(std::filesystem::path const&, market_options const&);

}  // namespace gridloom::sparse
