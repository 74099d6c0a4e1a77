# Test programs: GoogleTest and gmock, one precompiled header for all of them.

if(NOT GOSSAMER_TESTS)
  return()
endif()

find_package(GTest REQUIRED)

# Parsing GoogleTest takes seconds, so it is parsed once. All test programs are compiled with the
# flags of this library, because the compiler rejects the precompiled header otherwise.
add_library(gossamer_test_main STATIC
  "${PROJECT_SOURCE_DIR}/tests/support/main.cc" "${PROJECT_SOURCE_DIR}/tests/support/places.cc")
target_include_directories(gossamer_test_main PUBLIC
  ${GOSSAMER_INCLUDE_ROOTS} "${PROJECT_SOURCE_DIR}")
target_link_libraries(gossamer_test_main PUBLIC GTest::gmock GTest::gtest fmt::fmt Threads::Threads)
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/support/places.cc" PROPERTIES
  COMPILE_DEFINITIONS
  "GOSSAMER_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\";GOSSAMER_BUILD_DIR=\"${PROJECT_BINARY_DIR}\""
  SKIP_PRECOMPILE_HEADERS ON)
target_precompile_headers(gossamer_test_main PRIVATE <gmock/gmock.h> <gtest/gtest.h>
  <algorithm> <array> <chrono> <coroutine> <cstdint> <expected> <functional> <map> <memory>
  <optional> <set> <span> <string> <string_view> <thread> <utility> <vector>
  <fmt/format.h> <nlohmann/json.hpp>)
# Tests are compiled more often than they are run, so they are not optimised; what they test is.
# A program that computes for minutes has the property GOSSAMER_OPTIMISED: without it, it would also
# use unoptimised templates in the code that it tests, because the linker takes the first ones.
set(GOSSAMER_TESTS_OPTIMISED -O0)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Without these a coroutine that continues another one uses more and more of the stack.
  set(GOSSAMER_TESTS_OPTIMISED "-O1;-foptimize-sibling-calls")
endif()
target_compile_options(gossamer_test_main PUBLIC
  "$<IF:$<BOOL:$<TARGET_PROPERTY:GOSSAMER_OPTIMISED>>,-O2,${GOSSAMER_TESTS_OPTIMISED}>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # A time stamp in the header would make equal builds differ.
  target_compile_options(gossamer_test_main PUBLIC "SHELL:-Xclang -fno-pch-timestamp")
endif()

# `./gossamer test` builds these: everything that a test runs, and no benchmark. Kinds of tests can
# be built alone: `./gossamer test unit` builds unit_tests.
add_custom_target(tests)
foreach(kind unit conformance sim tsan tsan_program)
  add_custom_target(${kind}_tests)
endforeach()

# ctest runs three times as many tests as there are cores, because tests that start programs mostly
# wait. A test that computes all the time counts as two.
set(GOSSAMER_COMPUTING_TEST 2)

# gossamer_test(<name> SOURCES a_test.cc ... LAYERS url ... [LABELS unit ...] [LIBS ...] [WAITS])
#
# One program and one entry of ctest: on few cores a process per test case costs more than the
# tests. The entry counts as skipped if a test case was skipped and none failed. WAITS: the tests
# mostly wait for other programs.
function(gossamer_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WAITS" "" "SOURCES;LAYERS;LABELS;LIBS")
  gossamer_test_program(${name} SOURCES ${arg_SOURCES} LAYERS ${arg_LAYERS}
    LABELS ${arg_LABELS} LIBS ${arg_LIBS})
  set(waits "")
  if(arg_WAITS)
    set(waits WAITS)
  endif()
  gossamer_test_entry(${name} ${name} LABELS ${arg_LABELS} ${waits})
endfunction()

# gossamer_test_program(<name> SOURCES ... LAYERS ... [LABELS ...] [LIBS ...]): no entry of ctest.
function(gossamer_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LAYERS;LABELS;LIBS")
  add_executable(${name} ${arg_SOURCES})
  target_precompile_headers(${name} REUSE_FROM gossamer_test_main)
  gossamer_batch(${name})
  gossamer_resolve_libs(libs ${arg_LIBS})
  target_link_libraries(${name} PRIVATE gossamer_test_main ${libs})
  foreach(layer IN LISTS arg_LAYERS)
    target_link_libraries(${name} PRIVATE $<TARGET_NAME_IF_EXISTS:gossamer_${layer}>)
  endforeach()
  add_dependencies(tests ${name})
  foreach(kind IN LISTS arg_LABELS)
    if(TARGET ${kind}_tests)
      add_dependencies(${kind}_tests ${name})
    endif()
  endforeach()
endfunction()

# gossamer_test_entry(<name> <program> [argument ...] [LABELS unit ...] [WAITS])
#
# An entry of ctest that runs a test program.
function(gossamer_test_entry name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "WAITS" "" "LABELS")
  add_test(NAME ${name} COMMAND ${program} --gtest_brief=1 ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77)
  if(NOT arg_WAITS)
    set_tests_properties(${name} PROPERTIES PROCESSORS ${GOSSAMER_COMPUTING_TEST})
  endif()
  if(GOSSAMER_SANITIZE)
    set(suppressions "${PROJECT_SOURCE_DIR}/tests/tsan_suppressions.txt")
    set_tests_properties(${name} PROPERTIES ENVIRONMENT
      "UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=halt_on_error=1 suppressions=${suppressions}")
  endif()
endfunction()

# gossamer_split_test(<program> [LABELS ...] PARTS <name>=<filter> ...)
#
# Several entries of ctest for one program, so that they run at the same time. Each <filter> is one
# of GoogleTest; the last entry is named after the program and runs the tests that no filter names,
# so a new test is always run.
function(gossamer_split_test program)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LABELS;PARTS")
  set(named "")
  foreach(part IN LISTS arg_PARTS)
    if(NOT part MATCHES "^([a-z_]+)=([A-Za-z_*.:/]+)$")
      message(FATAL_ERROR "gossamer_split_test(${program}): cannot read the part `${part}`")
    endif()
    list(APPEND named "${CMAKE_MATCH_2}")
    gossamer_test_entry(${CMAKE_MATCH_1} ${program} "--gtest_filter=${CMAKE_MATCH_2}"
      LABELS ${arg_LABELS} WAITS)
    gossamer_start_early(${CMAKE_MATCH_1})
  endforeach()
  list(JOIN named ":" named)
  gossamer_test_entry(${program} ${program} "--gtest_filter=-${named}" LABELS ${arg_LABELS} WAITS)
endfunction()

# Makes ctest start with these tests, because they take longest.
function(gossamer_start_early)
  set_tests_properties(${ARGN} PROPERTIES COST 100)
endfunction()
