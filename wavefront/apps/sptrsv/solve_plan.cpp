#include "solve_plan.hpp"

#include <algorithm>
#include <utility>

namespace gridloom::wavefront::sptrsv {
namespace {

/// The rows sorted by level; within a level, by number.
struct levels {
  std::vector<std::uint32_t> rows;
  /// Array of number of levels + 1 entries: the first row of each level.
  std::vector<std::uint32_t> offsets;
};

levels levels_of(sparse::csr_matrix<double> const& matrix) {
  std::vector<std::uint32_t> level(matrix.num_rows);
  levels found;
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) {
    std::uint32_t own = 0;
    for (std::uint64_t e = matrix.row_offsets[row]; e + 1 < matrix.row_offsets[row + 1]; ++e)
      own = std::max(own, level[matrix.columns[e]] + 1);
    level[row] = own;
    if (own + 2 > found.offsets.size()) found.offsets.resize(own + 2);
    ++found.offsets[own + 1];
  }
  for (std::size_t k = 1; k < found.offsets.size(); ++k) found.offsets[k] += found.offsets[k - 1];
  auto next = found.offsets;
  found.rows.resize(matrix.num_rows);
  for (std::uint32_t row = 0; row < matrix.num_rows; ++row) found.rows[next[level[row]]++] = row;
  return found;
}

class planner {
 public:
  planner(lower_system const& of, plan_options const& options)
      : matrix_(of.matrix), lanes_(static_cast<std::uint32_t>(options.lanes)) {
    plan_.options = options;
  }

  solve_plan make() {
    levels const found = levels_of(matrix_);
    position_of_.resize(matrix_.num_rows);
    plan_.numbers.reserve(matrix_.num_rows);
    plan_.inverses.reserve(matrix_.num_rows);
    plan_.from.reserve(matrix_.num_entries());
    plan_.factors.reserve(matrix_.num_entries());
    for (std::size_t k = 0; k + 1 < found.offsets.size(); ++k) {
      std::vector<std::uint32_t> rows(found.rows.begin() + found.offsets[k],
                                      found.rows.begin() + found.offsets[k + 1]);
      sort_by_shape(rows);
      plan_.level_rounds.push_back(static_cast<std::uint32_t>(plan_.rounds.size()));
      for (std::size_t first = 0; first < rows.size();) first = add_round(rows, first);
    }
    plan_.level_rounds.push_back(static_cast<std::uint32_t>(plan_.rounds.size()));
    return std::move(plan_);
  }

 private:
  std::uint32_t length_of(std::uint32_t row) const {
    return static_cast<std::uint32_t>(matrix_.row_offsets[row + 1] - matrix_.row_offsets[row]) - 1;
  }
  std::uint8_t log2_lanes_of(std::uint32_t row) const {
    std::uint8_t found = 0;
    while ((1U << found) < lanes_ && length_of(row) > (plan_.options.entries_a_lane << found))
      ++found;
    return found;
  }
  std::uint32_t steps_of(std::uint32_t row) const {
    std::uint8_t const log2 = log2_lanes_of(row);
    return (length_of(row) + (1U << log2) - 1) >> log2;
  }
  /// Groups rows with equal numbers of lanes and steps, and otherwise keeps their order.
  void sort_by_shape(std::vector<std::uint32_t>& rows) {
    shapes_.clear();
    for (std::uint32_t const row : rows)
      shapes_.push_back({std::uint64_t{log2_lanes_of(row)} << 32U | steps_of(row), row});
    auto const less = [](shape const& a, shape const& b) { return a.key < b.key; };
    if (std::is_sorted(shapes_.begin(), shapes_.end(), less)) return;
    std::stable_sort(shapes_.begin(), shapes_.end(), less);
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = shapes_[k].row;
  }

  /// Adds the next round: rows from number `first` on, for one warp. Returns the next row.
  std::size_t add_round(std::vector<std::uint32_t> const& rows, std::size_t first) {
    std::uint8_t const log2 = log2_lanes_of(rows[first]);
    std::size_t end = first;
    std::uint32_t steps = 0;
    while (end < rows.size() && end - first < lanes_ >> log2 && log2_lanes_of(rows[end]) == log2)
      steps = std::max(steps, steps_of(rows[end++]));
    round_info round;
    round.first = static_cast<std::uint32_t>(plan_.numbers.size());
    round.entries = static_cast<std::uint32_t>(plan_.from.size() / lanes_);
    round.steps = steps;
    round.rows = static_cast<std::uint32_t>(end - first);
    round.log2_lanes = log2;
    std::size_t const at = plan_.from.size();
    plan_.from.resize(at + std::size_t{steps} * lanes_, nothing);
    plan_.factors.resize(plan_.from.size());
    for (std::size_t k = first; k < end; ++k) {
      std::uint32_t const row = rows[k];
      position_of_[row] = static_cast<std::uint32_t>(plan_.numbers.size());
      plan_.numbers.push_back(row);
      add_entries(row, log2, at + ((k - first) << log2));
    }
    plan_.rounds.push_back(round);
    return end;
  }

  /// Adds a row's entries, sorted by position. So a lane looks last at the x that is computed last.
  void add_entries(std::uint32_t row, std::uint8_t log2, std::size_t at) {
    std::uint64_t const begin = matrix_.row_offsets[row];
    std::uint64_t const diagonal = matrix_.row_offsets[row + 1] - 1;
    plan_.inverses.push_back(1 / matrix_.values[diagonal]);
    entries_.clear();
    for (std::uint64_t e = begin; e < diagonal; ++e)
      entries_.emplace_back(position_of_[matrix_.columns[e]],
                            matrix_.values[e] / matrix_.values[diagonal]);
    // Positions are distinct, and often in order already.
    if (!std::is_sorted(entries_.begin(), entries_.end()))
      std::sort(entries_.begin(), entries_.end());
    std::size_t const mask = (std::size_t{1} << log2) - 1;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      std::size_t const to = at + (k >> log2) * lanes_ + (k & mask);
      plan_.from[to] = entries_[k].first;
      plan_.factors[to] = entries_[k].second;
    }
  }

  sparse::csr_matrix<double> const& matrix_;
  std::uint32_t lanes_;
  solve_plan plan_;
  std::vector<std::uint32_t> position_of_;
  std::vector<std::pair<std::uint32_t, double>> entries_;
  struct shape {
    std::uint64_t key;
    std::uint32_t row;
  };
  std::vector<shape> shapes_;
};

class dealer {
 public:
  dealer(solve_plan const& plan, deal_options const& options)
      : plan_(plan),
        gate_(options.gate),
        pack_gate_(options.pack_gate),
        near_slots_(options.near_slots),
        blocks_(static_cast<std::size_t>(options.blocks)),
        warps_(static_cast<std::size_t>(options.warps_of_block)),
        flat_warps_(options.flat_warps == 0 || options.flat_warps > options.warps_of_block
                        ? warps_
                        : static_cast<std::size_t>(options.flat_warps)),
        lists_(blocks_ * warps_),
        packed_rounds_(blocks_) {}

  dealt_rounds make() {
    result_.from = plan_.from;
    std::uint32_t const levels = plan_.levels();
    for (std::uint32_t level = 0; level < levels;) {
      std::uint32_t const end = end_of_pack(level);
      if (end > level + 1) {
        add_pack(level, end);
        level = end;
      } else {
        add_level(level++);
      }
    }
    for (std::size_t w = 0; w < lists_.size(); ++w) {
      result_.offsets.push_back(static_cast<std::uint32_t>(result_.rounds.size()));
      result_.rounds.insert(result_.rounds.end(), lists_[w].begin(), lists_[w].end());
      if (!lists_[w].empty()) result_.blocks = static_cast<int>(w / warps_) + 1;
    }
    result_.offsets.push_back(static_cast<std::uint32_t>(result_.rounds.size()));
    return std::move(result_);
  }

 private:
  std::uint32_t first_row(std::uint32_t level) const {
    return level == plan_.levels() ? static_cast<std::uint32_t>(plan_.numbers.size())
                                   : plan_.rounds[plan_.level_rounds[level]].first;
  }
  bool is_narrow(std::uint32_t level) const {
    std::uint32_t const rounds = plan_.level_rounds[level + 1] - plan_.level_rounds[level];
    return rounds <= plan_.options.narrow &&
           first_row(level + 1) - first_row(level) <= near_slots_ / 2;
  }
  std::uint32_t end_of_pack(std::uint32_t level) const {
    while (level < plan_.levels() && is_narrow(level)) ++level;
    return level;
  }
  /// The last position of the level that is `before` levels earlier, or `nothing`.
  std::uint32_t gate_of(std::uint32_t level, std::uint32_t before) const {
    return before == 0 || level < before ? nothing : first_row(level - before + 1) - 1;
  }

  void add_pack(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t const first = first_row(begin);
    std::uint32_t& ended = packed_rounds_[block_];
    std::size_t warp = 0;
    // In a pack, only the first round of each warp has a gate.
    std::size_t dealt = 0;
    for (std::uint32_t level = begin; level < end; ++level) {
      std::uint32_t const level_end = first_row(level + 1);
      // Positions before `oldest` are no longer in the ring when the level ends.
      std::uint32_t const oldest =
          std::max(first, level_end > near_slots_ ? level_end - near_slots_ : 0);
      for (std::size_t k = plan_.level_rounds[level]; k < plan_.level_rounds[level + 1]; ++k) {
        round_info round = plan_.rounds[k];
        round.near_first = round.first % near_slots_;
        round.after = ended;
        if (dealt++ < warps_) round.gate = gate_of(begin, pack_gate_);
        mark_near(round, oldest, first_row(level));
        list_of(warp).push_back(round);
        warp = (warp + 1) % warps_;
      }
      ended += plan_.level_rounds[level + 1] - plan_.level_rounds[level];
    }
    result_.near_rows += first_row(end) - first;
    block_ = (block_ + 1) % blocks_;
  }
  void mark_near(round_info const& round, std::uint32_t oldest, std::uint32_t level_first) {
    auto const lanes = static_cast<std::ptrdiff_t>(plan_.options.lanes);
    auto const begin = result_.from.begin() + lanes * round.entries;
    for (auto at = begin; at != begin + lanes * round.steps; ++at) {
      if (*at >= oldest && *at < level_first) *at = near_bit | *at % near_slots_;
    }
  }

  void add_level(std::uint32_t level) {
    std::size_t const begin = plan_.level_rounds[level];
    std::size_t const end = plan_.level_rounds[level + 1];
    // Waiting warps slow others down, so few take rounds. Levels with many rounds use more warps.
    std::size_t const each = (end - begin + blocks_ - 1) / blocks_;
    std::size_t const warps = std::max(flat_warps_, std::min(warps_, each));
    for (std::size_t k = begin; k < end; ++k) {
      round_info round = plan_.rounds[k];
      round.gate = gate_of(level, gate_);
      list_of((k - begin) % warps).push_back(round);
      if ((k - begin) % warps == warps - 1 || k + 1 == end) block_ = (block_ + 1) % blocks_;
    }
  }

  std::vector<round_info>& list_of(std::size_t warp) { return lists_[block_ * warps_ + warp]; }

  solve_plan const& plan_;
  std::uint32_t gate_;
  std::uint32_t pack_gate_;
  std::uint32_t near_slots_;
  std::size_t blocks_;
  std::size_t warps_;
  std::size_t flat_warps_;
  /// The rounds of each warp.
  std::vector<std::vector<round_info>> lists_;
  /// Number of pack rounds that each block has so far.
  std::vector<std::uint32_t> packed_rounds_;
  std::size_t block_ = 0;
  dealt_rounds result_;
};

}  // namespace

std::vector<std::uint32_t> level_sizes(lower_system const& of) {
  levels const found = levels_of(of.matrix);
  std::vector<std::uint32_t> sizes;
  for (std::size_t k = 0; k + 1 < found.offsets.size(); ++k)
    sizes.push_back(found.offsets[k + 1] - found.offsets[k]);
  return sizes;
}

solve_plan make_plan(lower_system const& of, plan_options const& options) {
  return planner(of, options).make();
}

dealt_rounds deal(solve_plan const& plan, deal_options const& options) {
  return dealer(plan, options).make();
}

}  // namespace gridloom::wavefront::sptrsv
