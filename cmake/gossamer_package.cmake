# cpack makes one package at a time: `./gossamer package` makes all.
#
# The Debian package `gossamer` has the program, manual pages and completions. Its program loads the
# libraries of the system, so security updates of Debian reach it. dpkg-shlibdeps determines which
# packages it depends on.
#
# The archive (.tar.gz) has the program with other libraries inside, which needs libc alone, manual
# pages and completions. There is none if the program was built without archives of the libraries.
#
# cpack -G DEB -D GOSSAMER_DEB=NAME makes another Debian package:
#
#   python      python3-gossamer: the Python package
#   library     libgossamer0.1: the shared library; the number is that of its interface
#   development libgossamer-dev: headers, both libraries, and what cmake and pkg-config read

if(NOT TARGET gossamer OR NOT TARGET gossamer_program OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

add_custom_target(gossamer_packed)
add_dependencies(gossamer_packed gossamer gossamer_program gossamer_system_program gossamer_texts)
if(TARGET gossamer_shared)
  add_dependencies(gossamer_packed gossamer_shared)
endif()

if(GOSSAMER_ARCHIVES)
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/LICENSES"
    COMMAND python3 -B "${PROJECT_SOURCE_DIR}/tools/release/third_party.py"
      "${PROJECT_BINARY_DIR}" "${PROJECT_BINARY_DIR}/LICENSES"
    DEPENDS "${PROJECT_SOURCE_DIR}/tools/release/third_party.py"
    COMMENT "Collecting the licences of the libraries inside" VERBATIM)
  add_custom_target(gossamer_licences DEPENDS "${PROJECT_BINARY_DIR}/LICENSES")
  add_dependencies(gossamer_packed gossamer_licences)
endif()

if(TARGET gossamer_python_package)
  add_dependencies(gossamer_packed gossamer_python_package)
endif()

set(CPACK_GENERATOR DEB)
set(GOSSAMER_PACKED_PROGRAM program)
if(GOSSAMER_ARCHIVES)
  list(APPEND CPACK_GENERATOR TGZ)
  set(GOSSAMER_PACKED_PROGRAM system_program)
endif()
# Which components are in which package.
configure_file("${PROJECT_SOURCE_DIR}/cmake/gossamer_package_parts.cmake.in"
  "${PROJECT_BINARY_DIR}/gossamer_package_parts.cmake" @ONLY)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_BINARY_DIR}/gossamer_package_parts.cmake")
set(CPACK_PACKAGE_NAME gossamer)
set(CPACK_PACKAGE_CONTACT "the makers of Gossamer <gossamer@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "web crawler with its own coroutine runtime")
set(CPACK_PACKAGE_DESCRIPTION
  "Fetches every page of a site, or of many, politely and quickly, and tells for every URL what
became of it. With manual pages and completions for bash, zsh, fish and elvish.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The certificates of the authorities, without which no https page can be trusted.
set(CPACK_DEBIAN_PACKAGE_DEPENDS ca-certificates)
include(CPack)
