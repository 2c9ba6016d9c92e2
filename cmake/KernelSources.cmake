# Functions for this project and, once installed, for projects that use its libraries. They read
# GRIDLOOM_HAS_CUDA.

# Marks sources that launch kernels. If the CUDA backend is built, nvcc compiles them.
function(gridloom_kernel_sources)
  if(GRIDLOOM_HAS_CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()

# Marks targets whose kernels launch kernels. Their device code is linked separately.
function(gridloom_launches_from_device)
  if(GRIDLOOM_HAS_CUDA)
    set_target_properties(${ARGN} PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
    # -ptx takes the place of -dc, which says this otherwise.
    if(GRIDLOOM_ONLY_CHECK)
      foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-rdc=true>)
      endforeach()
    endif()
  endif()
endfunction()
