# A source that does not compile, and says why: the sentence behind "Expected:" on its first line, among at most two
# errors. Without such a line it must compile. -D COMPILER -D INCLUDE_DIRS (a list with commas) -D SOURCE
string(REPLACE "," ";-I" include_dirs "-I${INCLUDE_DIRS}")
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${include_dirs} "${SOURCE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
file(STRINGS "${SOURCE}" expected LIMIT_COUNT 1)
if(NOT expected MATCHES "^// Expected: (.*)$")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "does not compile:\n${output}")
  endif()
  return()
endif()
set(sentence "${CMAKE_MATCH_1}")
string(FIND "${output}" "${sentence}" place)
string(REGEX MATCHALL "error:" errors "${output}")
list(LENGTH errors errors)
if(status EQUAL 0 OR place EQUAL -1 OR errors GREATER 2)
  message(FATAL_ERROR "expected \"${sentence}\" and at most two errors, got status ${status}, ${errors} errors:\n${output}")
endif()
