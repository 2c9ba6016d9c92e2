# Compiles SOURCE with the definition QUEUE, and with USE if it is not empty. The compiler's only error must be EXPECTED,
# with 25 lines at most. If EXPECTED is empty, the source must compile. Further definitions:
# COMPILER, and INCLUDE_DIRS, which are separated by commas.
string(REPLACE "," ";-I" include_dirs "-I${INCLUDE_DIRS}")
if(USE)
  set(use "-D${USE}")
endif()
execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-DQUEUE=${QUEUE}" ${use} ${include_dirs} "${SOURCE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if("${EXPECTED}" STREQUAL "")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "does not compile:\n${output}")
  endif()
  return()
endif()
string(REGEX MATCH "error: [^\n]*" first "${output}")
string(FIND "${first}" "${EXPECTED}" place)
string(REGEX MATCHALL "error:" errors "${output}")
list(LENGTH errors errors)
string(REGEX MATCHALL "\n" lines "${output}")
list(LENGTH lines lines)
if(status EQUAL 0 OR place EQUAL -1 OR NOT errors EQUAL 1 OR lines GREATER 25)
  message(FATAL_ERROR "expected \"${EXPECTED}\" as the only error, with 25 lines at most, got status ${status}, \
${errors} errors, ${lines} lines:\n${output}")
endif()
