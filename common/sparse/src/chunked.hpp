#pragma once
// A sequence that grows at its end without copying and gives memory back when it shrinks. Chunks
// are so large that malloc takes each from the system by itself and returns it at once; of the last
// one, only the pages that were written take memory. (std::deque needs 5% more than its elements,
// and its small blocks stay with the process.)

#include <cstddef>
#include <memory>
#include <vector>

namespace gridloom::sparse {

/// As much of a container as the readers need; T must be trivial. One thread at a time.
template <typename T>
class chunked {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  [[nodiscard]] T& operator[](std::size_t k) { return chunks_[k / per_chunk][k % per_chunk]; }
  [[nodiscard]] T const& operator[](std::size_t k) const {
    return chunks_[k / per_chunk][k % per_chunk];
  }

  void push_back(T const& element) {
    if (size_ == chunks_.size() * per_chunk) {
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(per_chunk));
    }
    ++size_;
    (*this)[size_ - 1] = element;
  }

  /// Keeps the first `size` elements, which must not be more than there are.
  void shrink(std::size_t size) {
    size_ = size;
    chunks_.resize((size + per_chunk - 1) / per_chunk);
  }

 private:
  // The largest threshold of glibc between its own heap and memory of the system.
  static constexpr std::size_t per_chunk = (std::size_t{1} << 25U) / sizeof(T);

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace gridloom::sparse
