# For the targets here and, installed, for projects that build on them. GRIDLOOM_HAS_CUDA is set before.

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
