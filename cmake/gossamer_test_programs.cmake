# Test programs: GoogleTest and gmock, one precompiled header for all of them.

if(NOT GOSSAMER_TESTS)
  return()
endif()

find_package(GTest REQUIRED)

# Parsing GoogleTest takes seconds, so it is parsed once. All test programs are compiled with the
# flags of this library, or the compiler would refuse the precompiled header.
add_library(gossamer_test_main STATIC "${PROJECT_SOURCE_DIR}/tests/support/main.cc")
target_include_directories(gossamer_test_main PUBLIC "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(gossamer_test_main PUBLIC GTest::gmock GTest::gtest fmt::fmt Threads::Threads)
target_compile_definitions(gossamer_test_main PUBLIC
  GOSSAMER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_precompile_headers(gossamer_test_main PRIVATE <gmock/gmock.h> <gtest/gtest.h>
  <algorithm> <array> <chrono> <coroutine> <cstdint> <expected> <functional> <map> <memory>
  <optional> <set> <span> <string> <string_view> <thread> <utility> <vector>
  <fmt/format.h> <nlohmann/json.hpp>)
# Tests are compiled more often than they are run, so they are not optimised; what they test is.
target_compile_options(gossamer_test_main PUBLIC -O0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # A time stamp in the header would make equal builds differ.
  target_compile_options(gossamer_test_main PUBLIC "SHELL:-Xclang -fno-pch-timestamp")
endif()

# What `./gossamer test KIND` and `./gossamer test --tsan` build and run: the programs with that
# label. Those of other labels need more than themselves.
foreach(kind unit conformance sim tsan)
  add_custom_target(${kind}_tests)
endforeach()

# gossamer_test(<name> SOURCES a_test.cc ... LAYERS url ... [LABELS unit ...] [LIBS ...])
#
# One program and one entry of ctest: on few cores a process per test case costs more than the
# tests. The entry counts as skipped if a test case was skipped and none failed.
function(gossamer_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LAYERS;LABELS;LIBS")
  add_executable(${name} ${arg_SOURCES})
  target_precompile_headers(${name} REUSE_FROM gossamer_test_main)
  gossamer_batch(${name})
  gossamer_resolve_libs(libs ${arg_LIBS})
  target_link_libraries(${name} PRIVATE gossamer_test_main ${libs})
  foreach(layer IN LISTS arg_LAYERS)
    target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:gossamer_${layer}>)
  endforeach()
  foreach(kind IN LISTS arg_LABELS)
    if(TARGET ${kind}_tests)
      add_dependencies(${kind}_tests ${name})
    endif()
  endforeach()
  gossamer_test_entry(${name} ${name} LABELS ${arg_LABELS})
endfunction()

# gossamer_test_entry(<name> <program> [argument ...] [LABELS unit ...])
#
# An entry of ctest that runs a test program.
function(gossamer_test_entry name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LABELS")
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77)
  if(GOSSAMER_SANITIZE)
    set(suppressions "${PROJECT_SOURCE_DIR}/tests/tsan_suppressions.txt")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT
      "UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=halt_on_error=1 suppressions=${suppressions}")
  endif()
endfunction()
