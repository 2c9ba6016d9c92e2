#include "methods.hpp"

#include "gridloom/bench/catalogue.hpp"

namespace gridloom::tiled_qr {

namespace {

constexpr method entries[] = {
    {"fr1", "report, FR1: one worker goes through the task grid", scheduling::serial},
    {"fr2", "report, FR2: workers share the task grid under a lock", scheduling::shared},
    {"fr3", "report, FR3: a scheduling kernel beside an execution kernel", scheduling::two_kernels},
    {"fr3_joined", "FR3 in one launch, whose first block is the scheduler", scheduling::joined},
    {"in_block", "beyond: a warp of each block schedules for it, without a lock",
     scheduling::in_block},
    {"static_lists", "beyond: a list a block, computed on the host before the runs",
     scheduling::static_lists},
    {"ticket", "beyond: one list for all, tickets to its places", scheduling::ticket},
    {"launches", "rival: a launch a step of independent tasks", scheduling::launches},
    {"graph", "rival: the same as a CUDA graph, a node a step", scheduling::graph},
    {"graph_pdl", "rival: the same with programmatic dependent launch", scheduling::graph_pdl},
    {"omp_tasks", "rival of fr2: OpenMP's tasks, on the host only", scheduling::omp_tasks},
    {"gram_panels", "beyond: resident teams, reflectors of 32 columns from their Gram matrix"},
    {"blocked_panels",
     "beyond: the same reflectors by passes over the rows, and products of cuBLAS"},
    {"cholesky_panels",
     "beyond: CholeskyQR in as many steps as it takes, and its Q's reflectors; up to 256 columns"},
    {"cusolver", "rival: cuSOLVER's geqrf, on the device, a call a matrix"},
    {"cusolver_streams", "rival: the same in several streams at once (--streams)"},
    {"cublas_batched", "rival: cuBLAS's geqrfBatched"},
    {.name = "cholesky_qr2",
     .what = "rival: CholeskyQR2 by cuBLAS and cuSOLVER, on the host by OpenBLAS; with --form-q",
     .as_it_is = true},
    {.name = "cholesky_qr2_mma",
     .what = "rival: the same with tall products of our own, for up to 256 columns",
     .as_it_is = true},
    {.name = "lapack", .what = "rival: LAPACKE geqrf of OpenBLAS, one thread", .on_host = true},
    {.name = "lapack_all",
     .what = "rival: the same with all threads, a matrix each where there are enough",
     .on_host = true},
    {.name = "householder",
     .what = "rival: Algorithm 1 of the report, on the whole matrix, one thread",
     .on_host = true},
};

}  // namespace

std::span<method const> methods() { return entries; }

method const& method_of(std::string const& name) {
  return bench::named<method>(entries, name, "--method");
}

bool is_of_panels(std::string_view method) {
  return method == "gram_panels" || method == "blocked_panels" || method == "cholesky_panels";
}

std::optional<scheduling> scheduling_of(std::string const& method) { return method_of(method).how; }

}  // namespace gridloom::tiled_qr
