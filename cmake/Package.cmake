# The libraries for other projects: the rooms of common/ (gridloom::taskgraph and others), the systems
# of the artifacts (gridloom::juggler and others), and gridloom::schedulers for the schedulers of all
# of them. Targets in this tree can link them. find_package(gridloom) finds them after this command:
#
#   cmake --install build/host --component development --prefix DIR
#
# An installation without --component omits them, because a GPU node needs only the programs.
include(CMakePackageConfigHelpers)
set(package lib/cmake/gridloom)

# gridloom_package(TARGET NAME [HEADERS folder...])
# Headers are installed where sources include them: those of ARTIFACT/ours, rivals and support below
# the name of the artifact. Subfolders of these are not installed, because they are parts of programs.
function(gridloom_package target name)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  add_library(gridloom::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT gridloom ARCHIVE DESTINATION lib COMPONENT development EXCLUDE_FROM_ALL
    INCLUDES DESTINATION include)
  foreach(folder ${arg_HEADERS})
    string(REGEX REPLACE "/?[^/]+$|[^/]+/include/$" "" below "${folder}")
    if(NOT folder MATCHES "/(ours|rivals|support)$")
      string(REGEX REPLACE "^[^/]+/?(.*)$" "\\1" below "${below}")
    endif()
    install(DIRECTORY "${folder}" DESTINATION "include/${below}" COMPONENT development EXCLUDE_FROM_ALL
      FILES_MATCHING PATTERN "*.hpp" REGEX "/(ours|rivals|support|schedulers)/[^/.]+$" EXCLUDE)
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
gridloom_package(pets_host pets HEADERS pets/pets pets/ours pets/rivals pets/support)
gridloom_package(tiled_qr_general tiled_qr HEADERS tiled_qr/tiled_qr/general)
gridloom_package(wavefront_graph wavefront HEADERS wavefront/wavefront wavefront/ours wavefront/support)
gridloom_package(gridloom_schedulers schedulers HEADERS schedulers)
install(FILES juggler/juggler.hpp DESTINATION include/juggler COMPONENT development EXCLUDE_FROM_ALL)

install(EXPORT gridloom NAMESPACE gridloom:: DESTINATION ${package} COMPONENT development EXCLUDE_FROM_ALL)
configure_package_config_file(cmake/gridloomConfig.cmake.in gridloomConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(gridloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gridloomConfig.cmake" "${PROJECT_BINARY_DIR}/gridloomConfigVersion.cmake"
  cmake/KernelSources.cmake DESTINATION ${package} COMPONENT development EXCLUDE_FROM_ALL)
