# Optimises when a program is linked (ThinLTO): functions of one layer are inlined into another. It
# makes a crawl 3 to 6 % faster and takes a minute of processor time for each program, so the
# launcher does it for what is installed or measured: packages, wheels, benchmarks.
#
# For the layers that a page passes through, the compiler writes both machine code and its
# intermediate form into one object, at no cost. So nothing is compiled again for it.

option(GOSSAMER_LINK_TIME "Optimise the programs across layers when they are linked" ON)

# The layers that a page passes through.
set(GOSSAMER_LINK_TIME_LAYERS
  base url wire html dom content async net http record scope frontier engine)
set(GOSSAMER_LINK_TIME_FLAGS -flto=thin -ffat-lto-objects)

# Decides whether this build can do it. An instrumented build need not be fast.
function(gossamer_check_link_time)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR GOSSAMER_SANITIZE OR
     GOSSAMER_PROFILE STREQUAL "generate" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR
     NOT GOSSAMER_HAVE_LLD)
    set(GOSSAMER_HAVE_LINK_TIME OFF PARENT_SCOPE)
    return()
  endif()
  list(JOIN GOSSAMER_LINK_TIME_FLAGS " " CMAKE_REQUIRED_FLAGS)  # of what is compiled to be linked
  check_linker_flag(CXX "${GOSSAMER_LINK_TIME_FLAGS}" GOSSAMER_HAVE_LINK_TIME)
endfunction()
gossamer_check_link_time()

# Compiles a layer into objects of both kinds, if it is one of those.
function(gossamer_keep_for_link_time name)
  if(GOSSAMER_HAVE_LINK_TIME AND name IN_LIST GOSSAMER_LINK_TIME_LAYERS)
    target_compile_options(gossamer_${name} PRIVATE ${GOSSAMER_LINK_TIME_FLAGS})
  endif()
endfunction()

# Links a program from the intermediate form of those layers, if that is wanted.
function(gossamer_optimise_at_link_time program)
  if(GOSSAMER_HAVE_LINK_TIME AND GOSSAMER_LINK_TIME)
    target_link_options(${program} PRIVATE ${GOSSAMER_LINK_TIME_FLAGS}
      # Unchanged code is not optimised again.
      "LINKER:--thinlto-cache-dir=${PROJECT_BINARY_DIR}/link-time")
  endif()
endfunction()
