# The required compiler, the language standard and the warnings.

include(CheckLinkerFlag)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR
    "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines: `co_await f({.host = s})` destroys "
    "its temporary twice, `if (co_await x)` can be skipped altogether, and below -O2 symmetric "
    "transfer overflows the stack. Use clang++-19 (the presets do: cmake --preset release) "
    "or g++ 14 and later.")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
  message(FATAL_ERROR
    "clang ${CMAKE_CXX_COMPILER_VERSION} is too old: C++23 as written here needs clang 17, and "
    "clang 19 is what is tested (the presets choose it: cmake --preset release).")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# A build without a preset is optimised.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_compile_options(
  -Wall -Wextra -Wpedantic
  -Wcast-align -Wconversion -Wno-sign-conversion -Wdouble-promotion -Wextra-semi -Wformat=2
  -Wimplicit-fallthrough -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wshadow
  -Wundef -Wunused)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(
    -Wcomma -Wunreachable-code
    # Options structs are written as {.delay_min = 1s}: the other members keep their defaults.
    -Wno-missing-designated-field-initializers)
else()
  # g++ also means parameters of constructors, and classes that only their own members destroy.
  add_compile_options(-Wno-missing-field-initializers -Wno-shadow -Wno-non-virtual-dtor)
endif()
# Which warnings g++ finds depends on what it inlines.
if(GOSSAMER_WERROR AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Werror)
endif()

set(GOSSAMER_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")
if(GOSSAMER_SANITIZE)
  add_compile_options(-fsanitize=${GOSSAMER_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GOSSAMER_SANITIZE})
endif()

check_linker_flag(CXX -fuse-ld=lld GOSSAMER_HAVE_LLD)
if(GOSSAMER_HAVE_LLD)
  add_link_options(-fuse-ld=lld)
endif()

# What is compiled does not name the folder of the tree: not in debug information, not in messages.
# So two builds can be compared, and a compiler cache serves several trees. The compiler applies the
# last prefix first. A cache passes paths relative to the build folder.
cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_BINARY_DIR}"
  OUTPUT_VARIABLE gossamer_source_from_build)
add_compile_options(
  "-ffile-prefix-map=${gossamer_source_from_build}/="
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
  "-ffile-prefix-map=${PROJECT_BINARY_DIR}=.")

# The same whether or not there is a cache, so that installing one recompiles nothing. A project
# that includes this one may have a launcher of its own.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${PROJECT_SOURCE_DIR}/cmake/compile.sh" "${PROJECT_SOURCE_DIR}")
endif()
