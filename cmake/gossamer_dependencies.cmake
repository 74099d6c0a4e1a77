# Third-party libraries. Our own build and the installed gossamerConfig.cmake both read this file,
# so that they find the same ones. A layer names those that it uses: gossamer_layer(... LIBS
# xxhash).

include(CMakeFindDependencyMacro)

find_dependency(Threads)
find_dependency(fmt)
find_dependency(PkgConfig)
# short name = pkg-config module
set(gossamer_modules
  xxhash=libxxhash uring=liburing icu=icu-uc psl=libpsl
  zlib=zlib deflate=libdeflate brotli=libbrotlidec zstd=libzstd
  openssl=openssl cares=libcares nghttp2=libnghttp2 re2=re2 rocksdb=rocksdb sqlite=sqlite3)
foreach(module IN LISTS gossamer_modules)
  string(REPLACE "=" ";" module "${module}")
  list(GET module 0 name)
  list(GET module 1 package)
  if(NOT TARGET PkgConfig::${name})
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET GLOBAL ${package})
  endif()
endforeach()

# libstemmer has no file for pkg-config.
if(NOT TARGET gossamer::stemmer)
  find_path(GOSSAMER_STEMMER_INCLUDE libstemmer.h REQUIRED)
  find_library(GOSSAMER_STEMMER_LIBRARY stemmer REQUIRED)
  mark_as_advanced(GOSSAMER_STEMMER_INCLUDE GOSSAMER_STEMMER_LIBRARY)
  add_library(gossamer::stemmer UNKNOWN IMPORTED GLOBAL)
  set_target_properties(gossamer::stemmer PROPERTIES
    IMPORTED_LOCATION "${GOSSAMER_STEMMER_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${GOSSAMER_STEMMER_INCLUDE}")
endif()

# The short names that LIBS accepts.
set(gossamer_lib_threads Threads::Threads)
set(gossamer_lib_fmt fmt::fmt)
set(gossamer_lib_xxhash PkgConfig::xxhash)
set(gossamer_lib_liburing PkgConfig::uring)
set(gossamer_lib_icu PkgConfig::icu)
set(gossamer_lib_psl PkgConfig::psl)
set(gossamer_lib_zlib PkgConfig::zlib)
set(gossamer_lib_deflate PkgConfig::deflate)
set(gossamer_lib_brotli PkgConfig::brotli)
set(gossamer_lib_zstd PkgConfig::zstd)
set(gossamer_lib_openssl PkgConfig::openssl)
set(gossamer_lib_cares PkgConfig::cares)
set(gossamer_lib_nghttp2 PkgConfig::nghttp2)
set(gossamer_lib_re2 PkgConfig::re2)
set(gossamer_lib_rocksdb PkgConfig::rocksdb)
set(gossamer_lib_sqlite PkgConfig::sqlite)
set(gossamer_lib_stemmer gossamer::stemmer)
