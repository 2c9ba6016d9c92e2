// Bounds the memory that the graph of a specification needs.

#include <unistd.h>

#include <cstdio>

#include "gridloom/error.hpp"
#include "pets/support/generators.hpp"

namespace gridloom::pets {

void require_memory(std::string_view kind, std::uint64_t tasks, std::uint64_t edges,
                    std::uint32_t processors) {
  // Per task: costs, offsets of two adjacencies and of the structure, levels, scratch. Per edge:
  // neighbour and weight, three times.
  double const per_task = 8.0 * processors + 40;
  double const per_edge = 36;
  double const needed =
      per_task * static_cast<double>(tasks) + per_edge * static_cast<double>(edges);
  long const pages = sysconf(_SC_PHYS_PAGES);
  long const page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return;
  double const present = static_cast<double>(pages) * static_cast<double>(page_bytes);
  if (needed <= present) return;
  char text[96];
  std::snprintf(text, sizeof text, ": expected to need at most %.1f GiB of memory, got %.1f GiB",
                present * 0x1p-30, needed * 0x1p-30);
  throw usage_error(std::string{kind} + text);
}

}  // namespace gridloom::pets
