# The profile: how often each branch of the hot functions is taken, which guides layout, inlining
# and unrolling. It is stored as text in profile/gossamer.proftext, which `./gossamer train` writes.
# A function that has changed since then is compiled without a profile.

set(GOSSAMER_PROFILE use CACHE STRING
  "use: optimise by profile/gossamer.proftext; generate: count, to make a new one; off")
set_property(CACHE GOSSAMER_PROFILE PROPERTY STRINGS use generate off)
if(NOT GOSSAMER_PROFILE MATCHES "^(use|generate|off)$")
  message(FATAL_ERROR "GOSSAMER_PROFILE must be use, generate or off, not `${GOSSAMER_PROFILE}`")
endif()

set(GOSSAMER_PROFILE_TEXT "${PROJECT_SOURCE_DIR}/profile/gossamer.proftext")

# The layers that a crawl spends its time in.
set(GOSSAMER_PROFILED_LAYERS
  base url wire html dom content robots warc async net http record scope frontier engine store
  cli)

# Functions are identified by the file's name, not by its path, so the tree can be anywhere.
set(GOSSAMER_PROFILE_NAMES "SHELL:-mllvm -static-func-full-module-prefix=false")

# Why this build cannot use a profile, or "".
function(gossamer_profile_obstacle out_variable)
  set(obstacle "")
  find_program(GOSSAMER_PROFDATA NAMES llvm-profdata-19)
  mark_as_advanced(GOSSAMER_PROFDATA)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    set(obstacle "the build type is not Release")
  elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR
         NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    set(obstacle "it is for clang 19, and this is ${CMAKE_CXX_COMPILER_ID} \
${CMAKE_CXX_COMPILER_VERSION}")
  elseif(NOT EXISTS "${GOSSAMER_PROFILE_TEXT}")
    set(obstacle "there is none; `./gossamer train` makes it")
  elseif(NOT GOSSAMER_PROFDATA)
    set(obstacle "llvm-profdata-19 is not installed (Debian: llvm-19)")
  endif()
  set(${out_variable} "${obstacle}" PARENT_SCOPE)
endfunction()

# Converts the text into the compiler's format. The file is named after its content, so that another
# profile recompiles the layers. Sets GOSSAMER_PROFILE_DATA, to "" if there is no profile.
function(gossamer_read_profile)
  set(GOSSAMER_PROFILE_DATA "" PARENT_SCOPE)
  gossamer_profile_obstacle(obstacle)
  if(NOT obstacle)
    set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
      CMAKE_CONFIGURE_DEPENDS "${GOSSAMER_PROFILE_TEXT}")
    file(SHA256 "${GOSSAMER_PROFILE_TEXT}" digest)
    string(SUBSTRING "${digest}" 0 16 digest)
    set(data "${PROJECT_BINARY_DIR}/gossamer-${digest}.profdata")
    if(NOT EXISTS "${data}")
      # It is complete or absent: a build that finds it trusts it.
      execute_process(
        COMMAND "${GOSSAMER_PROFDATA}" merge -o "${data}.new" "${GOSSAMER_PROFILE_TEXT}"
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE words)
      if(status EQUAL 0)
        file(RENAME "${data}.new" "${data}")
      else()
        string(STRIP "${words}" obstacle)
      endif()
    endif()
  endif()
  if(obstacle)
    message(STATUS "Without a profile: ${obstacle}")
  else()
    message(STATUS "With the profile profile/gossamer.proftext")
    set(GOSSAMER_PROFILE_DATA "${data}" PARENT_SCOPE)
  endif()
endfunction()

set(GOSSAMER_PROFILE_DATA "")
if(GOSSAMER_PROFILE STREQUAL "use")
  gossamer_read_profile()
endif()
# Ninja compiles in the build folder: without the path, the same command works in every folder.
set(GOSSAMER_PROFILE_DATA_USED "${GOSSAMER_PROFILE_DATA}")
if(CMAKE_GENERATOR STREQUAL "Ninja")
  cmake_path(GET GOSSAMER_PROFILE_DATA FILENAME GOSSAMER_PROFILE_DATA_USED)
endif()

# Compiles a layer with the profile, or with instrumentation.
function(gossamer_profile_layer name)
  set(library gossamer_${name})
  if(NOT name IN_LIST GOSSAMER_PROFILED_LAYERS)
    return()
  elseif(GOSSAMER_PROFILE STREQUAL "generate")
    target_compile_options(${library} PRIVATE -fprofile-generate ${GOSSAMER_PROFILE_NAMES})
    target_link_options(${library} INTERFACE -fprofile-generate)
  elseif(GOSSAMER_PROFILE_DATA)
    target_compile_options(${library} PRIVATE
      "-fprofile-use=${GOSSAMER_PROFILE_DATA_USED}" ${GOSSAMER_PROFILE_NAMES}
      # A function without a profile, or with an outdated one, is not worth a warning.
      -Wno-profile-instr-out-of-date -Wno-profile-instr-unprofiled -Wno-backend-plugin)
  endif()
endfunction()
