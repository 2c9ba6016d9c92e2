// Uses cuSPARSE's product in a graph of several iterations, on the machine's stream.

#include "cusparse.hpp"

#include <cusparse.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "gridloom/error.hpp"
#include "kernels.hpp"

namespace gridloom::mhive::jacobi {
namespace {

void require(cusparseStatus_t status, char const* call) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw run_error(std::string(call) + ": " + cusparseGetErrorString(status));
}
#define GRIDLOOM_CUSPARSE_TRY(call) require((call), #call)

/// The rest of an iteration after the product A x: the new x, its residual, and the verdict.
template <class Value>
struct update_kernel {
  static constexpr int max_threads = 256;
  static constexpr bool persistent = false;
  using scratch = collective_scratch<double, max_threads>;

  system_ref<Value> of;
  Value const* product;
  run_state* state;
  block_sums_ref among;
  stop_rules rules;
  std::uint32_t parity;

  template <thread_group Block>
  GRIDLOOM_FN void operator()(Block block, scratch& shared) const {
    if (state->verdict != outcome::running) return;
    double change = 0;
    auto const stride = static_cast<std::uint32_t>(block.count() * block.num_threads());
    for (auto i =
             static_cast<std::uint32_t>(block.index() * block.num_threads() + block.thread_rank());
         i < of.num_rows; i += stride) {
      change += detail::write_row(of, of.x[1 - parity], of.x[parity], i, product[i]);
    }
    sum_and_judge(block, shared, among, change, state, rules);
  }
};

/// Owns the library's objects.
struct handles {
  handles() = default;
  handles(handles const&) = delete;
  handles& operator=(handles const&) = delete;
  ~handles() {
    // A destructor cannot report errors.
    if (matrix != nullptr) (void)cusparseDestroySpMat(matrix);
    for (cusparseDnVecDescr_t const vector : vectors) {
      if (vector != nullptr) (void)cusparseDestroyDnVec(vector);
    }
    if (library != nullptr) (void)cusparseDestroy(library);
  }

  cusparseHandle_t library = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  /// In this order: x of even iterations, x of odd iterations, and the product.
  cusparseDnVecDescr_t vectors[3] = {};
};

template <class Value>
class library_product final : public solver {
  using update = update_kernel<Value>;
  static constexpr cudaDataType type = std::is_same_v<Value, float> ? CUDA_R_32F : CUDA_R_64F;
  static constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT;

 public:
  library_product(system<Value> const& of, solver_options const& options)
      : options_(options),
        machine_(options.machine),
        system_(options.machine, of, options.plan),
        look_every_(options.check_every + options.check_every % 2),
        blocks_(static_cast<int>(std::min(1024U, (of.num_rows() - 1) / update::max_threads + 1))),
        product_(machine_.allocate<Value>(of.num_rows())),
        state_(machine_.allocate<run_state>(1)),
        seen_(machine_.allocate_staging<run_state>(1)),
        sums_(machine_.allocate<double>(static_cast<std::size_t>(blocks_))),
        arrived_(machine_.allocate<std::uint32_t>(1)) {
    describe();
    iterations_ = machine_.record([&] {
      for (std::uint32_t iteration = 1; iteration <= look_every_; ++iteration)
        launch(machine_, iteration % 2);
    });
  }

  void reset() override {
    system_.reset();
    machine_.fill_bytes(state_, 0);
    machine_.fill_bytes(arrived_, 0);
  }
  jacobi_result run() override {
    jacobi_result result;
    std::uint32_t launched = 0;
    result.elapsed_ms = run_with_looks(machine_, state_, seen_, options_.timeout_s, launched,
                                       look_every_, [&] { machine_.replay(iterations_); });
    run_state const end = *seen_.data();
    result.iterations = end.iteration;
    result.residual = end.residual;
    result.verdict = end.verdict;
    return result;
  }
  [[nodiscard]] std::vector<double> x(std::uint32_t iterations) const override {
    return system_.x(iterations);
  }
  [[nodiscard]] std::size_t bytes() const override {
    return system_.bytes() + product_.bytes() + work_.bytes() + state_.bytes() + sums_.bytes() +
           arrived_.bytes();
  }

 private:
  void describe() {
    system_ref<Value> const of = system_.ref();
    GRIDLOOM_CUSPARSE_TRY(cusparseCreate(&own_.library));
    GRIDLOOM_CUSPARSE_TRY(
        cusparseSetStream(own_.library, static_cast<cudaStream_t>(machine_.stream())));
    auto* const offsets = const_cast<std::uint32_t*>(of.row_offsets);
    auto* const columns = const_cast<std::uint32_t*>(of.columns);
    auto* const values = const_cast<Value*>(of.values);
    GRIDLOOM_CUSPARSE_TRY(cusparseCreateCsr(&own_.matrix, of.num_rows, of.num_rows, of.num_entries,
                                            offsets, columns, values, CUSPARSE_INDEX_32I,
                                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    Value* const vectors[3] = {of.x[0], of.x[1], product_.data()};
    for (int i = 0; i < 3; ++i) {
      GRIDLOOM_CUSPARSE_TRY(cusparseCreateDnVec(&own_.vectors[i], of.num_rows, vectors[i], type));
    }
    std::size_t bytes = 0;
    GRIDLOOM_CUSPARSE_TRY(cusparseSpMV_bufferSize(own_.library, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                  &one_, own_.matrix, own_.vectors[0], &zero_,
                                                  own_.vectors[2], type, algorithm, &bytes));
    work_ = machine_.allocate<std::byte>(std::max(bytes, std::size_t{1}));
    GRIDLOOM_CUSPARSE_TRY(cusparseSpMV_preprocess(own_.library, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                  &one_, own_.matrix, own_.vectors[0], &zero_,
                                                  own_.vectors[2], type, algorithm, work_.data()));
    machine_.synchronize();
  }
  // A template, because a machine's launches exist only in sources that nvcc compiles.
  template <class Machine>
  void launch(Machine& machine, std::uint32_t parity) {
    GRIDLOOM_CUSPARSE_TRY(cusparseSpMV(own_.library, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_,
                                       own_.matrix, own_.vectors[1 - parity], &zero_,
                                       own_.vectors[2], type, algorithm, work_.data()));
    machine.launch({blocks_, update::max_threads}, update{system_.ref(),
                                                          product_.data(),
                                                          state_.data(),
                                                          {sums_.data(), arrived_.data()},
                                                          options_.rules,
                                                          parity});
  }

  static constexpr Value one_ = 1;
  static constexpr Value zero_ = 0;

  solver_options options_;
  device& machine_;
  device_system<Value> system_;
  std::uint32_t look_every_;
  int blocks_;
  buffer<Value> product_;
  buffer<std::byte> work_;
  buffer<run_state> state_;
  buffer<run_state> seen_;
  buffer<double> sums_;
  buffer<std::uint32_t> arrived_;
  /// Declared after the memory, so that the library's objects are destroyed first.
  handles own_;
  launch_sequence iterations_;
};

}  // namespace

template <typename Value>
std::unique_ptr<solver> make_cusparse(system<Value> const& of, solver_options const& options) {
  if (options.machine.is_host()) {
    throw usage_error("cusparse: expected a CUDA device, got the host");
  }
  return std::make_unique<library_product<Value>>(of, options);
}

template std::unique_ptr<solver> make_cusparse(system<float> const&, solver_options const&);
template std::unique_ptr<solver> make_cusparse(system<double> const&, solver_options const&);

}  // namespace gridloom::mhive::jacobi
