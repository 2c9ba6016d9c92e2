# Writes build_info.cpp from its template. This script runs at every build by `cmake -P`. It rewrites
# the output only if its content changes, so an unchanged checkout recompiles nothing.
#
#   cmake -D GRIDLOOM_SOURCE_DIR=<root>       the checkout
#         -D GRIDLOOM_TEMPLATE=<...cpp.in>    common/bench/src/build_info.cpp.in
#         -D GRIDLOOM_OUTPUT=<...cpp>         file to write
#         -D GRIDLOOM_COMPILERS=<text> -D GRIDLOOM_FLAGS=<text> -D PROJECT_VERSION=<text>
#         -P cmake/BuildInfo.cmake

foreach(needed GRIDLOOM_SOURCE_DIR GRIDLOOM_TEMPLATE GRIDLOOM_OUTPUT)
  if(NOT DEFINED ${needed})
    message(FATAL_ERROR "BuildInfo.cmake: expected -D ${needed}=...")
  endif()
endforeach()

set(GRIDLOOM_COMMIT "unknown")
set(GRIDLOOM_DIRTY 0)

find_program(GRIDLOOM_GIT git)
if(GRIDLOOM_GIT)
  function(ask_git result_var output_var)
    execute_process(
      COMMAND ${GRIDLOOM_GIT} ${ARGN}
      WORKING_DIRECTORY "${GRIDLOOM_SOURCE_DIR}"
      RESULT_VARIABLE result
      OUTPUT_VARIABLE output
      ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(${result_var} "${result}" PARENT_SCOPE)
    set(${output_var} "${output}" PARENT_SCOPE)
  endfunction()

  # The prefix is empty only at the top of a checkout. A release that was unpacked inside another
  # repository must not report that repository's commit.
  ask_git(prefix_result prefix rev-parse --show-prefix)
  ask_git(commit_result commit rev-parse --verify HEAD)
  if(prefix_result EQUAL 0 AND prefix STREQUAL "" AND commit_result EQUAL 0)
    set(GRIDLOOM_COMMIT "${commit}")
    # --no-optional-locks: a build must not race with the user's own git commands.
    ask_git(status_result changes --no-optional-locks status --porcelain --untracked-files=no)
    if(NOT status_result EQUAL 0 OR NOT changes STREQUAL "")
      set(GRIDLOOM_DIRTY 1)
    endif()
  endif()
endif()

configure_file("${GRIDLOOM_TEMPLATE}" "${GRIDLOOM_OUTPUT}" @ONLY)
