# The functions that an artifact's CMakeLists.txt uses.

include(KernelSources)  # gridloom_kernel_sources, gridloom_launches_from_device

# All targets that need nvcc: the programs, and the tests with the label cuda.
add_custom_target(gridloom_device)

# A program that is installed. The programs of a build are in build/PRESET/bin.
function(gridloom_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  if(NOT GRIDLOOM_SKIP_INSTALL)
    add_dependencies(gridloom_device ${name})
    install(TARGETS ${name} RUNTIME DESTINATION bin)
  endif()
endfunction()

# Tests are compiled with less optimisation than a Release build, and in few large units. Each file
# has its own test suite, so that files may use the same names.
function(gridloom_test_flags name)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
endfunction()

# gridloom_test(NAME SOURCES file... LABELS label... [LIBRARIES lib...] [TIMEOUT seconds] [MAIN] [INSTALL])
# A test that starts threads has the label concurrency. ThreadSanitizer runs only these tests. They
# run one at a time, because workers of two tests would wait for each other's cores. A test with the
# label data is skipped if there are no real inputs. TIMEOUT (default 900 s) only ends a hang.
# MAIN: the sources contain a main. INSTALL: the test is installed for GPU nodes.
function(gridloom_test name)
  cmake_parse_arguments(arg "INSTALL;MAIN" "TIMEOUT" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 900)
  endif()
  if("data" IN_LIST arg_LABELS)
    list(APPEND arg_LIBRARIES gridloom_data_test_main)
  elseif(NOT arg_MAIN)
    list(APPEND arg_LIBRARIES gridloom_test_main)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE gridloom_testing ${arg_LIBRARIES})
  gridloom_test_flags(${name})
  if(arg_MAIN)
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(GRIDLOOM_SANITIZER STREQUAL "thread" AND NOT "concurrency" IN_LIST arg_LABELS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    return()
  endif()
  if("cuda" IN_LIST arg_LABELS)
    add_dependencies(gridloom_device ${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
  if("concurrency" IN_LIST arg_LABELS)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK workers)
  endif()
  if(arg_INSTALL)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../../lib")
    install(TARGETS ${name} RUNTIME DESTINATION bin/tests)
  endif()
endfunction()

# gridloom_fuzz_target(NAME SOURCES file... LABELS label... LIBRARIES lib...)
# Adds a test that runs the fuzz target fuzz_NAME.cpp of this folder on the files in seeds/NAME and
# on mutations of them. With GRIDLOOM_FUZZ (preset fuzz, clang), also adds the libFuzzer program.
function(gridloom_fuzz_target name)
  cmake_parse_arguments(arg "" "" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  set(shared "${PROJECT_SOURCE_DIR}/common/sparse/tests/fuzz")
  add_library(fuzz_${name}_target OBJECT fuzz_${name}.cpp ${arg_SOURCES})
  target_include_directories(fuzz_${name}_target PUBLIC "${shared}")
  target_link_libraries(fuzz_${name}_target PUBLIC ${arg_LIBRARIES})

  gridloom_test(fuzz_${name}_seeds_test SOURCES "${shared}/seeds_test.cpp"
    LABELS ${arg_LABELS} LIBRARIES fuzz_${name}_target)
  target_compile_definitions(fuzz_${name}_seeds_test PRIVATE
    GRIDLOOM_FUZZ_TARGET="${name}" GRIDLOOM_FUZZ_SEEDS="${CMAKE_CURRENT_SOURCE_DIR}/seeds/${name}")

  if(GRIDLOOM_FUZZ)
    add_executable(fuzz_${name} "${shared}/fuzz_entry.cpp")
    target_link_libraries(fuzz_${name} PRIVATE fuzz_${name}_target)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  endif()
endfunction()

# gridloom_device_test(NAME WORKERS n,n... CASES file... [PLAIN_CASES file...] [OBJECTS objects...] [DEFINITIONS d...]
#                      LABELS label... LIBRARIES lib... [TIMEOUT seconds] [LAUNCHES_FROM_DEVICE])
# Adds two tests of the same cases. NAME_host_test runs them with these numbers of host workers,
# NAME_cuda_test with several block sizes of a device. CASES launch kernels, PLAIN_CASES do not.
function(gridloom_device_test name)
  cmake_parse_arguments(arg "LAUNCHES_FROM_DEVICE" "WORKERS;TIMEOUT"
    "CASES;PLAIN_CASES;OBJECTS;DEFINITIONS;LABELS;LIBRARIES" ${ARGN})
  if(arg_TIMEOUT)
    set(timeout TIMEOUT ${arg_TIMEOUT})
  endif()
  gridloom_kernel_sources(${arg_CASES})
  add_library(${name}_cases OBJECT ${arg_CASES} ${arg_PLAIN_CASES})
  target_compile_definitions(${name}_cases PRIVATE ${arg_DEFINITIONS})
  target_link_libraries(${name}_cases PRIVATE gridloom_testing ${arg_LIBRARIES})
  gridloom_test_flags(${name}_cases)
  set(objects $<TARGET_OBJECTS:${name}_cases> ${arg_OBJECTS})
  set(mains "${PROJECT_SOURCE_DIR}/common/machine/tests")
  set(linked ${name}_cases ${name}_host_test)
  gridloom_test(${name}_host_test SOURCES "${mains}/host_main.cpp" ${objects} MAIN
    LABELS ${arg_LABELS} LIBRARIES ${arg_LIBRARIES} ${timeout})
  target_compile_definitions(${name}_host_test PRIVATE GRIDLOOM_TEST_WORKERS=${arg_WORKERS})
  if(GRIDLOOM_HAS_CUDA)
    gridloom_test(${name}_cuda_test SOURCES "${mains}/cuda_main.cpp" ${objects} MAIN
      LABELS cuda LIBRARIES ${arg_LIBRARIES} ${timeout} INSTALL)
    list(APPEND linked ${name}_cuda_test)
  endif()
  if(arg_LAUNCHES_FROM_DEVICE)
    gridloom_launches_from_device(${linked})
  endif()
endfunction()

# gridloom_check_headers(TARGET folder...)
# Checks that every header below the folders compiles alone for users of TARGET. A header that a
# source includes first is checked by that source. For each other header, the preset host compiles
# a source of one line.
function(gridloom_check_headers target)
  if(NOT GRIDLOOM_CHECK_HEADERS)
    return()
  endif()
  get_filename_component(artifact "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  set(first)
  foreach(source ${sources})
    file(STRINGS "${source}" line REGEX "^#include " LIMIT_COUNT 1)
    if(line MATCHES "\"(.*)\"")
      list(APPEND first "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set(checks)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE headers RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}/${folder}" CONFIGURE_DEPENDS "${folder}/*.hpp")
    foreach(header ${headers})
      if(header IN_LIST first OR "${folder}/${header}" IN_LIST first OR "${artifact}/${folder}/${header}" IN_LIST first)
        continue()
      endif()
      string(MAKE_C_IDENTIFIER "${folder}/${header}" stem)
      set(check "${CMAKE_CURRENT_BINARY_DIR}/header_checks/${stem}.cpp")
      cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/header_checks"
        OUTPUT_VARIABLE from_check)
      file(CONFIGURE OUTPUT "${check}" CONTENT "#include \"${from_check}/${folder}/${header}\"\n")
      list(APPEND checks "${check}")
    endforeach()
  endforeach()
  if(checks)
    add_library(${target}_headers OBJECT ${checks})
    target_include_directories(${target}_headers PRIVATE ${ARGN})
    target_compile_options(${target}_headers PRIVATE -O0)
    target_link_libraries(${target}_headers PRIVATE ${target})
  endif()
endfunction()
