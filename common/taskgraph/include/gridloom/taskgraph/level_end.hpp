#pragma once

namespace gridloom {

/// The barrier between two levels of a scheduler that runs level by level. It is a barrier inside
/// one persistent kernel, or the end of a kernel. In the second case, the host, a CUDA graph, or a
/// graph with programmatic dependent launch launches the kernels.
enum class level_end { launch, graph, graph_pdl, grid_barrier, cluster_barrier };

}  // namespace gridloom
