#include "alignment.hpp"

#include <algorithm>

#include "gridloom/error.hpp"
#include "gridloom/host_time_limit.hpp"

namespace gridloom::wavefront::sw {
namespace {

/// Upper bound of the scores of alignments with one sequence of this joined text. Each residue adds
/// at most its score with its best partner.
std::uint64_t most_of(std::vector<residue> const& text) {
  auto const& scores = blosum62();
  std::uint64_t most = 0;
  std::uint64_t own = 0;
  for (residue const one : text) {
    auto const row = scores.begin() + alphabet * one;
    own = one == separator ? 0
                           : own + static_cast<std::uint64_t>(
                                       std::max<int>(0, *std::max_element(row, row + alphabet)));
    most = std::max(most, own);
  }
  return most;
}

}  // namespace

alignment_input make_input(std::vector<residue> query, std::vector<residue> target,
                           gap_costs gaps) {
  if (query.empty() || target.empty())
    throw usage_error("query and target: expected at least one residue, got none");
  query.resize((query.size() + strip_rows - 1) / strip_rows * strip_rows, separator);
  if (query.size() >> 31U != 0 || target.size() >> 31U != 0 ||
      (std::uint64_t{query.size()} * target.size()) >> 44U != 0) {
    throw usage_error("query and target: expected fewer than 2^44 cells, got " +
                      std::to_string(query.size()) + " x " + std::to_string(target.size()));
  }
  // A best_key has room for no more cells.
  std::uint64_t const most = std::min(most_of(query), most_of(target));
  if (most >= std::uint64_t{1} << 20U) {
    throw usage_error(
        "--query, --target: expected sequences with a score below 2^20, got sequences whose score "
        "may reach " +
        std::to_string(most));
  }
  return {std::move(query), std::move(target), gaps};
}

std::int32_t alignment_result::score() const {
  return static_cast<std::int32_t>(*std::max_element(best.begin(), best.end()) >> 44U);
}

std::pair<std::uint32_t, std::uint32_t> alignment_result::cell(alignment_input const& of) const {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 44U) - 1;
  std::uint64_t const key = *std::max_element(best.begin(), best.end());
  std::uint64_t const number = mask - (key & mask);
  return {static_cast<std::uint32_t>(number / of.cols()),
          static_cast<std::uint32_t>(number % of.cols())};
}

alignment_result align_serially(alignment_input const& of) {
  auto const& scores = blosum62();
  std::vector<std::int32_t> h(of.cols(), 0);
  std::vector<std::int32_t> f(of.cols(), lowest);
  alignment_result result;
  result.best.assign(of.rows() / strip_rows, 0);
  for (std::uint32_t i = 0; i < of.rows(); ++i) {
    host_time_limit::check("the serial alignment");
    std::int32_t diagonal = 0;
    std::int32_t left = 0;
    std::int32_t e = lowest;
    std::int32_t best = 0;
    std::uint32_t best_col = 0;
    for (std::uint32_t j = 0; j < of.cols(); ++j) {
      std::int32_t const up = h[j];
      std::int32_t value = 0;
      if (of.query[i] == separator || of.target[j] == separator) {
        e = f[j] = lowest;
      } else {
        e = std::max(e, left - of.gaps.open) - of.gaps.extend;
        f[j] = std::max(f[j], up - of.gaps.open) - of.gaps.extend;
        value = std::max({0, e, f[j], diagonal + scores[alphabet * of.query[i] + of.target[j]]});
      }
      diagonal = up;
      h[j] = left = value;
      if (value > best) {
        best = value;
        best_col = j;
      }
    }
    if (best > 0) {
      auto& own = result.best[i / strip_rows];
      own = std::max(own, best_key(best, std::uint64_t{i} * of.cols() + best_col));
    }
    result.last_column.push_back(left);
  }
  result.last_row = h;
  return result;
}

}  // namespace gridloom::wavefront::sw
