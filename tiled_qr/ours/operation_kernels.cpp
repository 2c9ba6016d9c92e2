#include "ours/operation_kernels.hpp"

#include <algorithm>

#include "gridloom/taskgraph/rivals/level_launches.hpp"
#include "rivals/level_tasks.hpp"
#include "tiled_qr/levels.hpp"
#include "tiled_qr/scheduler.hpp"

namespace gridloom::tiled_qr {

namespace {

template <class Use>
void for_each_type(Use&& use) {
  use.template operator()<task_type::dgeqt2>();
  use.template operator()<task_type::dlarfb>();
  use.template operator()<task_type::dtsqt2>();
  use.template operator()<task_type::dssrfb>();
}

template <class Kernel>
kernel_facts facts_on(device const& machine, int threads) {
  kernel_facts facts = machine.facts<Kernel>(threads);
  if (machine.is_host()) facts.shared_bytes = static_cast<int>(sizeof(typename Kernel::scratch));
  return facts;
}

}  // namespace

template <class T>
std::vector<operation_facts> facts_of_operations(device& machine, int tile, int threads) {
  std::vector<operation_facts> all;
  for_tile({tile, tile, tile}, [&]<int MaxTile>() {
    for_each_type([&]<task_type Type>() {
      all.push_back({task_type_names[static_cast<int>(Type)],
                     facts_on<operation_kernel<T, MaxTile, Type>>(machine, threads)});
    });
    all.push_back(
        {"all four", facts_on<level_kernel<level_tasks<T, MaxTile>, false>>(machine, threads)});
  });
  return all;
}

template <class T>
void factorise_by_operations(device& machine, tiled_matrix_ref<T> const& matrix,
                             launch_shape shape) {
  task_groups const levels = levels_of(matrix.cut);
  std::vector<std::uint32_t> numbers = levels.tasks;
  auto const type_of = [&](std::uint32_t number) { return task_at(matrix.cut, number).type(); };
  for (std::size_t level = 0; level < levels.groups(); ++level)
    std::stable_sort(numbers.begin() + static_cast<std::ptrdiff_t>(levels.first[level]),
                     numbers.begin() + static_cast<std::ptrdiff_t>(levels.first[level + 1]),
                     [&](auto one, auto other) { return type_of(one) < type_of(other); });
  auto const on_device = machine.allocate_copy(numbers);
  for_tile(matrix.cut, [&]<int MaxTile>() {
    for (std::size_t level = 0; level < levels.groups(); ++level) {
      std::uint32_t begin = levels.first[level];
      for_each_type([&]<task_type Type>() {
        std::uint32_t end = begin;
        while (end < levels.first[level + 1] && type_of(numbers[end]) == Type) ++end;
        std::uint32_t const size = end - begin;
        int const blocks =
            static_cast<int>(std::min(size, static_cast<std::uint32_t>(shape.blocks)));
        if (size > 0)
          machine.launch({blocks, shape.threads}, operation_kernel<T, MaxTile, Type>{
                                                      matrix, on_device.data() + begin, size});
        begin = end;
      });
    }
  });
  machine.synchronize();
}

#define GRIDLOOM_INSTANTIATE(T)                                                    \
  template std::vector<operation_facts> facts_of_operations<T>(device&, int, int); \
  template void factorise_by_operations<T>(device&, tiled_matrix_ref<T> const&, launch_shape);
GRIDLOOM_INSTANTIATE(float)
GRIDLOOM_INSTANTIATE(double)
#undef GRIDLOOM_INSTANTIATE

}  // namespace gridloom::tiled_qr
