# cpack: one Debian package with the program, manual pages, completions, library and headers:
# `./gossamer package`. dpkg-shlibdeps determines the run-time dependencies of the program; the
# dependencies for building against the library are suggested.

if(NOT TARGET gossamer OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gossamer)
set(CPACK_PACKAGE_CONTACT "the makers of Gossamer <gossamer@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "web crawler with its own coroutine runtime")
set(CPACK_PACKAGE_DESCRIPTION
  "Fetches every page of a site, or of many, politely and quickly, and tells for every URL what
became of it. With manual pages, completions for bash, zsh and fish, and a C++ library.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The certificates of the authorities, without which no https page can be trusted.
set(CPACK_DEBIAN_PACKAGE_DEPENDS ca-certificates)
string(JOIN ", " CPACK_DEBIAN_PACKAGE_SUGGESTS
  libbrotli-dev libc-ares-dev libdeflate-dev libexpat1-dev libfmt-dev libicu-dev libpsl-dev
  libre2-dev librocksdb-dev libsqlite3-dev libssl-dev liburing-dev libxxhash-dev libzstd-dev
  pkg-config zlib1g-dev)
include(CPack)
