# Compiles for ARM64 on another machine, with the libraries that setup/arm64.sh has fetched.
# Programs of the build run under qemu.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH gossamer_tree)
# third_party.py reads them from the cache.
set(CMAKE_SYSROOT "${gossamer_tree}/build/arm64-root" CACHE PATH "Where the libraries are")
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu CACHE STRING "What is compiled for")
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT -fuse-ld=lld)
endforeach()
set(CMAKE_STRIP aarch64-linux-gnu-strip)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
  "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${CMAKE_SYSROOT}")
# CMake asks this machine's Python where its headers are.
file(GLOB Python3_INCLUDE_DIR "${CMAKE_SYSROOT}/usr/include/python3.*")
# dpkg-shlibdeps looks there.
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu")
