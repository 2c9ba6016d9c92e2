# The few functions an artifact's CMakeLists.txt is made of.

# Sources that launch kernels: nvcc compiles them where the CUDA backend is built in, else the C++ compiler.
function(gridloom_kernel_sources)
  if(GRIDLOOM_HAS_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()

# Targets whose kernels launch kernels: their device code is linked apart.
function(gridloom_launches_from_device)
  if(GRIDLOOM_HAS_CUDA)
    set_target_properties(${ARGN} PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
  endif()
endfunction()

# A program that is installed.
function(gridloom_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  if(NOT GRIDLOOM_SKIP_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION bin)
  endif()
endfunction()

# gridloom_test(NAME SOURCES file... LABELS label... [LIBRARIES lib...] [TIMEOUT seconds] [INSTALL])
# A test that starts threads has the label concurrency: ThreadSanitizer, which has nothing to say of the others, runs
# those alone. INSTALL: the test is part of the tree for GPU nodes.
function(gridloom_test name)
  cmake_parse_arguments(arg "INSTALL" "TIMEOUT" "SOURCES;LABELS;LIBRARIES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_compile_definitions(${name} PRIVATE BOOST_TEST_DYN_LINK)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} Boost::unit_test_framework)
  if(GRIDLOOM_SANITIZER STREQUAL "thread" AND NOT "concurrency" IN_LIST arg_LABELS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
  if(arg_INSTALL)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../../lib")
    install(TARGETS ${name} RUNTIME DESTINATION bin/tests)
  endif()
endfunction()

# Every header compiles alone: one small source a header, in one object library. Sanitizers change nothing about that.
function(gridloom_check_headers target include_dir)
  file(GLOB_RECURSE headers RELATIVE "${include_dir}" CONFIGURE_DEPENDS "${include_dir}/*.hpp")
  set(sources)
  foreach(header ${headers})
    string(REPLACE "/" "_" stem "${header}")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/header_checks/${stem}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n")
    list(APPEND sources "${source}")
  endforeach()
  add_library(${target} OBJECT ${sources})
  if(NOT GRIDLOOM_SANITIZER STREQUAL "none")
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()
