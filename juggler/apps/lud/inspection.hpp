#pragma once
// The inspection loop of LU decomposition (Listing 5).

#include <cstdint>

#include "apps/lud/app.hpp"
#include "apps/lud/blocking.hpp"
#include "juggler/inspection.hpp"

namespace gridloom::juggler::lud {

namespace detail {

/// Adds tasks one after another, with the tiles that each reads and changes.
class task_list {
 public:
  task_list(app_context<task_data>& context, blocking const& cut, double const* a)
      : context_(context), cut_(cut), a_(a) {}

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
  static std::uint64_t of(std::int64_t begin) { return static_cast<std::uint64_t>(begin); }
  task_id make(kernel_type type, task_data const& data) {
    return context_.add_task(static_cast<std::uint32_t>(type), data);
  }
  void reads(task_id task, std::int64_t begin) {
    context_.process_in_dep(task, a_, begin, cut_.tile_elements());
  }
  void changes(task_id task, std::int64_t begin) {
    context_.process_inout_dep(task, a_, begin, cut_.tile_elements());
  }

  app_context<task_data>& context_;
  blocking const& cut_;
  double const* a_;
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
    context.declare_array(a, cut.elements(), "a");
    detail::task_list list(context, cut, a);
    // cut.begin() without its division.
    auto const begin = [p, size = cut.tile_elements()](std::int64_t i, std::int64_t j) {
      return (i * p + j) * size;
    };
    for (std::int64_t k = 0; k < p; ++k) {
      std::int64_t const diagonal = begin(k, k);
      list.add(type_lu0, diagonal);
      for (std::int64_t j = k + 1; j < p; ++j) list.add(type_fwd, begin(k, j), diagonal);
      for (std::int64_t i = k + 1; i < p; ++i) list.add(type_bdiv, begin(i, k), diagonal);
      for (std::int64_t i = k + 1; i < p; ++i) {
        for (std::int64_t j = k + 1; j < p; ++j)
          list.add(type_bmod, begin(i, j), begin(i, k), begin(k, j));
      }
    }
  });
}

}  // namespace gridloom::juggler::lud
