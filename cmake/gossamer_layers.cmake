# Layers: one folder of src/, in a wing, one static library, one line of src/layers.txt.

set(GOSSAMER_LAYERS_FILE "${PROJECT_SOURCE_DIR}/src/layers.txt")

# Reads src/layers.txt. Sets GOSSAMER_LAYERS (in order), GOSSAMER_LAYER_<name>_USES,
# GOSSAMER_LAYER_<name>_FOLDER and GOSSAMER_INCLUDE_ROOTS, which are the wings.
function(gossamer_read_layers)
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS "${GOSSAMER_LAYERS_FILE}")
  file(STRINGS "${GOSSAMER_LAYERS_FILE}" lines)
  set(layers "")
  set(roots "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^(#.*)?$")
      continue()
    elseif(NOT line MATCHES "^([a-z_]+)/([a-z_]+):(( [a-z_]+)*)(  .*)?$")
      message(FATAL_ERROR "src/layers.txt: cannot read the line `${line}`")
    endif()
    set(wing "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    string(STRIP "${CMAKE_MATCH_3}" uses)
    string(REPLACE " " ";" uses "${uses}")
    foreach(used IN LISTS uses)
      if(NOT used IN_LIST layers)
        message(FATAL_ERROR "src/layers.txt: ${name} names ${used}, which is not above it")
      endif()
    endforeach()
    list(APPEND layers "${name}")
    list(APPEND roots "${PROJECT_SOURCE_DIR}/src/${wing}")
    set(GOSSAMER_LAYER_${name}_USES "${uses}" PARENT_SCOPE)
    set(GOSSAMER_LAYER_${name}_FOLDER "${wing}/${name}" PARENT_SCOPE)
  endforeach()
  list(REMOVE_DUPLICATES roots)
  set(GOSSAMER_INCLUDE_ROOTS "${roots}" PARENT_SCOPE)
  set(GOSSAMER_LAYERS "${layers}" PARENT_SCOPE)
endfunction()

gossamer_read_layers()

# Adds those of the given folders that exist. A folder that appears later makes CMake run again.
function(gossamer_add_folders)
  set(watched "${CMAKE_CURRENT_SOURCE_DIR}")
  foreach(folder IN LISTS ARGN)
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
    if(EXISTS "${path}/CMakeLists.txt")
      add_subdirectory(${folder})
    elseif(EXISTS "${path}")
      list(APPEND watched "${path}")
    endif()
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${watched})
endfunction()

# Turns the short names of gossamer_dependencies.cmake into targets.
function(gossamer_resolve_libs out_variable)
  set(targets "")
  foreach(lib IN LISTS ARGN)
    if(DEFINED gossamer_lib_${lib})
      list(APPEND targets "${gossamer_lib_${lib}}")
    elseif(TARGET "${lib}")
      list(APPEND targets "${lib}")
    else()
      message(FATAL_ERROR "unknown library ${lib}; see cmake/gossamer_dependencies.cmake")
    endif()
  endforeach()
  set(${out_variable} "${targets}" PARENT_SCOPE)
endfunction()

# Most of the build time goes into parsing the same headers. So files are compiled a dozen at a
# time, behind precompiled headers, which takes a third of the time. 0 compiles every file alone, as
# the preset `debug` does: an edit of one file is compiled sooner, and missing includes show. Where
# files are compiled together, names in anonymous namespaces must be unique in a batch, and adding a
# file can shift the batches.
set(GOSSAMER_BATCH_FILES 12 CACHE STRING "Files that are compiled at a time; 0: each alone")

set(GOSSAMER_PRECOMPILED_STANDARD
  <algorithm> <array> <atomic> <charconv> <chrono> <coroutine> <cstdint> <cstring> <deque>
  <exception> <expected> <functional> <map> <memory> <optional> <set> <source_location> <span>
  <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
# Most files of the layers above `engine` include nearly all that it is made of.
set(GOSSAMER_PRECOMPILED_CRAWL "${PROJECT_SOURCE_DIR}/src/crawl/engine/engine.h")

# Makes one precompiled header: gossamer_add_precompiled(<target> <header>...)
function(gossamer_add_precompiled target)
  add_library(${target} STATIC "${PROJECT_SOURCE_DIR}/cmake/precompiled.cc")
  target_link_libraries(${target} PUBLIC fmt::fmt Threads::Threads)
  target_include_directories(${target} PRIVATE ${GOSSAMER_INCLUDE_ROOTS})
  gossamer_harden(${target})
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${target} PUBLIC "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

if(GOSSAMER_BATCH_FILES GREATER 0)
  # Some third-party libraries require it, and a precompiled header requires the same flags
  # everywhere.
  add_compile_options(-pthread)
  gossamer_add_precompiled(gossamer_precompiled ${GOSSAMER_PRECOMPILED_STANDARD})
  gossamer_add_precompiled(gossamer_precompiled_crawl
    ${GOSSAMER_PRECOMPILED_STANDARD} "${GOSSAMER_PRECOMPILED_CRAWL}")
endif()

# Compiles the files of a target behind a precompiled header, if there is one, and hardens them as
# the header requires. LAYERS: what the files may include.
function(gossamer_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LAYERS")
  gossamer_harden(${target})
  if(NOT TARGET gossamer_precompiled)
    return()
  elseif(engine IN_LIST arg_LAYERS)
    target_precompile_headers(${target} REUSE_FROM gossamer_precompiled_crawl)
  else()
    target_precompile_headers(${target} REUSE_FROM gossamer_precompiled)
  endif()
endfunction()

# Compiles the files of a target in batches, if batches are enabled. A batch includes its files by
# their places in the tree, so that it is the same wherever the tree is: a compiler cache knows it
# again. Generated files, and those with the property GOSSAMER_ALONE, are compiled alone.
function(gossamer_batch target)
  if(GOSSAMER_BATCH_FILES EQUAL 0)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(compiled "")
  set(number 0)
  set(text "")
  set(room "${GOSSAMER_BATCH_FILES}")
  foreach(source IN LISTS sources ITEMS "")
    get_source_file_property(alone "${source}" GOSSAMER_ALONE)
    get_filename_component(path "${source}" ABSOLUTE)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" generated)
    if(source AND (alone OR generated OR NOT source MATCHES "\\.cc$"))
      list(APPEND compiled "${source}")
      continue()
    elseif(source)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
      string(APPEND text "#include \"${path}\"\n")
      math(EXPR room "${room} - 1")
    endif()
    if(text AND (room EQUAL 0 OR NOT source))
      # The profile knows functions in anonymous namespaces by this name.
      set(batch "${CMAKE_CURRENT_BINARY_DIR}/batches/${target}/unity_${number}_cxx.cxx")
      file(CONFIGURE OUTPUT "${batch}" CONTENT "${text}" @ONLY)
      list(APPEND compiled "${batch}")
      math(EXPR number "${number} + 1")
      set(text "")
      set(room "${GOSSAMER_BATCH_FILES}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${compiled}")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

# The layers that fuzz targets call are instrumented for the fuzzer. -fsanitize=fuzzer-no-link would
# instrument everything, which doubles the build time.
set(GOSSAMER_FUZZED_LAYERS
    base url wire html dom content robots mirror warc net redis index check)

# The layers that pages do not pass through, or only as one line of output. They are half of the
# code, and compiling them with -O1 takes two thirds of the time. docs/performance.md has the
# figures.
set(GOSSAMER_COLD_LAYERS
    mirror server options terminal report check captures settings run exports serve display site
    cli)

# The layers of the program alone: libgossamer is built without them.
set(GOSSAMER_PROGRAM_LAYERS terminal display cli)

# gossamer_layer(<name> SOURCES a.cc ... TESTS a_test.cc ...
#                [LIBS xxhash ...] [TEST_LAYERS sim ...] [PROGRAM main.cc] [PLAIN_TOO])
#
# Makes the static library gossamer_<name> (gossamer::<name>), which links exactly the layers on its
# line of src/layers.txt, and the test program <name>_test. Files in TESTS that end in
# _conformance_test.cc become a second program, <name>_conformance_test: they read third-party test
# vectors, which need not be there. LIBS are third-party libraries, TEST_LAYERS are more layers that
# only the tests use, PROGRAM is the source with main() of the program `gossamer`. PLAIN_TOO: the
# layer has code for some processors only (base/processor.h), so its tests also run without it.
function(gossamer_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLAIN_TOO" "PROGRAM" "SOURCES;TESTS;LIBS;TEST_LAYERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gossamer_layer(${name}): unexpected argument ${arg_UNPARSED_ARGUMENTS}")
  elseif(NOT name IN_LIST GOSSAMER_LAYERS)
    message(FATAL_ERROR "gossamer_layer(${name}): src/layers.txt has no line for it")
  elseif("main.cc" IN_LIST arg_SOURCES)
    message(FATAL_ERROR "gossamer_layer(${name}): main.cc belongs to PROGRAM, not to SOURCES")
  endif()

  if(NOT arg_SOURCES)
    message(FATAL_ERROR "gossamer_layer(${name}): SOURCES is empty")
  endif()
  set(library gossamer_${name})
  add_library(${library} STATIC ${arg_SOURCES})
  add_library(gossamer::${name} ALIAS ${library})
  target_include_directories(${library} PUBLIC ${GOSSAMER_INCLUDE_ROOTS})
  gossamer_precompile(${library} LAYERS ${name} ${GOSSAMER_LAYER_${name}_USES})
  gossamer_batch(${library})
  if(GOSSAMER_FUZZ AND name IN_LIST GOSSAMER_FUZZED_LAYERS)
    target_compile_options(${library} PRIVATE
      -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endif()
  if(name IN_LIST GOSSAMER_COLD_LAYERS)
    target_compile_options(${library} PRIVATE
      $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:Clang>>:-O1>)
  endif()
  gossamer_profile_layer(${name})
  gossamer_keep_for_link_time(${name})
  gossamer_resolve_libs(libs ${arg_LIBS})
  target_link_libraries(${library} PUBLIC fmt::fmt Threads::Threads PRIVATE ${libs})
  foreach(used IN LISTS GOSSAMER_LAYER_${name}_USES)
    target_link_libraries(${library} PUBLIC $<TARGET_NAME_IF_EXISTS:gossamer_${used}>)
  endforeach()
  set_property(GLOBAL APPEND PROPERTY GOSSAMER_LAYERS_BUILT ${name})
  set_property(GLOBAL APPEND PROPERTY GOSSAMER_LIBS_LINKED ${libs})

  if(arg_PROGRAM)
    gossamer_add_programs(${library} ${arg_PROGRAM})
  endif()

  if(GOSSAMER_TESTS)
    gossamer_layer_tests(${name} ${arg_TESTS} LAYERS ${name} ${arg_TEST_LAYERS})
    if(arg_PLAIN_TOO)
      gossamer_test_entry(${name}_plain_test ${name}_test --plain-processor LABELS unit)
    endif()
  endif()
endfunction()

# gossamer_add_programs(<library> <main.cc>)
#
# Makes gossamer_program, which contains other libraries if their archives are available, and
# gossamer_system_program, which loads those of the system. Without archives they are the same.
function(gossamer_add_programs library source)
  gossamer_add_program(gossamer_program "${PROJECT_BINARY_DIR}" ${source})
  if(GOSSAMER_ARCHIVES)
    gossamer_add_program(gossamer_system_program "${PROJECT_BINARY_DIR}/system" ${source})
    set_target_properties(gossamer_system_program PROPERTIES EXCLUDE_FROM_ALL ON)
    target_link_libraries(gossamer_system_program PRIVATE ${library})
    gossamer_link_archives_into(gossamer_program)
  else()
    add_custom_target(gossamer_system_program DEPENDS gossamer_program)
  endif()
  target_link_libraries(gossamer_program PRIVATE ${library})  # after the archives
endfunction()

# gossamer_add_program(<target> <folder of the program> <main.cc>)
function(gossamer_add_program target folder source)
  add_executable(${target} ${source})
  gossamer_precompile(${target})
  gossamer_optimise_at_link_time(${target})
  target_link_options(${target} PRIVATE LINKER:--as-needed)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME gossamer RUNTIME_OUTPUT_DIRECTORY "${folder}")
endfunction()

# The tests of one layer: <name>_test and, if there are such files, <name>_conformance_test.
function(gossamer_layer_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LAYERS")
  set(conformance ${arg_UNPARSED_ARGUMENTS})
  list(FILTER conformance INCLUDE REGEX "_conformance_test\\.cc$")
  set(unit ${arg_UNPARSED_ARGUMENTS})
  list(FILTER unit EXCLUDE REGEX "_conformance_test\\.cc$")

  # Code that may meet a second thread is also tested under ThreadSanitizer. Everything else runs on
  # one loop.
  set(labels "")
  if(name MATCHES "^(base|async|sim)$")
    set(labels tsan)
  endif()
  if(unit)
    gossamer_test(${name}_test SOURCES ${unit} LAYERS ${arg_LAYERS} LABELS unit ${labels})
  endif()
  if(conformance)
    gossamer_test(${name}_conformance_test
      SOURCES ${conformance} LAYERS ${arg_LAYERS} LABELS conformance)
  endif()
endfunction()
