#include "gridloom/backend/cuda.hpp"

#include <array>

#include "staged_copies.hpp"

namespace gridloom {

namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Drivers before 12.4 do not support loops, and later ones do not support them for every kernel.
void require_loops(cudaError_t status) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  int driver = 0;
  (void)cudaDriverGetVersion(&driver);
  throw run_error(
      "the CUDA driver (" + version_text(driver) +
      ") cannot make a graph that repeats these launches: " + cudaGetErrorString(status));
}

}  // namespace

void detail::require_success(cudaError_t status, char const* call, char const* file, int line) {
  if (status == cudaSuccess) return;
  // Clears the error, so that it is reported only here.
  (void)cudaGetLastError();
  bool const other_device =
      status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion;
  throw run_error(
      std::string(call) + " at " + file + ":" + std::to_string(line) + ": " +
      cudaGetErrorString(status) +
      (other_device ? " (built for other devices: see --arch of scripts/reproduce)" : ""));
}

void detail::require_overlap(int code_capability) {
  if (code_capability >= 90) return;
  throw run_error(
      "programmatic dependent launch: expected a device and code of compute capability 9.0, got " +
      std::to_string(code_capability / 10) + "." + std::to_string(code_capability % 10));
}

int cuda_backend::device_count() noexcept {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

void cuda_backend::make_current() { GRIDLOOM_CUDA_TRY(cudaSetDevice(ordinal_)); }

cuda_backend::cuda_backend(int ordinal) : ordinal_(ordinal) {
  make_current();
  GRIDLOOM_CUDA_TRY(
      cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal_));
  int least = 0;
  int greatest = 0;
  GRIDLOOM_CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  GRIDLOOM_CUDA_TRY(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest));
  GRIDLOOM_CUDA_TRY(cudaEventCreate(&begin_));
  GRIDLOOM_CUDA_TRY(cudaEventCreate(&end_));
}

cuda_backend::~cuda_backend() {
  // A destructor cannot report errors, but earlier calls have.
  (void)cudaStreamSynchronize(stream_);
  staged_.reset();
  for (auto const& lane : lanes_) {
    (void)cudaEventDestroy(lane.done);
    (void)cudaStreamDestroy(lane.stream);
  }
  (void)cudaEventDestroy(begin_);
  (void)cudaEventDestroy(end_);
  (void)cudaStreamDestroy(stream_);
}

device_properties cuda_backend::properties() const {
  cudaDeviceProp info{};
  GRIDLOOM_CUDA_TRY(cudaGetDeviceProperties(&info, ordinal_));
  int clock_khz = 0;
  int driver = 0;
  int runtime = 0;
  GRIDLOOM_CUDA_TRY(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, ordinal_));
  GRIDLOOM_CUDA_TRY(cudaDriverGetVersion(&driver));
  GRIDLOOM_CUDA_TRY(cudaRuntimeGetVersion(&runtime));
  std::array<char, 32> bus_id{};
  GRIDLOOM_CUDA_TRY(
      cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal_));
  device_properties p;
  p.backend = "cuda";
  p.bus_id = bus_id.data();
  p.name = info.name;
  p.multiprocessors = multiprocessors_;
  p.max_threads = info.maxThreadsPerBlock;
  p.threads_per_multiprocessor = info.maxThreadsPerMultiProcessor;
  p.compute_capability = 10 * info.major + info.minor;
  p.ticks_per_ns = clock_khz * 1e-6;
  p.memory_bytes = info.totalGlobalMem;
  p.driver = version_text(driver);
  p.runtime = version_text(runtime);
  return p;
}

void* cuda_backend::allocate(std::size_t bytes) {
  void* memory = nullptr;
  GRIDLOOM_CUDA_TRY(cudaMalloc(&memory, bytes == 0 ? 1 : bytes));
  return memory;
}

void cuda_backend::release(void* memory) noexcept { (void)cudaFree(memory); }

std::size_t cuda_backend::free_bytes() {
  std::size_t free = 0, all = 0;
  GRIDLOOM_CUDA_TRY(cudaMemGetInfo(&free, &all));
  return free;
}

void* cuda_backend::allocate_staging(std::size_t bytes) {
  void* memory = nullptr;
  GRIDLOOM_CUDA_TRY(cudaMallocHost(&memory, bytes == 0 ? 1 : bytes));
  return memory;
}

void cuda_backend::release_staging(void* memory) noexcept { (void)cudaFreeHost(memory); }

cudaStream_t cuda_backend::lane_stream(int lane) {
  while (static_cast<int>(lanes_.size()) <= lane) {
    auto& made = lanes_.emplace_back();
    GRIDLOOM_CUDA_TRY(cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking));
    GRIDLOOM_CUDA_TRY(cudaEventCreateWithFlags(&made.done, cudaEventDisableTiming));
  }
  return lanes_[static_cast<std::size_t>(lane)].stream;
}

void cuda_backend::begin_lanes(int lanes) {
  for (int i = 0; i < lanes; ++i) {
    cudaStream_t const stream = lane_stream(i);
    cudaEvent_t const before = lanes_[static_cast<std::size_t>(i)].done;
    GRIDLOOM_CUDA_TRY(cudaEventRecord(before, stream_));
    GRIDLOOM_CUDA_TRY(cudaStreamWaitEvent(stream, before, 0));
  }
}

void cuda_backend::join_lanes(int lanes) {
  for (int i = 0; i < lanes; ++i) {
    cudaStream_t const stream = lane_stream(i);
    cudaEvent_t const done = lanes_[static_cast<std::size_t>(i)].done;
    GRIDLOOM_CUDA_TRY(cudaEventRecord(done, stream));
    GRIDLOOM_CUDA_TRY(cudaStreamWaitEvent(stream_, done, 0));
  }
}

staged_copies& cuda_backend::staged() {
  if (!staged_) staged_ = std::make_unique<staged_copies>(ordinal_);
  return *staged_;
}

void cuda_backend::copy_to_device(void* to, void const* from, std::size_t bytes) {
  if (bytes >= staged_copies::least_bytes && staged_copies::is_pageable(from)) {
    return staged().to_device(to, from, bytes, stream_);
  }
  GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
  synchronize();
}

void cuda_backend::copy_to_host(void* to, void const* from, std::size_t bytes) {
  if (bytes >= staged_copies::least_bytes && staged_copies::is_pageable(to)) {
    return staged().to_host(to, from, bytes, stream_);
  }
  GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
  synchronize();
}

void cuda_backend::copy_on_device(void* to, void const* from, std::size_t bytes) {
  GRIDLOOM_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
}

void cuda_backend::fill_bytes(void* to, int byte, std::size_t bytes) {
  GRIDLOOM_CUDA_TRY(cudaMemsetAsync(to, byte, bytes, stream_));
}

void cuda_backend::synchronize() { GRIDLOOM_CUDA_TRY(cudaStreamSynchronize(stream_)); }

void cuda_backend::begin_recording() {
  GRIDLOOM_CUDA_TRY(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
}

launch_sequence cuda_backend::end_recording() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  GRIDLOOM_CUDA_TRY(cudaStreamEndCapture(stream_, &graph));
  cudaError_t const status = cudaGraphInstantiate(&executable, graph, 0);
  (void)cudaGraphDestroy(graph);
  GRIDLOOM_CUDA_TRY(status);
  GRIDLOOM_CUDA_TRY(cudaGraphUpload(executable, stream_));
  return {std::shared_ptr<void>(
      executable, [](void* e) { (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(e)); })};
}

void cuda_backend::abandon_recording() noexcept {
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream_, &graph) == cudaSuccess && graph != nullptr)
    (void)cudaGraphDestroy(graph);
  (void)cudaGetLastError();
}

cuda_backend::loop_graph cuda_backend::begin_loop_recording() {
  cudaGraph_t graph = nullptr;
  GRIDLOOM_CUDA_TRY(cudaGraphCreate(&graph, 0));
  loop_graph loop{std::shared_ptr<void>(
      graph, [](void* g) { (void)cudaGraphDestroy(static_cast<cudaGraph_t>(g)); })};
  // The condition is true at each launch of the graph.
  require_loops(
      cudaGraphConditionalHandleCreate(&loop.condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeConditional;
  node.conditional.handle = loop.condition;
  node.conditional.type = cudaGraphCondTypeWhile;
  node.conditional.size = 1;
  cudaGraphNode_t made = nullptr;
#if CUDART_VERSION >= 13000
  require_loops(cudaGraphAddNode(&made, graph, nullptr, nullptr, 0, &node));
#else
  require_loops(cudaGraphAddNode(&made, graph, nullptr, 0, &node));
#endif
  GRIDLOOM_CUDA_TRY(cudaStreamBeginCaptureToGraph(stream_, node.conditional.phGraph_out[0], nullptr,
                                                  nullptr, 0, cudaStreamCaptureModeThreadLocal));
  return loop;
}

launch_sequence cuda_backend::end_loop_recording(loop_graph const& loop) {
  // The node owns `body`.
  cudaGraph_t body = nullptr;
  GRIDLOOM_CUDA_TRY(cudaStreamEndCapture(stream_, &body));
  cudaGraphExec_t executable = nullptr;
  require_loops(cudaGraphInstantiate(&executable, static_cast<cudaGraph_t>(loop.whole.get()), 0));
  // The executable keeps the graph alive, because the condition belongs to the graph.
  launch_sequence made{std::shared_ptr<void>(executable, [whole = loop.whole](void* e) {
    (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(e));
  })};
  GRIDLOOM_CUDA_TRY(cudaGraphUpload(executable, stream_));
  return made;
}

void cuda_backend::abandon_loop_recording() noexcept {
  // The node owns `body`.
  cudaGraph_t body = nullptr;
  (void)cudaStreamEndCapture(stream_, &body);
  (void)cudaGetLastError();
}

void cuda_backend::replay(launch_sequence const& recorded) {
  GRIDLOOM_CUDA_TRY(
      cudaGraphLaunch(static_cast<cudaGraphExec_t>(recorded.launches.get()), stream_));
}

void cuda_backend::start_timer() { GRIDLOOM_CUDA_TRY(cudaEventRecord(begin_, stream_)); }

double cuda_backend::stop_timer_ms() {
  float elapsed = 0;
  GRIDLOOM_CUDA_TRY(cudaEventRecord(end_, stream_));
  GRIDLOOM_CUDA_TRY(cudaEventSynchronize(end_));
  GRIDLOOM_CUDA_TRY(cudaEventElapsedTime(&elapsed, begin_, end_));
  return elapsed;
}

}  // namespace gridloom
