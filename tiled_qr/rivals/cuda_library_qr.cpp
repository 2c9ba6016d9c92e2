// The QR of cuSOLVER, by its 64-bit interface, and of cuBLAS, which has only a 32-bit one.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "check/of_precision.hpp"
#include "check/share_among_threads.hpp"
#include "gridloom/cuda_library.cuh"
#include "gridloom/error.hpp"
#include "rivals/library_qr.hpp"

namespace gridloom::tiled_qr {

namespace {

class cuda_stream {
 public:
  cuda_stream() {
    require_success(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    require_success(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
  }
  cuda_stream(cuda_stream const&) = delete;
  cuda_stream& operator=(cuda_stream const&) = delete;
  ~cuda_stream() {
    static_cast<void>(cudaEventDestroy(event_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  /// Makes later work in this stream wait for the work that `other` has queued so far.
  void begin_after(cudaStream_t other) { order(other, stream_); }
  /// Makes later work in `other` wait for the work that this stream has queued so far.
  void end_before(cudaStream_t other) { order(stream_, other); }

 private:
  void order(cudaStream_t before, cudaStream_t after) {
    require_success(cudaEventRecord(event_, before), "cudaEventRecord");
    require_success(cudaStreamWaitEvent(after, event_, 0), "cudaStreamWaitEvent");
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

/// cuSOLVER in one stream, with a handle and workspace for matrices of one size.
template <class T>
class cusolver_in_stream {
 public:
  cusolver_in_stream(device& machine, cudaStream_t stream, library_batch<T> const& of)
      : of_(of),
        stream_(stream),
        handle_(stream),
        info_(machine.allocate<int>(std::size_t(of.batch) * 2)) {
    machine.fill_bytes(info_, 0);
    std::size_t on_device = 0;
    std::size_t on_host = 0;
    require_success(
        cusolverDnXgeqrf_bufferSize(handle_.get(), handle_.parameters(), of.rows, of.cols,
                                    cuda_type_of<T>, nullptr, of.rows, cuda_type_of<T>, nullptr,
                                    cuda_type_of<T>, &on_device, &on_host),
        "cusolverDnXgeqrf_bufferSize");
    work_ = machine.allocate<unsigned char>(on_device);
    host_work_.resize(on_host);
    if (of.r == nullptr) return;
    int const m = int_size(of.rows, "orgqr");
    int const v = int_size(vectors(), "orgqr");
    int entries = 0;
    require_success(of_precision<T>(cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize)(
                        handle_.get(), m, v, v, of.matrices, m, of.taus, &entries),
                    "cusolverDnXorgqr_bufferSize");
    q_work_ = machine.allocate<T>(std::size_t(entries));
  }

  void factorise(std::int64_t number) {
    T* const a = of_.matrices + number * of_.rows * of_.cols;
    require_success(
        cusolverDnXgeqrf(handle_.get(), handle_.parameters(), of_.rows, of_.cols, cuda_type_of<T>,
                         a, of_.rows, cuda_type_of<T>, taus(number), cuda_type_of<T>, work_.data(),
                         work_.size(), host_work_.data(), host_work_.size(), info_.data() + number),
        "cusolverDnXgeqrf");
    if (of_.r != nullptr) form_q(number);
  }
  /// Copies the leading rows, which hold R, to `r` of the batch. Then replaces the matrix by Q.
  void form_q(std::int64_t number) {
    T* const a = of_.matrices + number * of_.rows * of_.cols;
    auto const column = static_cast<std::size_t>(vectors()) * sizeof(T);
    require_success(
        cudaMemcpy2DAsync(of_.r + number * vectors() * of_.cols, column, a,
                          static_cast<std::size_t>(of_.rows) * sizeof(T), column,
                          static_cast<std::size_t>(of_.cols), cudaMemcpyDeviceToDevice, stream_),
        "cudaMemcpy2DAsync");
    auto const m = static_cast<int>(of_.rows);
    auto const v = static_cast<int>(vectors());
    require_success(of_precision<T>(cusolverDnSorgqr, cusolverDnDorgqr)(
                        handle_.get(), m, v, v, a, m, taus(number), q_work_.data(),
                        static_cast<int>(q_work_.size()), info_.data() + of_.batch + number),
                    "cusolverDnXorgqr");
  }
  void require_done(device& machine) {
    for (int const info : machine.copy_to_host(info_))
      if (info != 0) throw run_error("cuSOLVER: geqrf or orgqr: info " + std::to_string(info));
  }
  [[nodiscard]] std::size_t bytes() const { return work_.bytes() + q_work_.bytes(); }

 private:
  [[nodiscard]] std::int64_t vectors() const { return std::min(of_.rows, of_.cols); }
  [[nodiscard]] T* taus(std::int64_t number) const { return of_.taus + number * vectors(); }

  library_batch<T> of_;
  cudaStream_t stream_;
  cusolver_handle handle_;
  buffer<int> info_;
  buffer<unsigned char> work_;
  buffer<T> q_work_;
  std::vector<unsigned char> host_work_;
};

template <class T>
class cusolver_loop final : public library_qr<T> {
 public:
  cusolver_loop(device& machine, library_batch<T> const& of)
      : machine_(machine), batch_(of.batch), qr_(machine, stream_of(machine), of) {}
  void run() override {
    for (std::int64_t number = 0; number < batch_; ++number) qr_.factorise(number);
  }
  void require_done() override { qr_.require_done(machine_); }
  [[nodiscard]] std::size_t bytes() const override { return qr_.bytes(); }

 private:
  device& machine_;
  std::int64_t batch_;
  cusolver_in_stream<T> qr_;
};

/// Uses one host thread per stream. A single thread would have to launch the kernels of all
/// streams, which takes longer than the kernels of small matrices run.
template <class T>
class cusolver_streams final : public library_qr<T> {
 public:
  cusolver_streams(device& machine, library_batch<T> const& of)
      : machine_(machine), batch_(of.batch) {
    auto const count = std::min<std::int64_t>(of.batch, of.streams);
    for (std::int64_t lane = 0; lane < count; ++lane) {
      streams_.push_back(std::make_unique<cuda_stream>());
      each_.push_back(std::make_unique<cusolver_in_stream<T>>(machine, streams_.back()->get(), of));
    }
    require_success(cudaGetDevice(&ordinal_), "cudaGetDevice");
  }
  void run() override {
    auto const lanes = static_cast<std::int64_t>(each_.size());
    for (auto const& stream : streams_) stream->begin_after(stream_of(machine_));
    share_among_threads(lanes, static_cast<int>(lanes), [&](std::int64_t lane) {
      require_success(cudaSetDevice(ordinal_), "cudaSetDevice");
      for (std::int64_t number = lane; number < batch_; number += lanes)
        each_[static_cast<std::size_t>(lane)]->factorise(number);
    });
    for (auto const& stream : streams_) stream->end_before(stream_of(machine_));
  }
  void require_done() override {
    for (auto const& one : each_) one->require_done(machine_);
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = 0;
    for (auto const& one : each_) sum += one->bytes();
    return sum;
  }

 private:
  device& machine_;
  std::int64_t batch_;
  int ordinal_ = 0;
  std::vector<std::unique_ptr<cuda_stream>> streams_;
  std::vector<std::unique_ptr<cusolver_in_stream<T>>> each_;
};

/// Calls geqrfBatched. cuBLAS cannot form Q, so cuSOLVER's orgqr forms the Q of each matrix.
template <class T>
class cublas_batched final : public library_qr<T> {
 public:
  cublas_batched(device& machine, library_batch<T> const& of)
      : machine_(machine),
        of_(of),
        handle_(stream_of(machine)),
        places_(machine.allocate_copy(places(of.matrices, of.rows * of.cols, of.batch))),
        taus_(machine.allocate_copy(places(of.taus, std::min(of.rows, of.cols), of.batch))) {
    static_cast<void>(int_size(std::max({of.rows, of.cols, of.batch}), "geqrfBatched"));
    if (of.r != nullptr) q_.emplace(machine, stream_of(machine), of);
  }
  void run() override {
    auto const m = static_cast<int>(of_.rows);
    auto const n = static_cast<int>(of_.cols);
    auto const count = static_cast<int>(of_.batch);
    require_success(of_precision<T>(cublasSgeqrfBatched, cublasDgeqrfBatched)(
                        handle_.get(), m, n, places_.data(), m, taus_.data(), &info_, count),
                    "cublasXgeqrfBatched");
    if (!q_) return;
    for (std::int64_t number = 0; number < of_.batch; ++number) q_->form_q(number);
  }
  void require_done() override {
    if (info_ != 0) throw run_error("cuBLAS: geqrfBatched: info " + std::to_string(info_));
    if (q_) q_->require_done(machine_);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return places_.bytes() + taus_.bytes() + (q_ ? q_->bytes() : 0);
  }

 private:
  static std::vector<T*> places(T* first, std::int64_t step, std::int64_t count) {
    std::vector<T*> all;
    for (std::int64_t number = 0; number < count; ++number) all.push_back(first + number * step);
    return all;
  }

  device& machine_;
  library_batch<T> of_;
  cublas_handle handle_;
  buffer<T*> places_;
  buffer<T*> taus_;
  int info_ = 0;
  std::optional<cusolver_in_stream<T>> q_;
};

}  // namespace

template <class T>
std::unique_ptr<library_qr<T>> make_library_qr(device& machine, library_method how,
                                               library_batch<T> const& of) {
  if (machine.is_host()) throw unsupported("cuSOLVER and cuBLAS need a CUDA device");
  switch (how) {
    case library_method::cusolver: return std::make_unique<cusolver_loop<T>>(machine, of);
    case library_method::cusolver_streams:
      return std::make_unique<cusolver_streams<T>>(machine, of);
    case library_method::cublas_batched: return std::make_unique<cublas_batched<T>>(machine, of);
  }
  throw std::invalid_argument("a method of a library");
}

template std::unique_ptr<library_qr<float>> make_library_qr(device&, library_method,
                                                            library_batch<float> const&);
template std::unique_ptr<library_qr<double>> make_library_qr(device&, library_method,
                                                             library_batch<double> const&);

}  // namespace gridloom::tiled_qr
