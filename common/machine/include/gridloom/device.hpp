#pragma once
// The object through which a program launches kernels and owns memory, on either machine.
//
// A kernel is a trivially copyable functor:
//
//   struct scale_kernel {
//     using scratch = no_scratch;
//     static constexpr bool persistent = false;
//
//     template <thread_group Block>
//     GRIDLOOM_FN void operator()(Block block, scratch& shared) const;
//   };
//
// - `scratch`: the shared memory of a block, passed as a struct. On a GPU it is uninitialised.
// - `persistent`: the blocks wait for each other, so all of them must be resident. A launch that
//   does not fit is refused.
// - `static constexpr bool overlaps_previous = true` is optional, for kernels that are not
//   persistent. Such a kernel may begin before the previous launch ends, and must first call
//   `block.wait_for_previous_launch()`.
// - `static constexpr bool on_host = false` is optional: the kernel is not compiled for the host.
//   `on_cuda = false` does the same for CUDA.
//
// Sources that call `launch` are compiled by nvcc if the CUDA backend is built
// (`gridloom_kernel_sources` in CMake), else by the C++ compiler.

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gridloom/backend/cuda.hpp"
#include "gridloom/backend/host.hpp"

namespace gridloom {

namespace detail {

template <class Kernel>
inline constexpr bool is_for_host = !requires { requires !Kernel::on_host; };
template <class Kernel>
inline constexpr bool is_for_cuda = !requires { requires !Kernel::on_cuda; };

}  // namespace detail

/// Owner of device memory. Elements are trivially copyable and not initialised.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  buffer() = default;
  buffer(T* data, std::size_t size, void (*release)(void*) noexcept)
      : data_(data, release), size_(size) {}
  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  std::unique_ptr<T, void (*)(void*) noexcept> data_{nullptr, [](void*) noexcept {}};
  std::size_t size_ = 0;
};

/// A host or CUDA machine, chosen at run time. Used by one thread at a time.
class device {
  // Declared first, because the members below deduce their result types from it.
  template <class Function>
  decltype(auto) visit(Function&& function) const {
#if GRIDLOOM_HAS_CUDA
    if (cuda_) return function(*cuda_);
#endif
    return function(*host_);
  }
#if defined(__CUDACC__) || !GRIDLOOM_HAS_CUDA
  /// Like visit(), but only with the backends that this kernel is compiled for.
  template <class Kernel, class Result = void, class Function>
  Result visit_for([[maybe_unused]] Function&& function) const {
#if GRIDLOOM_HAS_CUDA
    if constexpr (detail::is_for_cuda<Kernel>) {
      if (cuda_) return function(*cuda_);
    }
#endif
    if constexpr (detail::is_for_host<Kernel>) {
      if (host_) return function(*host_);
    }
    throw std::logic_error("this kernel is not compiled for the machine");
  }
#endif

 public:
  /// `backend` is "host", "cuda" or "auto". "auto" is CUDA if there is a device, otherwise the
  /// host. Throws usage_error if the backend is not available.
  device(std::string const& backend, int ordinal);

  device_properties const& properties() const { return properties_; }
  bool is_host() const { return host_ != nullptr; }
  /// Makes this the device of the calling thread. Not needed in the thread that constructed it.
  void make_current() {
    visit([](auto& backend) { backend.make_current(); });
  }

  template <class T>
  buffer<T> allocate(std::size_t n) {
    return visit([&](auto& backend) {
      using backend_type = std::remove_reference_t<decltype(backend)>;
      return buffer<T>(static_cast<T*>(backend.allocate(n * sizeof(T))), n, &backend_type::release);
    });
  }
  /// Free device memory; 0 on the host. Other processes may change it.
  std::size_t free_bytes() {
    return visit([](auto& backend) { return backend.free_bytes(); });
  }
  /// Pinned host memory, which has the fastest copies from and to the device.
  template <class T>
  buffer<T> allocate_staging(std::size_t n) {
    return visit([&](auto& backend) {
      using backend_type = std::remove_reference_t<decltype(backend)>;
      return buffer<T>(static_cast<T*>(backend.allocate_staging(n * sizeof(T))), n,
                       &backend_type::release_staging);
    });
  }
  /// Device memory that holds a copy of `values`.
  template <class T>
  buffer<T> allocate_copy(std::vector<T> const& values) {
    auto result = allocate<T>(values.size());
    copy_to_device(result, std::span<T const>(values));
    return result;
  }
  template <class T>
  void copy_to_device(buffer<T> const& to, std::span<T const> from) {
    copy_to_device(to.data(), from);
  }
  /// Copies into consecutive elements of device memory.
  template <class T>
  void copy_to_device(T* to, std::span<T const> from) {
    visit([&](auto& backend) { backend.copy_to_device(to, from.data(), from.size_bytes()); });
  }
  template <class T>
  std::vector<T> copy_to_host(buffer<T> const& from) {
    std::vector<T> result(from.size());
    visit([&](auto& backend) { backend.copy_to_host(result.data(), from.data(), from.bytes()); });
    return result;
  }
  /// Copies into staging memory of the same size, after all earlier launches.
  template <class T>
  void copy_to_staging(buffer<T> const& to, buffer<T> const& from) {
    visit([&](auto& backend) { backend.copy_to_host(to.data(), from.data(), from.bytes()); });
  }
  template <class T>
  void copy_on_device(buffer<T> const& to, buffer<T> const& from) {
    visit([&](auto& backend) { backend.copy_on_device(to.data(), from.data(), from.bytes()); });
  }
  /// Copies one element of device memory.
  template <class T>
  T copy_to_host(T const* from) {
    T result;
    visit([&](auto& backend) { backend.copy_to_host(&result, from, sizeof(T)); });
    return result;
  }
  /// Copies consecutive elements of device memory.
  template <class T>
  void copy_to_host(std::span<T> to, T const* from) {
    visit([&](auto& backend) { backend.copy_to_host(to.data(), from, to.size_bytes()); });
  }
  template <class T>
  void fill_bytes(buffer<T> const& to, int byte) {
    visit([&](auto& backend) { backend.fill_bytes(to.data(), byte, to.bytes()); });
  }
  /// The stream of launches and copies, for libraries: a cudaStream_t, or null on the host.
  void* stream() const {
    return visit([](auto& backend) { return backend.stream(); });
  }
  /// Waits for all launches. Throws if a kernel failed.
  void synchronize() {
    visit([](auto& backend) { backend.synchronize(); });
  }

  /// Time in ms of the launches that `body` makes, by device events on CUDA and by a steady clock
  /// on the host.
  template <class Body>
  double time_ms(Body&& body) {
    synchronize();
    visit([](auto& backend) { backend.start_timer(); });
    body();
    double const elapsed = visit([](auto& backend) { return backend.stop_timer_ms(); });
    synchronize();
    return elapsed;
  }

  /// Records the launches that `body` makes without running them.
  template <class Body>
  launch_sequence record(Body&& body) {
    return visit([&](auto& backend) { return backend.record(body); });
  }
  /// Records launches that a replay repeats until a kernel ends the loop. `body` gets a loop_ref.
  /// If a kernel calls `end_loop(block, loop)`, the current pass is completed and is the last one.
  /// The kernels must limit the number of passes and their time, and must not launch kernels.
  /// Throws run_error if the driver does not support such graphs.
  template <class Body>
  launch_sequence record_loop(Body&& body) {
    return visit([&](auto& backend) { return backend.record_loop(body); });
  }
  void replay(launch_sequence const& recorded) {
    visit([&](auto& backend) { backend.replay(recorded); });
  }

  /// Makes later launches in the first `lanes` lanes wait for all earlier launches.
  void begin_lanes(int lanes) {
    visit([&](auto& backend) { backend.begin_lanes(lanes); });
  }
  /// The stream of a lane. Launches outside of lanes have a higher priority.
  void* lane_stream(int lane) {
    return visit([&](auto& backend) -> void* { return backend.lane_stream(lane); });
  }
  /// Makes later launches wait for the launches in the first `lanes` lanes.
  void join_lanes(int lanes) {
    visit([&](auto& backend) { backend.join_lanes(lanes); });
  }

#if defined(__CUDACC__) || !GRIDLOOM_HAS_CUDA
  template <class Kernel>
  kernel_facts facts(int threads) const {
    return visit_for<Kernel, kernel_facts>(
        [&](auto& backend) { return backend.template facts<Kernel>(threads); });
  }
  /// Starts a kernel that may run beside kernels of other lanes. On CUDA, each lane is a stream. It
  /// does not wait for earlier launches outside its lane, so begin_lanes or synchronize must
  /// precede it, and join_lanes must follow.
  template <class Kernel>
  void launch_beside(int lane, launch_shape shape, Kernel const& kernel) {
    static_assert(!Kernel::persistent, "lanes are for kernels whose blocks do not wait");
    require_shape(shape, false);
    visit([&](auto& backend) { backend.launch_beside(lane, shape, kernel); });
  }
  /// Starts two persistent kernels, after all earlier launches. They run at the same time and may
  /// wait for each other. Throws grid_error if the device cannot hold both at once. Both need a
  /// watchdog, because CUDA does not guarantee that two kernels overlap.
  template <class First, class Second>
  void launch_together(launch_shape first_shape, First const& first, launch_shape second_shape,
                       Second const& second) {
    static_assert(First::persistent && Second::persistent);
    require_shape(first_shape, true);
    require_shape(second_shape, true);
    require_resident(first_shape, resident_blocks<First>(first_shape.threads));
    require_resident(second_shape, visit([&](auto& backend) {
                       return backend.template resident_beside<Second>(second_shape.threads,
                                                                       first_shape.blocks);
                     }));
    visit(
        [&](auto& backend) { backend.launch_together(first_shape, first, second_shape, second); });
  }
  /// Number of blocks of `threads` threads that can run this kernel at once.
  template <class Kernel>
  int resident_blocks(int threads) const {
    return visit_for<Kernel, int>(
        [&](auto& backend) { return backend.template resident_blocks<Kernel>(threads); });
  }

  /// Padding with which a multiprocessor holds at most `most` blocks of a kernel that is not
  /// persistent at once. 0 on the host, and if the kernel needs none. It raises the kernel's limit
  /// of shared memory, which a later call with a larger `most` lowers again.
  template <class Kernel>
  std::size_t padding_for(int threads, int most) const {
    return visit_for<Kernel, std::size_t>(
        [&](auto& backend) { return backend.template padding_for<Kernel>(threads, most); });
  }

  /// Starts a kernel. Throws usage_error for a block size that the device does not support. Throws
  /// grid_error for a persistent grid that does not fit, because its blocks would wait for blocks
  /// that never start.
  template <class Kernel>
  void launch(launch_shape shape, Kernel const& kernel) {
    static_assert(std::is_trivially_copyable_v<Kernel>);
    require_shape(shape, Kernel::persistent);
    if constexpr (Kernel::persistent)
      require_resident(shape, resident_blocks<Kernel>(shape.threads));
    visit_for<Kernel>([&](auto& backend) { backend.launch(shape, kernel); });
  }
#endif

 private:
  void require_shape(launch_shape shape, bool persistent) const;
  void require_resident(launch_shape shape, int resident) const;

  std::unique_ptr<host_backend> host_;
#if GRIDLOOM_HAS_CUDA
  std::unique_ptr<cuda_backend> cuda_;
#endif
  device_properties properties_;
};

}  // namespace gridloom
