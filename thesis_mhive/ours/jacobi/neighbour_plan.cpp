#include "neighbour_plan.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "thesis_mhive/apps/jacobi/row_sum.hpp"

namespace gridloom::mhive::jacobi {
namespace {

/// A row takes as long as this many entries, in addition to its own entries.
constexpr std::uint32_t row_weight = 4;
/// Largest number of rows that 16-bit numbers can distinguish, besides no_index.
constexpr std::uint32_t most_local = 0xFFFE;

template <typename Value>
class planner {
 public:
  planner(system<Value> const& of, int blocks, std::uint32_t segment, std::size_t local_bytes)
      : of_(of), longest_(std::min(sum_lanes, segment)), local_bytes_(local_bytes) {
    if (blocks < 1) throw std::invalid_argument("make_neighbour_plan: expected a block, got none");
    cut(std::min(static_cast<std::uint32_t>(blocks), of.num_rows()));
    relate();
  }
  neighbour_plan<Value> plan() {
    find_halos();
    plan_.local = local_;
    slot_of_.assign(local_ ? of_.num_rows() : 0, no_index);
    halo_index_.resize(slot_of_.size());
    for (block_part& part : plan_.parts) lay_out(part);
    if (local_) name_slots();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::uint32_t num_blocks() const {
    return static_cast<std::uint32_t>(plan_.parts.size());
  }
  [[nodiscard]] std::uint32_t length(std::uint32_t row) const {
    auto const& offsets = of_.matrix.row_offsets;
    return static_cast<std::uint32_t>(offsets[row + 1] - offsets[row]);
  }

  // Cuts the rows into blocks. Every block gets at least one row.
  void cut(std::uint32_t blocks) {
    std::uint32_t const n = of_.num_rows();
    std::uint64_t const whole = of_.num_entries() + std::uint64_t{row_weight} * n;
    owner_.resize(n);
    std::uint32_t row = 0;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      block_part part{};
      part.first_row = row;
      std::uint64_t const until = whole * (b + 1) / blocks;
      std::uint32_t const last = n - (blocks - 1 - b);
      do {
        owner_[row++] = b;
      } while (row < last &&
               (b + 1 == blocks ||
                of_.matrix.row_offsets[row] + std::uint64_t{row_weight} * row < until));
      part.num_rows = row - part.first_row;
      plan_.parts.push_back(part);
    }
  }

  void relate() {
    exported_.assign(of_.num_rows(), 0);
    imports_.assign(of_.num_rows(), 0);
    reads_.resize(num_blocks());
    for (std::uint32_t b = 0; b < num_blocks(); ++b) {
      std::vector<char> met(num_blocks(), 0);
      auto const& part = plan_.parts[b];
      for (std::uint32_t row = part.first_row; row < part.first_row + part.num_rows; ++row) {
        for (std::uint32_t const column : of_.matrix.row(row)) {
          std::uint32_t const other = owner_[column];
          if (other == b) continue;
          exported_[column] = 1;
          imports_[row] = 1;
          if (met[other] == 0) reads_[b].push_back(other);
          met[other] = 1;
        }
      }
    }
    // If block A reads from B, then B must also read some row of A.
    also_read_.resize(num_blocks());
    auto neighbours = reads_;
    for (std::uint32_t b = 0; b < num_blocks(); ++b) {
      for (std::uint32_t const other : reads_[b]) {
        auto const& back = reads_[other];
        if (std::find(back.begin(), back.end(), b) != back.end()) continue;
        also_read_[other].push_back(plan_.parts[b].first_row);
        exported_[plan_.parts[b].first_row] = 1;
        neighbours[other].push_back(b);
      }
    }
    for (std::uint32_t b = 0; b < num_blocks(); ++b) {
      auto& own = neighbours[b];
      std::sort(own.begin(), own.end());
      plan_.parts[b].first_neighbour = static_cast<std::uint32_t>(plan_.neighbours.size());
      plan_.parts[b].num_neighbours = static_cast<std::uint32_t>(own.size());
      plan_.neighbours.insert(plan_.neighbours.end(), own.begin(), own.end());
    }
  }

  // Finds each block's halo, with rows in preliminary order. Gives up on a local plan if a halo is
  // too large.
  void find_halos() {
    local_ = local_bytes_ > 0;
    std::vector<std::uint32_t> met_by(of_.num_rows(), no_index);
    for (std::uint32_t b = 0; b < num_blocks() && local_; ++b) {
      auto& part = plan_.parts[b];
      auto const begin = plan_.halo.size();
      auto const read = [&](std::uint32_t row) {
        if (owner_[row] == b || met_by[row] == b) return;
        met_by[row] = b;
        plan_.halo.push_back(row);
      };
      for (std::uint32_t row = part.first_row; row < part.first_row + part.num_rows; ++row) {
        for (std::uint32_t const column : of_.matrix.row(row)) read(column);
      }
      for (std::uint32_t const row : also_read_[b]) read(row);
      std::sort(plan_.halo.begin() + static_cast<std::ptrdiff_t>(begin), plan_.halo.end());
      part.first_halo = static_cast<std::uint32_t>(begin);
      part.num_halo = static_cast<std::uint32_t>(plan_.halo.size() - begin);
      local_ = part.num_rows + part.num_halo <= most_local &&
               local_bytes_of<Value>(part) <= local_bytes_;
    }
    if (local_) return;
    plan_.halo.clear();
    for (block_part& part : plan_.parts) part.first_halo = part.num_halo = 0;
  }

  [[nodiscard]] std::uint32_t index_of(block_part const& part, std::uint32_t row) const {
    if (!local_) return row;
    return row - part.first_row < part.num_rows ? row - part.first_row : halo_index_[row];
  }

  void lay_out(block_part& part) {
    std::vector<std::uint32_t> edge;
    std::vector<std::uint32_t> inner;
    for (std::uint32_t i = 0; i < part.num_halo; ++i) {
      halo_index_[plan_.halo[part.first_halo + i]] = part.num_rows + i;
    }
    part.first_entry = plan_.values.size();
    part.first_long = static_cast<std::uint32_t>(plan_.long_rows.size());
    part.first_slice = static_cast<std::uint32_t>(plan_.rows.size() / slice_rows);
    part.first_export = plan_.num_exports;
    for (std::uint32_t row = part.first_row; row < part.first_row + part.num_rows; ++row) {
      if (length(row) > longest_) {
        add_long(part, row);
      } else {
        (exported_[row] != 0 || imports_[row] != 0 ? edge : inner).push_back(row);
      }
    }
    part.num_long = static_cast<std::uint32_t>(plan_.long_rows.size()) - part.first_long;
    part.long_entries = entries_of(part);
    // Fills the last slice with other rows instead of padding, as long as there are any.
    while (edge.size() % slice_rows != 0 && !inner.empty()) {
      edge.push_back(inner.back());
      inner.pop_back();
    }
    add_slices(part, edge);
    part.edge_slices = slices_of(part);
    add_slices(part, inner);
    part.num_slices = slices_of(part);
    part.num_entries = entries_of(part);
    plan_.slice_offsets.push_back(part.num_entries);
    plan_.num_exports += part.num_long + part.edge_slices * slice_rows;
  }
  [[nodiscard]] std::uint32_t slices_of(block_part const& part) const {
    return static_cast<std::uint32_t>(plan_.rows.size() / slice_rows) - part.first_slice;
  }
  [[nodiscard]] std::uint32_t entries_of(block_part const& part) const {
    return static_cast<std::uint32_t>(plan_.values.size() - part.first_entry);
  }

  void add_long(block_part const& part, std::uint32_t row) {
    std::uint32_t const first = entries_of(part);
    if (local_) {
      slot_of_[row] =
          part.first_export + static_cast<std::uint32_t>(plan_.long_rows.size()) - part.first_long;
    }
    plan_.long_rows.push_back(
        {first, length(row), index_of(part, row), of_.right_side[row], of_.diagonal[row]});
    for (std::uint64_t at = of_.matrix.row_offsets[row]; at < of_.matrix.row_offsets[row + 1];
         ++at) {
      plan_.values.push_back(of_.matrix.values[at]);
      plan_.columns.push_back(index_of(part, of_.matrix.columns[at]));
    }
  }

  // Returns the number of entries, padding included, of slices made of these rows.
  [[nodiscard]] std::uint64_t filled(std::vector<std::uint32_t> const& rows) const {
    std::uint64_t sum = 0;
    for (std::size_t first = 0; first < rows.size(); first += slice_rows) {
      sum += slice_rows * std::uint64_t{width(rows, first)};
    }
    return sum;
  }
  [[nodiscard]] std::uint32_t width(std::vector<std::uint32_t> const& rows,
                                    std::size_t first) const {
    std::uint32_t widest = 0;
    std::size_t const end = std::min(rows.size(), first + slice_rows);
    for (std::size_t i = first; i < end; ++i) widest = std::max(widest, length(rows[i]));
    return widest;
  }

  // Rows keep their order, so that accesses to x are close together. If this needs much padding,
  // they are sorted.
  void add_slices(block_part const& part, std::vector<std::uint32_t>& rows) {
    std::uint64_t entries = 0;
    for (std::uint32_t const row : rows) entries += length(row);
    if (filled(rows) > entries + entries / 8) {
      std::stable_sort(rows.begin(), rows.end(),
                       [this](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
    }
    for (std::size_t first = 0; first < rows.size(); first += slice_rows) {
      std::uint32_t const wide = width(rows, first);
      plan_.slice_offsets.push_back(entries_of(part));
      std::size_t const at = plan_.values.size();
      plan_.values.resize(at + std::size_t{wide} * slice_rows, Value{0});
      plan_.columns.resize(at + std::size_t{wide} * slice_rows, no_index);
      for (std::size_t lane = 0; lane < slice_rows; ++lane) {
        if (first + lane >= rows.size()) {
          plan_.rows.push_back(no_index);
          plan_.right_side.push_back(Value{0});
          continue;
        }
        std::uint32_t const row = rows[first + lane];
        if (local_) {
          slot_of_[row] = part.first_export + part.num_long +
                          static_cast<std::uint32_t>(plan_.rows.size()) -
                          part.first_slice * slice_rows;
        }
        plan_.rows.push_back(index_of(part, row));
        plan_.right_side.push_back(of_.right_side[row]);
        std::uint64_t const begin = of_.matrix.row_offsets[row];
        for (std::uint32_t k = 0; k < length(row); ++k) {
          plan_.values[at + k * slice_rows + lane] = of_.matrix.values[begin + k];
          plan_.columns[at + k * slice_rows + lane] = index_of(part, of_.matrix.columns[begin + k]);
        }
      }
    }
  }

  void name_slots() {
    for (std::uint32_t& row : plan_.halo) row = slot_of_[row];
  }

  system<Value> const& of_;
  /// Largest length of a row in a slice. Longer rows are long rows.
  std::uint32_t longest_;
  std::size_t local_bytes_;
  bool local_ = false;
  neighbour_plan<Value> plan_;
  /// The block of each row.
  std::vector<std::uint32_t> owner_;
  std::vector<char> exported_;
  std::vector<char> imports_;
  std::vector<std::vector<std::uint32_t>> reads_;
  /// For each block, the further rows that it must read.
  std::vector<std::vector<std::uint32_t>> also_read_;
  std::vector<std::uint32_t> slot_of_;
  /// Index of each row in the halo of the current block.
  std::vector<std::uint32_t> halo_index_;
};

}  // namespace

template <typename Value>
neighbour_plan<Value> make_neighbour_plan(system<Value> const& of, int blocks,
                                          std::uint32_t segment, std::size_t local_bytes) {
  return planner<Value>{of, blocks, segment, local_bytes}.plan();
}

template <typename Value>
std::size_t local_bytes_of(block_part const& part) {
  std::size_t const x = 2 * sizeof(Value) * (std::size_t{part.num_rows} + part.num_halo);
  return (x + sizeof(std::uint32_t) * part.num_halo + 15) / 16 * 16;
}

template <typename Value>
void fit(neighbour_plan<Value>& plan, std::size_t bytes, std::size_t index_bytes) {
  std::size_t const entry_bytes = sizeof(Value) + index_bytes;
  std::size_t const slice_bytes =
      slice_rows * (sizeof(Value) + index_bytes) + sizeof(std::uint32_t);
  // Room for the alignment of the arrays.
  constexpr std::size_t alignment = 5 * 16;
  std::size_t offsets = 0;
  for (block_part& part : plan.parts) {
    std::size_t used = alignment + sizeof(std::uint32_t) +
                       (plan.local ? local_bytes_of<Value>(part) : std::size_t{0});
    auto const* const first = plan.slice_offsets.data() + offsets;
    offsets += part.num_slices + 1;
    part.cached_slices = part.cached_entries = 0;
    used += entry_bytes * part.long_entries;
    if (used > bytes) continue;
    part.cached_entries = part.long_entries;
    while (part.cached_slices < part.num_slices) {
      std::uint32_t const next = first[part.cached_slices + 1];
      used += slice_bytes + entry_bytes * (next - part.cached_entries);
      if (used > bytes) break;
      part.cached_entries = next;
      ++part.cached_slices;
    }
  }
}

template neighbour_plan<float> make_neighbour_plan(system<float> const&, int, std::uint32_t,
                                                   std::size_t);
template std::size_t local_bytes_of<float>(block_part const&);
template void fit(neighbour_plan<float>&, std::size_t, std::size_t);
template neighbour_plan<double> make_neighbour_plan(system<double> const&, int, std::uint32_t,
                                                    std::size_t);
template std::size_t local_bytes_of<double>(block_part const&);
template void fit(neighbour_plan<double>&, std::size_t, std::size_t);

}  // namespace gridloom::mhive::jacobi
