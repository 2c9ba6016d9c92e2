# Settings of all targets: language standard, warnings, sanitizers, and the CUDA backend.

set(GRIDLOOM_SANITIZER none CACHE STRING "none, thread or address (with undefined behaviour)")
set_property(CACHE GRIDLOOM_SANITIZER PROPERTY STRINGS none thread address)
option(GRIDLOOM_FUZZ "Build only common/ and the fuzz targets, for libFuzzer (needs clang)" OFF)

option(GRIDLOOM_CHECK_HEADERS "Compile each header alone" OFF)
option(GRIDLOOM_ONLY_CHECK "Find errors in sources, without machine code" OFF)

# Presets, and checkouts in several folders, share compiled objects. ccache compares the headers that the compiler names
# (CCACHE_DEPEND), so that it need not preprocess each source once more.
find_program(GRIDLOOM_CCACHE ccache)
if(GRIDLOOM_CCACHE)
  set(launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher} CCACHE_DEPEND=1 "${GRIDLOOM_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher} "${GRIDLOOM_CCACHE}")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

include(CudaBackend)

# PTX needs all checks of the language, but neither ptxas nor the host's compiler, which take most of nvcc's time.
if(GRIDLOOM_ONLY_CHECK)
  string(REPLACE "<CUDA_COMPILE_MODE>" "-ptx" CMAKE_CUDA_COMPILE_OBJECT "${CMAKE_CUDA_COMPILE_OBJECT}")
  set(CMAKE_CXX_COMPILE_OBJECT "<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -fsyntax-only <SOURCE>"
    "${CMAKE_COMMAND} -E touch <OBJECT>")
endif()

# Programs find the libraries that scripts/bundle installs beside them.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

find_package(Threads REQUIRED)
if(NOT GRIDLOOM_FUZZ)  # clang's OpenMP is a separate package, and the fuzz targets do not need it
  find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()
find_package(Boost 1.74 REQUIRED COMPONENTS program_options unit_test_framework)
find_package(HDF5 REQUIRED COMPONENTS CXX)
find_package(ZLIB REQUIRED)

# All targets get these flags through the library machine.
add_library(gridloom_flags INTERFACE)
# Warnings are only for this tree, not for users of an installed library.
target_compile_options(gridloom_flags INTERFACE
  $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wall$<SEMICOLON>-Wextra$<SEMICOLON>-Wpedantic$<SEMICOLON>-Wshadow>>
  # GCC 12 wrongly reports overlaps in operator+ of std::string (its bug 105651).
  $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>>
  # A call of a host function from device code is an error.
  $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra$<SEMICOLON>--Werror=cross-execution-space-call>>)
target_compile_definitions(gridloom_flags INTERFACE GRIDLOOM_HAS_CUDA=${GRIDLOOM_HAS_CUDA})
if(GRIDLOOM_SANITIZER STREQUAL "thread")
  target_compile_options(gridloom_flags INTERFACE -fsanitize=thread)
  target_link_options(gridloom_flags INTERFACE -fsanitize=thread)
elseif(GRIDLOOM_SANITIZER STREQUAL "address")
  target_compile_options(gridloom_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined)
  target_link_options(gridloom_flags INTERFACE -fsanitize=address,undefined)
endif()
if(GRIDLOOM_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "GRIDLOOM_FUZZ=ON needs clang, got ${CMAKE_CXX_COMPILER_ID} (use preset fuzz)")
  endif()
  # Counts branches. Only the fuzz programs link libFuzzer's main.
  target_compile_options(gridloom_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(gridloom_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
