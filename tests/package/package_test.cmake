# cmake -DBUILD=... -DCPACK=... -DWORK=... -DHAS_ARCHIVES=... -DHAS_PYTHON=... -DHAS_SHARED=...
#       -P package_test.cmake

function(run into)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${said}")
  endif()
  set("${into}" "${said}" PARENT_SCOPE)
endfunction()

# Sets `into` to the libraries that a program loads, without the dynamic linker: "libc.so.6 ...".
function(libraries_of program into)
  run(said objdump -p "${program}")
  string(REGEX MATCHALL "NEEDED +[^\n]+" needed "${said}")
  list(TRANSFORM needed REPLACE "NEEDED +" "")
  list(FILTER needed EXCLUDE REGEX "^ld-linux")
  list(SORT needed)
  list(JOIN needed " " needed)
  set("${into}" "${needed}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
# Good compression takes long, and the result is deleted immediately.
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
    share/man/man1/gossamer.1
    share/man/man1/gossamer-crawl.1
    share/man/man1/gossamer-top.1
    share/bash-completion/completions/gossamer
    share/zsh/site-functions/_gossamer
    share/fish/vendor_completions.d/gossamer.fish
    share/elvish/lib/gossamer.elv)
  if(NOT files MATCHES " \\./usr/${file}\n")
    message(FATAL_ERROR "the package lacks /usr/${file}:\n${files}")
  endif()
endforeach()
# Our files are nowhere else and do not belong to the building user.
string(REGEX MATCHALL "[^\n]+" lines "${files}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "root/root .* \\./(usr/((bin|share)(/.*)?)?)?$")
    message(FATAL_ERROR "this should not be in the package: ${line}")
  endif()
endforeach()

run(fields dpkg-deb -f "${packages}")
foreach(field IN ITEMS "Package: gossamer\n" "Depends: ca-certificates, [^\n]*libc6 "
    "Maintainer: [^\n]*@" "Version: [0-9]+\\.[0-9]+")
  if(NOT fields MATCHES "${field}")
    message(FATAL_ERROR "the package does not say ${field}:\n${fields}")
  endif()
endforeach()

# The program of the Debian package loads the libraries of the system, and apt installs them.
run(said dpkg-deb -x "${packages}" "${WORK}/debian")
libraries_of("${WORK}/debian/usr/bin/gossamer" needed)
foreach(library IN ITEMS
    libbrotlidec libcares libcrypto libdeflate libfmt libicuuc libpsl libre2 librocksdb
    libsqlite3 libssl libstemmer libstdc\\+\\+ liburing libxxhash libz libzstd)
  if(NOT needed MATCHES "${library}\\.so")
    message(FATAL_ERROR "the program of the Debian package does not load ${library}: ${needed}")
  endif()
endforeach()
foreach(library IN ITEMS libc-ares2 libicu[0-9] librocksdb[0-9] libsqlite3-0 libssl3 zlib1g)
  if(NOT fields MATCHES "Depends: [^\n]*${library}")
    message(FATAL_ERROR "the Debian package does not depend on ${library}:\n${fields}")
  endif()
endforeach()

# The library and what it takes to build with it.
if(HAS_SHARED)
  foreach(package IN ITEMS library development)
    run(said "${CPACK}" --config "${BUILD}/CPackConfig.cmake" -G DEB -B "${WORK}"
      -D GOSSAMER_DEB=${package} -D CPACK_DEBIAN_COMPRESSION_TYPE=none)
  endforeach()
  file(GLOB package "${WORK}/libgossamer0.1_*.deb")
  run(files dpkg-deb -c "${package}")
  string(REGEX MATCHALL "[^\n]+" lines "${files}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "root/root .* \\./(usr/(lib/([^/]+/)?(libgossamer\\.so\\.[^/]*)?)?)?$")
      message(FATAL_ERROR "this should not be in libgossamer0.1: ${line}")
    endif()
  endforeach()
  run(fields dpkg-deb -f "${package}")
  foreach(field IN ITEMS "Package: libgossamer0.1\n" "Section: libs\n" "Depends: [^\n]*libssl3"
      "Depends: [^\n]*libc6 " "Depends: [^\n]*ca-certificates")
    if(NOT fields MATCHES "${field}")
      message(FATAL_ERROR "libgossamer0.1 does not say ${field}:\n${fields}")
    endif()
  endforeach()
  run(said dpkg-deb -I "${package}" shlibs)
  if(NOT said MATCHES "libgossamer 0\\.1 libgossamer0\\.1")
    message(FATAL_ERROR "programs that use libgossamer0.1 would not depend on it: ${said}")
  endif()
  file(GLOB package "${WORK}/libgossamer-dev_*.deb")
  run(files dpkg-deb -c "${package}")
  foreach(file IN ITEMS
      include/gossamer/crawl.h
      include/gossamer/private/run/crawl.h
      lib/.*libgossamer.a
      "lib/.*libgossamer.so -> libgossamer.so.0.1"
      lib/.*cmake/gossamer/gossamerConfig.cmake
      lib/.*cmake/gossamer/gossamerSharedTargets.cmake
      lib/.*cmake/gossamer/gossamerStaticTargets.cmake
      lib/.*pkgconfig/gossamer.pc
      lib/.*pkgconfig/gossamer-static.pc)
    if(NOT files MATCHES " \\./usr/${file}\n")
      message(FATAL_ERROR "libgossamer-dev lacks /usr/${file}:\n${files}")
    endif()
  endforeach()
  if(files MATCHES "_test\\.h\n|/bin/|/libgossamer\\.so\\.")
    message(FATAL_ERROR "libgossamer-dev has more than it should:\n${files}")
  endif()
  run(fields dpkg-deb -f "${package}")
  foreach(field IN ITEMS "Section: libdevel\n" "Depends: [^\n]*libgossamer0.1 \\(= [0-9.]+\\)"
      "Depends: [^\n]*clang-19 \\| g\\+\\+-14" "Depends: [^\n]*libfmt-dev"
      "Replaces: gossamer \\(<= 0.1.0\\)")
    if(NOT fields MATCHES "${field}")
      message(FATAL_ERROR "libgossamer-dev does not say ${field}:\n${fields}")
    endif()
  endforeach()
endif()

# The Python package is alone in its own Debian package.
if(HAS_PYTHON)
  run(said "${CPACK}" --config "${BUILD}/CPackConfig.cmake" -G DEB -B "${WORK}"
    -D GOSSAMER_DEB=python -D CPACK_DEBIAN_COMPRESSION_TYPE=none)
  file(GLOB package "${WORK}/python3-gossamer_*.deb")
  run(files dpkg-deb -c "${package}")
  foreach(file IN ITEMS __init__.py _core.abi3.so _core.pyi _crawl.py py.typed)
    if(NOT files MATCHES " \\./usr/lib/python3/dist-packages/gossamer/${file}\n")
      message(FATAL_ERROR "python3-gossamer lacks ${file}:\n${files}")
    endif()
  endforeach()
  string(REGEX MATCHALL "[^\n]+" lines "${files}")
  foreach(line IN LISTS lines)
    set(places "(usr/(lib/(python3/(dist-packages/(gossamer/.*)?)?)?)?)?")
    if(NOT line MATCHES "root/root .* \\./${places}$")
      message(FATAL_ERROR "this should not be in python3-gossamer: ${line}")
    endif()
  endforeach()
  run(fields dpkg-deb -f "${package}")
  foreach(field IN ITEMS "Package: python3-gossamer\n" "Section: python\n"
      "Depends: [^\n]*python3 \\(>= 3.11\\)" "Depends: [^\n]*libssl3")
    if(NOT fields MATCHES "${field}")
      message(FATAL_ERROR "python3-gossamer does not say ${field}:\n${fields}")
    endif()
  endforeach()
  run(said dpkg-deb -x "${package}" "${WORK}/python")
  run(said "${CMAKE_COMMAND}" -E env
    "PYTHONPATH=${WORK}/python/usr/lib/python3/dist-packages" /usr/bin/python3 -B -c
    "import gossamer; assert gossamer.__file__.startswith('${WORK}')")
endif()

# The program of the archive needs nothing but libc.
if(HAS_ARCHIVES)
  file(GLOB archive "${WORK}/gossamer-*-linux-*.tar.gz")
  run(said "${CMAKE_COMMAND}" -E chdir "${WORK}" "${CMAKE_COMMAND}" -E tar xf "${archive}")
  string(REGEX REPLACE "\\.tar\\.gz$" "" folder "${archive}")
  foreach(file IN ITEMS
      bin/gossamer share/man/man1/gossamer-crawl.1 share/bash-completion/completions/gossamer
      share/doc/gossamer/LICENSE share/doc/gossamer/LICENSES share/doc/gossamer/README.md)
    if(NOT EXISTS "${folder}/${file}")
      message(FATAL_ERROR "the archive lacks ${file}")
    endif()
  endforeach()
  if(EXISTS "${folder}/include" OR EXISTS "${folder}/lib")
    message(FATAL_ERROR "the archive has the library; it is only for the program")
  endif()
  libraries_of("${folder}/bin/gossamer" needed)
  if(NOT needed STREQUAL "libc.so.6 libm.so.6")
    message(FATAL_ERROR "the program of the archive needs ${needed}")
  endif()
  run(said "${folder}/bin/gossamer" --version)
endif()
file(REMOVE_RECURSE "${WORK}")
