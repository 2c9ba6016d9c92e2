// cuSOLVER's ordering. The define is needed because the library's whole sparse part is deprecated.
#define DISABLE_CUSOLVER_DEPRECATED
#include <cusolverSp.h>
#include <cusparse.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>

#include "cusolver.hpp"
#include "gridloom/cuda_library.cuh"
#include "gridloom/error.hpp"

namespace gridloom::mhive::rcm {
namespace {

class cusolver_arm final : public order_arm {
 public:
  explicit cusolver_arm(arm_setup const& setup)
      : row_offsets_(std::size_t{setup.graph.num_rows} + 1),
        columns_(setup.graph.num_entries()),
        order_(setup.graph.num_rows) {
    graph_ref const graph = setup.graph;
    std::copy_n(graph.row_offsets, row_offsets_.size(), row_offsets_.begin());
    std::copy_n(graph.columns, columns_.size(), columns_.begin());
    require_success(cusolverSpCreate(&handle_), "cusolverSpCreate");
    require_success(cusparseCreateMatDescr(&description_), "cusparseCreateMatDescr");
  }
  cusolver_arm(cusolver_arm const&) = delete;
  cusolver_arm& operator=(cusolver_arm const&) = delete;
  ~cusolver_arm() override {
    if (description_ != nullptr) static_cast<void>(cusparseDestroyMatDescr(description_));
    if (handle_ != nullptr) static_cast<void>(cusolverSpDestroy(handle_));
  }

  arm_result run(bool /*with_parts*/) override {
    auto const begin = std::chrono::steady_clock::now();
    cusolverStatus_t const status = cusolverSpXcsrsymrcmHost(
        handle_, static_cast<int>(order_.size()), static_cast<int>(columns_.size()), description_,
        row_offsets_.data(), columns_.data(), order_.data());
    std::chrono::duration<double, std::milli> const elapsed =
        std::chrono::steady_clock::now() - begin;
    require_success(status, "cusolverSpXcsrsymrcmHost");
    arm_result result;
    result.both_ms = elapsed.count();
    return result;
  }
  std::vector<std::uint32_t> copy_out() override { return {order_.rbegin(), order_.rend()}; }

  std::size_t bytes() const override { return 0; }

 private:
  std::vector<int> row_offsets_;
  std::vector<int> columns_;
  std::vector<int> order_;
  cusolverSpHandle_t handle_ = nullptr;
  cusparseMatDescr_t description_ = nullptr;
};

}  // namespace

bool has_cusolver() { return true; }

std::unique_ptr<order_arm> make_cusolver_arm(arm_setup const& setup) {
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  if (setup.graph.num_entries() > most || setup.graph.num_rows > most) {
    throw unsupported("cusolver: expected at most " + std::to_string(most) +
                      " rows and entries, got " + std::to_string(setup.graph.num_rows) + " and " +
                      std::to_string(setup.graph.num_entries()));
  }
  return std::make_unique<cusolver_arm>(setup);
}

}  // namespace gridloom::mhive::rcm
