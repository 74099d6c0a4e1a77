# cmake -DBUILD=... -DCONSUMER=... -DCOMPILER=... -DPYTHON=... -DHAS_SHARED=... -DWORK=...
#       -P install_test.cmake
#
# PYTHON is empty if the Python package was not built.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${said}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
foreach(file IN ITEMS man/man1/gossamer.1 man/man1/gossamer-crawl.1
    bash-completion/completions/gossamer zsh/site-functions/_gossamer
    fish/vendor_completions.d/gossamer.fish elvish/lib/gossamer.elv)
  if(NOT EXISTS "${WORK}/prefix/share/${file}")
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
file(GLOB names RELATIVE "${WORK}/prefix/include" "${WORK}/prefix/include/*")
if(NOT names STREQUAL "gossamer")
  message(FATAL_ERROR "the include path of a user also has: ${names}")
endif()
if(PYTHON)
  file(GLOB package "${WORK}/prefix/lib/python3*/dist-packages")
  run("${CMAKE_COMMAND}" -E env "PYTHONPATH=${package}" "${PYTHON}" -B -c
    "import gossamer; assert gossamer.__file__.startswith('${WORK}'); gossamer.setting_names()")
endif()
foreach(library IN ITEMS gossamer static)
  run("${CMAKE_COMMAND}" -G Ninja -S "${CONSUMER}" -B "${WORK}/${library}" -DCONSUMED=${library}
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    -DCMAKE_CXX_VISIBILITY_PRESET=hidden)
  run("${CMAKE_COMMAND}" --build "${WORK}/${library}")
  run("${WORK}/${library}/consumer")
endforeach()

# The shared library is the default. It exports what the headers declare, and no name of the
# libraries inside.
file(GLOB_RECURSE shared "${WORK}/prefix/libgossamer.so")
if(HAS_SHARED AND NOT shared)
  message(FATAL_ERROR "libgossamer.so was not installed")
elseif(shared)
  foreach(library IN ITEMS gossamer static)
    execute_process(COMMAND objdump -p "${WORK}/${library}/consumer" OUTPUT_VARIABLE said)
    string(FIND "${said}" "libgossamer.so.0.1" found_${library})
  endforeach()
  if(found_gossamer EQUAL -1 OR NOT found_static EQUAL -1)
    message(FATAL_ERROR "a program does not use the library that was named")
  endif()
  # Both use the same variables of headers: the program must show its own to the library.
  execute_process(COMMAND nm -D --defined-only "${WORK}/gossamer/consumer" OUTPUT_VARIABLE said)
  if(NOT said MATCHES "running_frame")
    message(FATAL_ERROR "the program and libgossamer.so have variables of their own: ${said}")
  endif()
  file(SIZE "${WORK}/gossamer/consumer" size)
  if(size GREATER 300000)
    message(FATAL_ERROR "a small program that uses the shared library has ${size} bytes")
  endif()
  execute_process(COMMAND nm -D --defined-only "${shared}" OUTPUT_VARIABLE symbols)
  string(REGEX MATCHALL "[^ \n]+\n" symbols "${symbols}")
  foreach(symbol IN LISTS symbols)
    if(NOT symbol MATCHES "^_Z([A-Z]*|Th?[^N]*_|GVZ?|Z)NK?8gossamer" OR
       symbol MATCHES "NK?8gossamer(3cli|7display|8terminal|4site|4node)")
      message(FATAL_ERROR "libgossamer.so exports ${symbol}")
    endif()
  endforeach()
endif()

# A compiler that is too old is told in one sentence.
find_program(OLD_COMPILER NAMES g++-12 g++-13)
if(OLD_COMPILER)
  execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${CONSUMER}" -B "${WORK}/old"
    "-DCMAKE_CXX_COMPILER=${OLD_COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(status EQUAL 0 OR NOT said MATCHES "cannot compile Gossamer.*-DCMAKE_CXX_COMPILER=clang")
    message(FATAL_ERROR "${OLD_COMPILER} is not refused with a command to run: ${said}")
  endif()
endif()
# With pkg-config instead of CMake.
file(GLOB_RECURSE pc "${WORK}/prefix/gossamer.pc")
cmake_path(GET pc PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} "${folder}")
set(compile "'${COMPILER}' -std=c++23 '${CONSUMER}/main.cc' -o '${WORK}/consumer'")
run(sh -c "${compile} $(pkg-config --cflags --libs gossamer) -Wl,-rpath,'${folder}/..'")
run("${WORK}/consumer")
run(sh -c "${compile} $(pkg-config --cflags --libs gossamer-static)")
run("${WORK}/consumer")
execute_process(COMMAND objdump -p "${WORK}/consumer" OUTPUT_VARIABLE said)
if(said MATCHES "libgossamer")
  message(FATAL_ERROR "gossamer-static uses the shared library")
endif()
