#pragma once
// The order of PETS on a device, as in pets/device_order.hpp, by the radix sort of CUB.

#include "gridloom/sort/radix.hpp"
#include "pets/device_order.hpp"

namespace gridloom::pets {

class radix_order final : public device_order {
 public:
  radix_order(device& machine, std::uint32_t most_tasks, int workers = 0)
      : device_order(machine, most_tasks, workers),
        sorted_keys_(machine.allocate<std::uint64_t>(most_tasks)),
        sorter_(machine, most_tasks) {}

 protected:
  void sort_pairs(int bits) override {
    sorter_.sort(keys_.data(), sorted_keys_.data(), places_.data(), spare_places_.data(),
                 num_tasks_, bits);
    std::swap(places_, spare_places_);
  }

 private:
  buffer<std::uint64_t> sorted_keys_;
  radix_sorter sorter_;
};

}  // namespace gridloom::pets
