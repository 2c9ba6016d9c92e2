#pragma once
// Graphs from the two other common text formats, plain or gzip (told apart by content). Errors are
// usage_error "file:line: expected ..., got ...". Memory follows the text that is there, not what a
// header claims; what does not fit is a usage_error, too.

#include <cstdint>
#include <filesystem>

#include "gridloom/sparse/csr.hpp"

namespace gridloom::sparse {

/// A METIS .graph file (METIS 5 manual, section 4.1.1): a header "n m [fmt [ncon]]", then one line
/// a vertex with its neighbours from 1, in any order; an empty line is a vertex without neighbours;
/// comment lines start with '%'. Vertex sizes and weights are checked and dropped; edge weights
/// (whole, from 1 to 2^53) become values (double), a file without them gives a pattern. Every edge
/// must stand at both of its ends with the same weight, m counts each once, self edges and repeated
/// neighbours are refused. Above 2^24 vertices there must be a neighbour for every 64 of them,
/// counted over the whole header and over every beginning of the file. One thread.
[[nodiscard]] any_csr read_metis(std::filesystem::path const& path);

struct edge_list_options {
  /// An edge (u, v) makes the entries (u, v) and (v, u).
  bool undirected = true;
  /// Numbers start at 1.
  bool one_based = false;
};

/// An edge list as SNAP and others publish it: lines "u v" or "u v weight", separated by blanks,
/// tabs or a comma; comment lines start with '#' or '%', empty lines are passed over. The number of
/// vertices is the largest number + 1 (vertices are not renumbered); above 2^24 vertices there must
/// be at least an edge for every 64. Repeated edges count once; with differing weights they are
/// refused. An edge (u, u) makes one entry; a file without edges is refused. Weights are finite and
/// on every line or on none; they become values (double), a file without them gives a pattern. Peak
/// memory: at most 3 times the result, where lines are not repeated. One thread.
[[nodiscard]] any_csr read_edge_list(std::filesystem::path const& path,
                                     edge_list_options const& options = {});

}  // namespace gridloom::sparse
