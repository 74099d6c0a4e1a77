# cmake -DBUILD=... -DCPACK=... -DWORK=... -DHAS_ARCHIVES=... -P package_test.cmake

function(run into)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${said}")
  endif()
  set("${into}" "${said}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
# What is compressed well takes long, and is thrown away at once.
run(said "${CPACK}" --config "${BUILD}/CPackConfig.cmake" -B "${WORK}"
  -D CPACK_DEBIAN_COMPRESSION_TYPE=none)
file(GLOB packages "${WORK}/gossamer_*.deb")
list(LENGTH packages count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "one package was to be made, not: ${packages}\n${said}")
endif()

run(files dpkg-deb -c "${packages}")
foreach(file IN ITEMS
    bin/gossamer
    include/gossamer/gossamer/crawl.h
    include/gossamer/crawl/engine.h
    lib/.*libgossamer.a
    lib/.*cmake/gossamer/gossamerConfig.cmake
    lib/.*cmake/gossamer/gossamerTargets.cmake
    share/man/man1/gossamer.1
    share/man/man1/gossamer-crawl.1
    share/man/man1/gossamer-top.1
    share/bash-completion/completions/gossamer
    share/zsh/site-functions/_gossamer
    share/fish/vendor_completions.d/gossamer.fish)
  if(NOT files MATCHES " \\./usr/${file}\n")
    message(FATAL_ERROR "the package lacks /usr/${file}:\n${files}")
  endif()
endforeach()
# Nothing of ours is elsewhere, belongs to whoever built it, or is a test.
string(REGEX MATCHALL "[^\n]+" lines "${files}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "root/root .* \\./(usr/.*)?$" OR line MATCHES "_test\\.h$")
    message(FATAL_ERROR "this should not be in the package: ${line}")
  endif()
endforeach()

run(fields dpkg-deb -f "${packages}")
# Where the libraries are parts of the program, it needs no others.
set(libraries "[^\n]*libssl3")
if(HAS_ARCHIVES)
  set(libraries "libc6 [^,\n]+\n")
endif()
foreach(field IN ITEMS "Package: gossamer\n" "Depends: ca-certificates, [^\n]*libc6 "
    "Depends: ca-certificates, ${libraries}" "Maintainer: [^\n]*@" "Version: [0-9]+\\.[0-9]+")
  if(NOT fields MATCHES "${field}")
    message(FATAL_ERROR "the package does not say ${field}:\n${fields}")
  endif()
endforeach()
file(REMOVE_RECURSE "${WORK}")
