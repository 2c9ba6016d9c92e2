// Sorts levels by CUB.
#include <algorithm>
#include <limits>

#include <cub/device/device_radix_sort.cuh>

#include "published/level_sorter.hpp"

namespace gridloom::mhive::rcm {
namespace {

class sort_stream {
 public:
  sort_stream() { GRIDLOOM_CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  sort_stream(sort_stream const&) = delete;
  sort_stream& operator=(sort_stream const&) = delete;
  ~sort_stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  [[nodiscard]] cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

template <std::unsigned_integral Key>
class cuda_sorter final : public level_sorter<Key> {
 public:
  cuda_sorter(device& machine, std::uint32_t most)
      : keys_{machine.allocate_staging<Key>(most)},
        values_{machine.allocate_staging<std::uint32_t>(most)},
        keys_in_{machine.allocate<Key>(most)},
        keys_out_{machine.allocate<Key>(most)},
        values_in_{machine.allocate<std::uint32_t>(most)},
        values_out_{machine.allocate<std::uint32_t>(most)} {
    // Tries all lengths, because the longest list does not always need the most scratch: CUB treats
    // short lists differently.
    std::size_t needed = 1;
    for (std::uint64_t n = 1; n < 2 * std::uint64_t{most}; n *= 2) {
      std::size_t bytes = 0;
      call(nullptr, bytes, static_cast<std::uint32_t>(std::min<std::uint64_t>(n, most)),
           std::numeric_limits<Key>::digits);
      needed = std::max(needed, bytes);
    }
    temporary_ = machine.allocate<unsigned char>(needed);
  }

  std::span<Key> keys() override { return {keys_.data(), keys_.size()}; }
  std::span<std::uint32_t> values() override { return {values_.data(), values_.size()}; }

  void sort(std::uint32_t n, int key_bits) override {
    cudaStream_t const stream = stream_.get();
    GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(keys_in_.data(), keys_.data(), n * sizeof(Key),
                                      cudaMemcpyHostToDevice, stream));
    GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(values_in_.data(), values_.data(), n * sizeof(std::uint32_t),
                                      cudaMemcpyHostToDevice, stream));
    std::size_t bytes = temporary_.size();
    call(temporary_.data(), bytes, n, key_bits);
    GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(values_.data(), values_out_.data(), n * sizeof(std::uint32_t),
                                      cudaMemcpyDeviceToHost, stream));
    GRIDLOOM_CUDA_TRY(cudaStreamSynchronize(stream));
  }

  std::size_t bytes() const override {
    return keys_in_.bytes() + keys_out_.bytes() + values_in_.bytes() + values_out_.bytes() +
           temporary_.bytes();
  }

 private:
  void call(void* temporary, std::size_t& bytes, std::uint32_t n, int key_bits) {
    GRIDLOOM_CUDA_TRY(cub::DeviceRadixSort::SortPairs(
        temporary, bytes, keys_in_.data(), keys_out_.data(), values_in_.data(), values_out_.data(),
        n, 0, key_bits, stream_.get()));
  }

  sort_stream stream_;
  buffer<Key> keys_;
  buffer<std::uint32_t> values_;
  buffer<Key> keys_in_;
  buffer<Key> keys_out_;
  buffer<std::uint32_t> values_in_;
  buffer<std::uint32_t> values_out_;
  buffer<unsigned char> temporary_;
};

}  // namespace

namespace detail {

std::unique_ptr<level_sorter<std::uint32_t>> make_cuda_sorter_32(device& machine,
                                                                 std::uint32_t most) {
  return std::make_unique<cuda_sorter<std::uint32_t>>(machine, most);
}

std::unique_ptr<level_sorter<std::uint64_t>> make_cuda_sorter_64(device& machine,
                                                                 std::uint32_t most) {
  return std::make_unique<cuda_sorter<std::uint64_t>>(machine, most);
}

}  // namespace detail

}  // namespace gridloom::mhive::rcm
