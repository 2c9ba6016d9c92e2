# Compiles SOURCE with QUEUE. The compiler must print EXPECTED and at most two errors. If EXPECTED is empty, the source
# must compile. Further definitions: COMPILER, and INCLUDE_DIRS, which are separated by commas.
string(REPLACE "," ";-I" include_dirs "-I${INCLUDE_DIRS}")
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-DQUEUE=${QUEUE}" ${include_dirs} "${SOURCE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if("${EXPECTED}" STREQUAL "")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "does not compile:\n${output}")
  endif()
  return()
endif()
string(FIND "${output}" "${EXPECTED}" place)
string(REGEX MATCHALL "error:" errors "${output}")
list(LENGTH errors errors)
if(status EQUAL 0 OR place EQUAL -1 OR errors GREATER 2)
  message(FATAL_ERROR "expected \"${EXPECTED}\" and at most two errors, got status ${status}, ${errors} errors:\n${output}")
endif()
