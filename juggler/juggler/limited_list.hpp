#pragma once
// A list that grows up to a limit. Inspection appends several numbers per task, so appending is a
// comparison and a store; std::vector would need a second comparison to know its limit.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "gridloom/error.hpp"

namespace gridloom::juggler {

/// Used by one thread. Elements are not initialised before they are appended.
template <class T>
class limited_list {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes room for `expected` elements. `what` names the elements in the message of push().
  limited_list(std::size_t expected, std::uint64_t limit, char const* what)
      : limit_(limit), what_(what) {
    make_room(std::min<std::uint64_t>(expected, limit));
  }
  /// Throws usage_error if there are as many elements as there may be.
  void push(T const& element) {
    if (size_ == capacity_) grow();
    elements_[size_++] = element;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  T& operator[](std::size_t at) { return elements_[at]; }
  T const& operator[](std::size_t at) const { return elements_[at]; }
  [[nodiscard]] T const* begin() const { return elements_.get(); }
  [[nodiscard]] T const* end() const { return elements_.get() + size_; }

 private:
  void grow() {
    if (size_ >= limit_)
      throw usage_error("task graph: more than " + std::to_string(limit_) + " " + what_);
    make_room(std::min<std::uint64_t>(limit_, std::max<std::size_t>(16, 2 * size_)));
  }
  void make_room(std::size_t capacity) {
    std::unique_ptr<T[]> larger(new T[capacity]);
    std::copy(begin(), end(), larger.get());
    elements_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<T[]> elements_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::uint64_t limit_;
  char const* what_;
};

}  // namespace gridloom::juggler
