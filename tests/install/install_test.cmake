# cmake -DBUILD=... -DCONSUMER=... -DCOMPILER=... -DPYTHON=... -DWORK=... -P install_test.cmake
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
run("${CMAKE_COMMAND}" -G Ninja -S "${CONSUMER}" -B "${WORK}/build"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
run("${CMAKE_COMMAND}" --build "${WORK}/build")

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
run("${WORK}/build/consumer")

# With pkg-config instead of CMake.
file(GLOB_RECURSE pc "${WORK}/prefix/gossamer.pc")
cmake_path(GET pc PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} "${folder}")
set(flags "$(pkg-config --cflags --libs gossamer)")
run(sh -c "'${COMPILER}' -std=c++23 '${CONSUMER}/main.cc' -o '${WORK}/consumer' ${flags}")
run("${WORK}/consumer")
