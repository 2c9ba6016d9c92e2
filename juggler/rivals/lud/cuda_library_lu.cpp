// Calls cuSOLVER's getrf (64-bit interface) and cuBLAS's products. Without an array of pivots, getrf
// exchanges no rows.
#include <string>
#include <vector>

#include "gridloom/cuda_library.cuh"
#include "juggler/rivals/lud/library_lu.hpp"

namespace gridloom::juggler::lud {

namespace {

/// Throws unsupported unless the machine is a GPU.
device& gpu_for(std::string const& library, device& machine) {
  if (machine.is_host()) throw unsupported(library + ": expected a CUDA device, got the host");
  return machine;
}

/// One call of a library for a whole matrix, without tasks. The library launches its own kernels.
class library_executor : public executor {
 public:
  void require_done() override {}
  std::uint64_t finished() override { return 0; }
  [[nodiscard]] std::size_t bytes() const override { return 0; }
  [[nodiscard]] std::size_t launches() const override { return 0; }
  [[nodiscard]] int workers() const override { return 0; }
  [[nodiscard]] kernel_facts facts() const override { return {}; }
};

class lu_executor final : public library_executor {
 public:
  lu_executor(device& machine, std::int64_t rows, double* a)
      : machine_(&machine),
        rows_(rows),
        a_(a),
        handle_(stream_of(gpu_for("cuSOLVER", machine))),
        info_(machine.allocate<int>(1)) {
    machine.fill_bytes(info_, 0xff);
    std::size_t on_device = 0, on_host = 0;
    require_success(
        cusolverDnXgetrf_bufferSize(handle_.get(), handle_.parameters(), rows, rows, CUDA_R_64F, a,
                                    rows, CUDA_R_64F, &on_device, &on_host),
        "cusolverDnXgetrf_bufferSize");
    work_ = machine.allocate<unsigned char>(on_device);
    host_work_.resize(on_host);
  }

  void run(trace_ref) override {
    require_success(cusolverDnXgetrf(handle_.get(), handle_.parameters(), rows_, rows_, CUDA_R_64F,
                                     a_, rows_, nullptr, CUDA_R_64F, work_.data(), work_.size(),
                                     host_work_.data(), host_work_.size(), info_.data()),
                    "cusolverDnXgetrf");
  }
  void require_done() override {
    if (int const info = machine_->copy_to_host(info_)[0]; info != 0)
      throw run_error("cuSOLVER: getrf: info " + std::to_string(info));
  }
  std::size_t bytes() const override { return work_.bytes(); }

 private:
  device* machine_;
  std::int64_t rows_;
  double* a_;
  cusolver_handle handle_;
  buffer<int> info_;
  buffer<unsigned char> work_;
  std::vector<unsigned char> host_work_;
};

/// result <- factor · left · right + kept · result, for matrices stored by columns. Columns are
/// `stride` elements apart.
struct product {
  std::int64_t rows, depth;
  double factor;
  double const *left, *right;
  double kept;
  double* result;
  std::int64_t stride;
};

class product_executor final : public library_executor {
 public:
  product_executor(device& machine, product const& of)
      : handle_(stream_of(gpu_for("cuBLAS", machine))), of_(of) {}

  void run(trace_ref) override {
    auto const rows = static_cast<int>(of_.rows);
    auto const stride = static_cast<int>(of_.stride);
    require_success(cublasDgemm(handle_.get(), CUBLAS_OP_N, CUBLAS_OP_N, rows, rows,
                                static_cast<int>(of_.depth), &of_.factor, of_.left, stride,
                                of_.right, stride, &of_.kept, of_.result, stride),
                    "cublasDgemm");
  }

 private:
  cublas_handle handle_;
  product of_;
};

}  // namespace

std::unique_ptr<executor> make_library_lu(device& machine, std::int64_t rows, double* by_columns) {
  return std::make_unique<lu_executor>(machine, rows, by_columns);
}

std::unique_ptr<executor> make_library_product(device& machine, std::int64_t rows, double const* a,
                                               double* product) {
  return std::make_unique<product_executor>(machine,
                                            lud::product{rows, rows, 1, a, a, 0, product, rows});
}

std::unique_ptr<executor> make_library_update(device& machine, std::int64_t rows, int tile,
                                              double* a) {
  double* const right = a + rows * tile;
  return std::make_unique<product_executor>(
      machine, lud::product{rows - tile, tile, -1, a + tile, right, 1, right + tile, rows});
}

}  // namespace gridloom::juggler::lud
