// cuSPARSE's triangular solve with one right side (SpSV), on the machine's stream.

#include <cusparse.h>

#include <algorithm>
#include <cstddef>

#include "apps/sptrsv/solver.hpp"
#include "gridloom/error.hpp"

namespace gridloom::wavefront::sptrsv {
namespace {

void require(cusparseStatus_t status, char const* call) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw run_error(std::string(call) + ": " + cusparseGetErrorString(status));
}
#define GRIDLOOM_CUSPARSE_TRY(call) require((call), #call)

/// Owns the library's objects.
struct handles {
  handles() = default;
  handles(handles const&) = delete;
  handles& operator=(handles const&) = delete;
  ~handles() {
    // A destructor cannot report errors; earlier calls have reported theirs.
    if (analysis != nullptr) (void)cusparseSpSV_destroyDescr(analysis);
    if (matrix != nullptr) (void)cusparseDestroySpMat(matrix);
    if (right_side != nullptr) (void)cusparseDestroyDnVec(right_side);
    if (x != nullptr) (void)cusparseDestroyDnVec(x);
    if (library != nullptr) (void)cusparseDestroy(library);
  }

  cusparseHandle_t library = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t right_side = nullptr;
  cusparseDnVecDescr_t x = nullptr;
  cusparseSpSVDescr_t analysis = nullptr;
};

class library_solver final : public solver {
 public:
  library_solver(device& machine, lower_system const& of) : solver(machine, of.rows()) {
    std::vector<std::int32_t> const offsets(of.matrix.row_offsets.begin(),
                                            of.matrix.row_offsets.end());
    offsets_ = machine.allocate_copy(offsets);
    columns_ = machine.allocate_copy(of.matrix.columns);
    values_ = machine.allocate_copy(of.matrix.values);
    auto const rows = static_cast<std::int64_t>(of.rows());
    auto const entries = static_cast<std::int64_t>(of.matrix.num_entries());
    GRIDLOOM_CUSPARSE_TRY(cusparseCreate(&own_.library));
    GRIDLOOM_CUSPARSE_TRY(
        cusparseSetStream(own_.library, static_cast<cudaStream_t>(machine.stream())));
    GRIDLOOM_CUSPARSE_TRY(cusparseCreateCsr(
        &own_.matrix, rows, rows, entries, offsets_.data(), columns_.data(), values_.data(),
        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
    cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
    GRIDLOOM_CUSPARSE_TRY(
        cusparseSpMatSetAttribute(own_.matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
    GRIDLOOM_CUSPARSE_TRY(cusparseSpMatSetAttribute(own_.matrix, CUSPARSE_SPMAT_DIAG_TYPE,
                                                    &diagonal, sizeof(diagonal)));
    GRIDLOOM_CUSPARSE_TRY(
        cusparseCreateDnVec(&own_.right_side, rows, right_side_.data(), CUDA_R_64F));
    GRIDLOOM_CUSPARSE_TRY(cusparseCreateDnVec(&own_.x, rows, x_.data(), CUDA_R_64F));
    GRIDLOOM_CUSPARSE_TRY(cusparseSpSV_createDescr(&own_.analysis));
    std::size_t bytes = 0;
    GRIDLOOM_CUSPARSE_TRY(cusparseSpSV_bufferSize(own_.library, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                  &one_, own_.matrix, own_.right_side, own_.x,
                                                  CUDA_R_64F, algorithm, own_.analysis, &bytes));
    work_ = machine.allocate<std::byte>(std::max(bytes, std::size_t{1}));
    GRIDLOOM_CUSPARSE_TRY(cusparseSpSV_analysis(
        own_.library, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, own_.matrix, own_.right_side, own_.x,
        CUDA_R_64F, algorithm, own_.analysis, work_.data()));
    machine.synchronize();
  }

  void run() override {
    GRIDLOOM_CUSPARSE_TRY(cusparseSpSV_solve(own_.library, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_,
                                             own_.matrix, own_.right_side, own_.x, CUDA_R_64F,
                                             algorithm, own_.analysis));
  }
  solver_facts facts() const override {
    return {offsets_.bytes() + columns_.bytes() + values_.bytes() + work_.bytes() +
                right_side_.bytes() + x_.bytes(),
            0, 0, 0};
  }

 private:
  static constexpr cusparseSpSVAlg_t algorithm = CUSPARSE_SPSV_ALG_DEFAULT;
  static constexpr double one_ = 1;

  buffer<std::int32_t> offsets_;
  buffer<std::uint32_t> columns_;
  buffer<double> values_;
  buffer<std::byte> work_;
  /// The last member, so that it is destroyed before the memory.
  handles own_;
};

}  // namespace

std::unique_ptr<solver> make_cusparse(device& machine, lower_system const& of) {
  if (machine.is_host()) throw unsupported("cusparse_spsv: expected a CUDA device, got the host");
  return std::make_unique<library_solver>(machine, of);
}

}  // namespace gridloom::wavefront::sptrsv
