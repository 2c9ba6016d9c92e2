#pragma once
// The inspection loop of LU decomposition (Listing 5).

#include <cstdint>

#include "apps/lud/app.hpp"
#include "apps/lud/blocking.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::lud {

namespace detail {

/// Adds tasks one after another, with the tiles that each reads and changes, by their numbers.
class task_list {
 public:
  task_list(app_context<task_data>& context, blocking const& cut, double const* a)
      : context_(context),
        size_(cut.tile_elements()),
        tiles_(context.declare_tiles(a, size_, cut.tiles() * cut.tiles(), "a")) {}

  void add(kernel_type type, std::int64_t own) { changes(make(type, {of(own), 0, 0}), own); }
  void add(kernel_type type, std::int64_t own, std::int64_t diagonal) {
    task_id const task = make(type, {of(own), of(diagonal), 0});
    reads(task, diagonal);
    changes(task, own);
  }
  void add(kernel_type type, std::int64_t own, std::int64_t left, std::int64_t right) {
    task_id const task = make(type, {of(own), of(left), of(right)});
    reads(task, left);
    reads(task, right);
    changes(task, own);
  }

 private:
  [[nodiscard]] std::uint64_t of(std::int64_t tile) const {
    return static_cast<std::uint64_t>(tile * size_);
  }
  task_id make(kernel_type type, task_data const& data) {
    return context_.add_task(static_cast<std::uint32_t>(type), data);
  }
  void reads(task_id task, std::int64_t tile) { context_.process_in_dep(task, tiles_, tile); }
  void changes(task_id task, std::int64_t tile) { context_.process_inout_dep(task, tiles_, tile); }

  app_context<task_data>& context_;
  std::int64_t size_;
  tiled_array tiles_;
};

}  // namespace detail

/// The number of tasks for p tiles in a row: p (p + 1) (2p + 1) / 6. Table 1 has 1240 for p = 15.
[[nodiscard]] inline std::uint64_t count_tasks(std::int64_t tiles) {
  auto const p = static_cast<std::uint64_t>(tiles);
  return p * (p + 1) * (2 * p + 1) / 6;
}

/// `a` is only an address and is not read.
[[nodiscard]] inline inspected<task_data> inspect_lud(
    blocking const& cut, double const* a, range_matching matching = range_matching::overlapping) {
  std::int64_t const p = cut.tiles();
  std::uint64_t const tasks = count_tasks(p);
  return inspect<task_data>(tasks, 3 * tasks, matching, [&](app_context<task_data>& context) {
    detail::task_list list(context, cut, a);
    auto const number = [p](std::int64_t i, std::int64_t j) { return i * p + j; };
    for (std::int64_t k = 0; k < p; ++k) {
      std::int64_t const diagonal = number(k, k);
      list.add(type_lu0, diagonal);
      for (std::int64_t j = k + 1; j < p; ++j) list.add(type_fwd, number(k, j), diagonal);
      for (std::int64_t i = k + 1; i < p; ++i) list.add(type_bdiv, number(i, k), diagonal);
      for (std::int64_t i = k + 1; i < p; ++i) {
        for (std::int64_t j = k + 1; j < p; ++j)
          list.add(type_bmod, number(i, j), number(i, k), number(k, j));
      }
    }
  });
}

}  // namespace gridloom::juggler::lud
