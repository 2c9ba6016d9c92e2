// The entry point of libFuzzer. An exception ends the process, and libFuzzer keeps the input.

#include <cstddef>
#include <cstdint>

#include "fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  (void)gridloom::fuzz::fuzz_one({data, size});
  return 0;
}
