#pragma once

namespace gridloom::wavefront {

/// The barrier between two levels of a scheduler that runs level by level: the end of a kernel
/// (launched by the host, by a CUDA graph, or by a graph with programmatic dependent launch), or a
/// barrier inside one persistent kernel.
enum class level_end { launch, graph, graph_pdl, grid_barrier, cluster_barrier };

}  // namespace gridloom::wavefront
