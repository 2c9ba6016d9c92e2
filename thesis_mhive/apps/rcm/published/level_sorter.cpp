#include "published/level_sorter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gridloom::mhive::rcm {
namespace {

template <std::unsigned_integral Key>
class host_sorter final : public level_sorter<Key> {
 public:
  explicit host_sorter(std::uint32_t most) : keys_(most), values_(most), pairs_(most) {}

  std::span<Key> keys() override { return keys_; }
  std::span<std::uint32_t> values() override { return values_; }
  void sort(std::uint32_t n, int /*key_bits*/) override {
    for (std::uint32_t i = 0; i < n; ++i) pairs_[i] = {keys_[i], values_[i]};
    std::stable_sort(pairs_.begin(), pairs_.begin() + n,
                     [](auto const& a, auto const& b) { return a.first < b.first; });
    for (std::uint32_t i = 0; i < n; ++i) values_[i] = pairs_[i].second;
  }
  std::size_t bytes() const override { return 0; }

 private:
  std::vector<Key> keys_;
  std::vector<std::uint32_t> values_;
  std::vector<std::pair<Key, std::uint32_t>> pairs_;
};

}  // namespace

std::unique_ptr<level_sorter<std::uint32_t>> make_level_sorter_32(device& machine,
                                                                  std::uint32_t most) {
  if (machine.is_host()) return std::make_unique<host_sorter<std::uint32_t>>(most);
  return detail::make_cuda_sorter_32(machine, most);
}

std::unique_ptr<level_sorter<std::uint64_t>> make_level_sorter_64(device& machine,
                                                                  std::uint32_t most) {
  if (machine.is_host()) return std::make_unique<host_sorter<std::uint64_t>>(most);
  return detail::make_cuda_sorter_64(machine, most);
}

}  // namespace gridloom::mhive::rcm
