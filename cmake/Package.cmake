# The libraries for other projects: gridloom::machine, gridloom::files, gridloom::taskgraph,
# gridloom::sparse, gridloom::bench and the published systems (gridloom::mhive, gridloom::juggler). Targets in this
# tree can link them. find_package(gridloom) finds them after this command:
#
#   cmake --install build/host --component development --prefix DIR
#
# An installation without --component omits them, because a GPU node needs only the programs.
include(CMakePackageConfigHelpers)
set(package lib/cmake/gridloom)

# gridloom_package(TARGET NAME [HEADERS folder...])
# A folder ours or rivals is installed below the name of its artifact. Its subfolders are not
# installed, because they are parts of programs.
function(gridloom_package target name)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  add_library(gridloom::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT gridloom ARCHIVE DESTINATION lib COMPONENT development EXCLUDE_FROM_ALL
    INCLUDES DESTINATION include)
  foreach(folder ${arg_HEADERS})
    string(REGEX MATCH "[^/]+/(ours|rivals)$" below "${folder}")
    string(REGEX REPLACE "/.*" "" below "${below}")
    install(DIRECTORY "${folder}" DESTINATION "include/${below}" COMPONENT development EXCLUDE_FROM_ALL
      FILES_MATCHING PATTERN "*.hpp" REGEX "/(ours|rivals)/[^/.]+$" EXCLUDE)
  endforeach()
endfunction()

gridloom_package(gridloom_flags flags)
gridloom_package(gridloom_machine machine HEADERS common/machine/include/)
gridloom_package(gridloom_files files HEADERS common/files/include/)
gridloom_package(gridloom_taskgraph taskgraph HEADERS common/taskgraph/include/)
gridloom_package(gridloom_sparse sparse HEADERS common/sparse/include/)
gridloom_package(gridloom_bench bench HEADERS common/bench/include/)
gridloom_package(mhive mhive HEADERS thesis_mhive/mhive thesis_mhive/ours)
gridloom_package(juggler_dag juggler_dag)
gridloom_package(juggler_rivals juggler_rivals HEADERS juggler/ours juggler/rivals)
gridloom_package(juggler_runtime juggler HEADERS juggler/juggler)
install(FILES juggler/juggler.hpp DESTINATION include/juggler COMPONENT development EXCLUDE_FROM_ALL)

install(EXPORT gridloom NAMESPACE gridloom:: DESTINATION ${package} COMPONENT development EXCLUDE_FROM_ALL)
configure_package_config_file(cmake/gridloomConfig.cmake.in gridloomConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(gridloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gridloomConfig.cmake" "${PROJECT_BINARY_DIR}/gridloomConfigVersion.cmake"
  cmake/KernelSources.cmake DESTINATION ${package} COMPONENT development EXCLUDE_FROM_ALL)
