#pragma once
// Blocks of whole warps for the kernels of PETS, on the modelled threads of common's tests.

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "gridloom/group.hpp"
#include "modelled_threads.hpp"

namespace gridloom::pets::test {

using gridloom::test::modelled_threads;

/// A model of cuda_part. All parts of a warp synchronise together, so all must make the same number
/// of calls.
template <int Threads>
class modelled_part {
 public:
  modelled_part(modelled_threads& all, int thread) : warp_{all, thread}, thread_{thread} {}
  [[nodiscard]] int thread_rank() const { return thread_ % Threads; }
  [[nodiscard]] int num_threads() const { return Threads; }
  template <class T>
  T shuffle(T value, int rank) const {
    int const first = warp_.thread_rank() - thread_rank();
    return warp_.shuffle(value, first + rank);
  }

 private:
  gridloom::test::modelled_warp warp_;
  int thread_;
};

/// A model of cuda_warp, including the minimum that the hardware computes.
class warp_of_block : public gridloom::test::modelled_warp {
 public:
  warp_of_block(modelled_threads& all, int thread)
      : modelled_warp{all, thread}, all_{&all}, thread_{thread} {}
  [[nodiscard]] warp_of_block warp() const { return *this; }
  [[nodiscard]] std::uint32_t minimum(std::uint32_t value) const {
    int const first = thread_ - thread_rank();
    all_->lane_value(thread_) = value;
    sync();
    std::uint64_t least = value;
    for (int lane = 0; lane < num_threads(); ++lane) {
      least = std::min(least, all_->lane_value(first + lane));
    }
    sync();
    return static_cast<std::uint32_t>(least);
  }
  template <int Threads>
  [[nodiscard]] modelled_part<Threads> part() const {
    return {*all_, thread_};
  }

 private:
  modelled_threads* all_;
  int thread_;
};

/// A model of cuda_block. It has threads of `blocks` blocks; only a single block can synchronise.
class modelled_block {
 public:
  modelled_block(modelled_threads& all, int thread, int blocks = 1)
      : all_{&all}, thread_{thread}, blocks_{blocks} {}
  [[nodiscard]] int thread_rank() const { return thread_ % num_threads(); }
  [[nodiscard]] int num_threads() const { return all_->threads() / blocks_; }
  [[nodiscard]] int index() const { return thread_ / num_threads(); }
  [[nodiscard]] int count() const { return blocks_; }
  void sync() const { all_->sync(); }
  void pause(unsigned) const {}
  [[nodiscard]] warp_of_block warp() const { return {*all_, thread_}; }
  [[nodiscard]] thread_of_one thread() const { return {thread_, all_->threads()}; }

 private:
  modelled_threads* all_;
  int thread_;
  int blocks_;
};

static_assert(warp_group<warp_of_block> && thread_group<modelled_block>);

/// Calls body(threads, order) for blocks of each size. Their threads run in rising order in one
/// call and in falling order in the other.
template <class Body>
void with_threads(std::initializer_list<int> sizes, Body&& body) {
  for (bool const falling : {false, true}) {
    for (int const size : sizes) {
      modelled_threads threads{size, falling};
      body(threads, falling ? "falling" : "rising");
    }
  }
}

}  // namespace gridloom::pets::test
