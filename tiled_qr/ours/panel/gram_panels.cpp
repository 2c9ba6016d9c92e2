#include "ours/panel/gram_panels.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gridloom::tiled_qr::panels {

namespace {

/// Numbers of rows that a block may hold in the GPU's 227 KiB of shared memory.
constexpr std::array device_rows{64, 128, 256};

/// Number of members of a team, unless the matrix's size demands another. More members share a
/// panel's work, but make each meeting longer. Not tuned yet.
constexpr int good_members = 8;

}  // namespace

team_shape choose_teams(bool host, std::int64_t rows, std::int64_t cols, int blocks,
                        std::int64_t batch, int members_wanted) {
  auto const row_blocks = in_panels(rows);
  auto const most_rows = host ? host_rows : device_rows.back();
  auto const least = (rows + most_rows - 1) / most_rows;
  if (least > blocks)
    throw unsupported("a panel of " + std::to_string(rows) + " rows does not fit into " +
                      std::to_string(blocks) + " blocks of " + std::to_string(most_rows) +
                      " rows each");
  auto const most = std::min<std::int64_t>(row_blocks, blocks);
  bool const chosen = members_wanted != 0;
  if (chosen && (members_wanted < least || members_wanted > most))
    throw usage_error("members of a team: expected " + std::to_string(least) + " to " +
                      std::to_string(most) + " for " + std::to_string(rows) + " rows and " +
                      std::to_string(blocks) + " blocks, got " + std::to_string(members_wanted));
  auto const blocks_per_matrix =
      blocks / std::min(batch, blocks / (chosen ? members_wanted : least));
  auto const good = host ? std::int64_t{1} : std::min<std::int64_t>(good_members, row_blocks);
  auto const members =
      chosen ? std::int64_t{members_wanted} : std::min(std::max(least, good), blocks_per_matrix);
  auto const teams = std::clamp<std::int64_t>(blocks_per_matrix / members, 1,
                                              std::max<std::int64_t>(1, in_panels(cols)));
  auto const matrices = std::min(batch, blocks / (members * teams));
  auto const held = (row_blocks + members - 1) / members * panel_width;
  auto const* const fits = std::find_if(device_rows.begin(), device_rows.end(),
                                        [&](int rows_of_one) { return held <= rows_of_one; });
  return {static_cast<int>(matrices), static_cast<int>(teams), static_cast<int>(members),
          host ? host_rows : *fits};
}

template <class Real>
gram_panels<Real>::gram_panels(device& machine, std::int64_t rows, std::int64_t cols,
                               panel_settings settings)
    : machine_(&machine),
      dog_(machine, settings.blocks != 0 ? settings.blocks : machine.properties().multiprocessors,
           settings.timeout_s),
      panels_(static_cast<int>(std::min(in_panels(rows), in_panels(cols)))),
      batch_(static_cast<int>(settings.batch)),
      threads_(machine.is_host() ? 1 : settings.threads),
      rows_(rows),
      cols_(cols),
      shape_(choose_teams(
          machine.is_host(), rows, cols,
          settings.blocks != 0 ? settings.blocks : machine.properties().multiprocessors,
          settings.batch, settings.members)),
      t_(machine.allocate<Real>(all_panels() * square_size)),
      tau_(machine.allocate<Real>(all_panels() * panel_width)),
      parts_(
          machine.allocate<Real>(parts_beside(parts_in_matrix(true)) * part_buffer<Real>::entries)),
      tops_(machine.allocate<work_real>(std::size_t(2) * shape_.matrices * square_size)),
      words_(machine.allocate<std::uint32_t>(all_panels() * (shape_.members + 1) + blocks() + 1)) {}

template <class Real>
template <class Use>
auto gram_panels<Real>::with_rows(Use&& use) const {
  switch (shape_.rows) {
    case 64: return use.template operator()<64>();
    case 128: return use.template operator()<128>();
    case 256: return use.template operator()<256>();
    default: return use.template operator()<host_rows>();
  }
}

template <class Real>
kernel_facts gram_panels<Real>::facts() const {
  return with_rows(
      [&]<int Rows>() { return machine_->facts<factor_kernel<Real, Rows>>(threads_); });
}

/// Parts inside the matrix lie in pieces of 32 entries, which are slower to access than contiguous
/// parts. They cost 5 % of a run at 2048² on an H200. So they are used only if they save much
/// memory.
template <class Real>
int gram_panels<Real>::parts_in_matrix(bool aligned) const {
  std::int64_t const beside =
      static_cast<std::int64_t>(parts_beside(0)) * part_buffer<Real>::entries;
  return 10 * beside <= rows_ * cols_ * batch_
             ? 0
             : parts_in_panel<Real>(rows_, shape_.members, aligned);
}

template <class Real>
std::size_t gram_panels<Real>::parts_beside(int in_matrix) const {
  if (shape_.members == 1) return 0;
  int const last_panel = cols_ % panel_width == 0 ? 0 : in_matrix;
  int const parts = 2 + shape_.teams * (2 - in_matrix) + last_panel;
  return static_cast<std::size_t>(shape_.members) * shape_.matrices * parts;
}

template <class Real>
void gram_panels<Real>::reset() {
  machine_->fill_bytes(words_, 0);
  stopper_ = dog_.arm();
}

template <class Real>
void gram_panels<Real>::run(matrix_ref<Real> matrix, std::int64_t stride) {
  bool const aligned =
      entries_a_number<Real> == 1 || (detail::has_pairs(matrix) && stride % 2 == 0);
  int const in_matrix = parts_in_matrix(aligned);
  std::size_t const a_part = part_buffer<Real>::entries;
  if (parts_.size() < parts_beside(in_matrix) * a_part)
    parts_ = machine_->allocate<Real>(parts_beside(in_matrix) * a_part);
  std::size_t const a_buffer = shape_.members == 1 ? 0 : a_part * shape_.members * shape_.matrices;
  Real* const team_parts = parts_.data() + 2 * a_buffer;
  Real* const last_panel_parts = team_parts + a_buffer * shape_.teams * (2 - in_matrix);
  part_memory<Real> const parts{parts_.data(), tops_.data(), in_matrix, team_parts,
                                last_panel_parts};
  std::uint32_t* const ready = words_.data();
  std::uint32_t* const t_ready = ready + all_panels() * shape_.members;
  std::uint32_t* const meetings = t_ready + all_panels();
  panel_memory<Real> const memory{
      t_.data(), tau_.data(), parts, meetings, ready, t_ready, words_.data() + words_.size() - 1};
  with_rows([&]<int Rows>() {
    machine_->launch({blocks(), threads_},
                     factor_kernel<Real, Rows>{
                         matrix, {batch_, stride, shape_.teams}, shape_.members, memory, stopper_});
  });
}

template <class Real>
void gram_panels<Real>::require_done() {
  dog_.require_in_time("panels were waited for");
}

template <class Real>
std::uint32_t gram_panels<Real>::chains() const {
  return machine_->copy_to_host(words_.data() + words_.size() - 1);
}

template <class Real>
std::size_t gram_panels<Real>::bytes() const {
  return t_.bytes() + tau_.bytes() + parts_.bytes() + tops_.bytes() + words_.bytes();
}

template class gram_panels<float>;
template class gram_panels<double>;

}  // namespace gridloom::tiled_qr::panels
