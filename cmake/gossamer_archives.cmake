# Links third-party libraries statically. Thirty shared libraries took most of the start-up time,
# for looking up symbols that are always the same (docs/performance.md, "Starting"); archives take
# none. It is all of them or none: one shared library written in C++ would bring a second C++
# runtime along.
#
# Such a program does not notice when the system updates a library: it must be rebuilt. The program
# of the Debian package does (docs/decisions/0030-two-programs.md), as does gossamer_program with
# GOSSAMER_SHARED_LIBRARIES.

option(GOSSAMER_SHARED_LIBRARIES "Link the program with the shared libraries of the system" OFF)

# Sets GOSSAMER_ARCHIVES to the archives, or to nothing if they are not used or not available.
function(gossamer_find_archives)
  set(GOSSAMER_ARCHIVES "" PARENT_SCOPE)
  # Sanitizers suppress reports by the names of shared libraries. Only lld accepts archives before
  # the objects that need them.
  if(GOSSAMER_SHARED_LIBRARIES OR GOSSAMER_SANITIZE OR NOT GOSSAMER_HAVE_LLD)
    return()
  endif()
  set(archives "")
  foreach(name IN ITEMS
      rocksdb snappy lz4 bz2  # and what RocksDB is made with
      psl idn2 unistring  # and what libpsl is made with
      sqlite3 stemmer z deflate brotlidec brotlicommon zstd re2 ssl crypto cares nghttp2 icuuc
      icudata xxhash uring)
    find_library(GOSSAMER_ARCHIVE_${name} NAMES lib${name}.a)
    mark_as_advanced(GOSSAMER_ARCHIVE_${name})
    if(NOT GOSSAMER_ARCHIVE_${name})
      message(STATUS "lib${name}.a is missing: the program will need shared libraries")
      return()
    endif()
    list(APPEND archives "${GOSSAMER_ARCHIVE_${name}}")
  endforeach()
  set(GOSSAMER_ARCHIVES "${archives}" PARENT_SCOPE)
endfunction()

# Links the archives into a program. They come first, so that the shared libraries, which the layers
# name, are not needed.
function(gossamer_link_archives_into program)
  # Debian has no archive of {fmt}, but everything to make one.
  target_sources(${program} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/compiled_fmt.cc")
  target_link_libraries(${program} PRIVATE ${GOSSAMER_ARCHIVES})
  target_link_options(${program} PRIVATE
    -static-libstdc++ -static-libgcc LINKER:--gc-sections
    # Reduces a megabyte of relocations at every start to 20 KB.
    LINKER:-z,pack-relative-relocs)
endfunction()

gossamer_find_archives()
