#pragma once

namespace gridloom::wavefront {

/// The barrier between two levels of a scheduler that runs level by level: the end of a kernel,
/// with launches from the host, from a CUDA graph, or from one with programmatic dependent launch;
/// or a barrier inside one persistent kernel.
enum class level_end { launch, graph, graph_pdl, grid_barrier, cluster_barrier };

}  // namespace gridloom::wavefront
