# cmake --install: the program, libgossamer, its headers, and what find_package() and pkg-config
# read.
#
# The headers of the API are in <prefix>/include/gossamer (install_headers.cmake).
#
# The components are program, system_program, texts (of src/faces/cli), about, shared_library,
# library, python and debian_python (of bindings/python).

if(NOT TARGET gossamer)
  return()
endif()

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gossamer")

if(TARGET gossamer_program)
  install(TARGETS gossamer_program
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  if(GOSSAMER_ARCHIVES)  # only for the Debian package
    install(TARGETS gossamer_system_program EXCLUDE_FROM_ALL
      RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT system_program)
  endif()
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT about EXCLUDE_FROM_ALL)
if(GOSSAMER_ARCHIVES)  # of the libraries inside
  install(FILES "${PROJECT_BINARY_DIR}/LICENSES"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT about EXCLUDE_FROM_ALL)
endif()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
set_target_properties(gossamer PROPERTIES EXPORT_NAME static)
install(TARGETS gossamer EXPORT gossamer_static ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT gossamer_static
  NAMESPACE gossamer:: FILE gossamerStaticTargets.cmake DESTINATION "${package_dir}")
if(TARGET gossamer_shared)
  install(TARGETS gossamer_shared EXPORT gossamer_shared LIBRARY
    DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT shared_library NAMELINK_COMPONENT library)
  install(EXPORT gossamer_shared
    NAMESPACE gossamer:: FILE gossamerSharedTargets.cmake DESTINATION "${package_dir}")
endif()

set(headers "${GOSSAMER_INSTALLED_HEADERS}")
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DSOURCES=${PROJECT_SOURCE_DIR}/src\"
  \"-DOUT=${headers}\" -P \"${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake\"
  COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY "${headers}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gossamerConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/gossamerConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/gossamerConfig.cmake"
  "${PROJECT_BINARY_DIR}/gossamerConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/gossamer_dependencies.cmake"
  DESTINATION "${package_dir}")

# For build systems that use pkg-config. gossamer-static names the libraries that are inside as
# flags; gossamer is the same where there is no shared library.
set(static_libs "-l:libgossamer.a")
foreach(module IN LISTS gossamer_modules)
  string(REGEX REPLACE "=.*" "" name "${module}")
  foreach(library IN LISTS ${name}_LIBRARIES)
    string(APPEND static_libs " -l${library}")
  endforeach()
endforeach()
string(APPEND static_libs " -lstemmer")
file(RELATIVE_PATH GOSSAMER_INCLUDE_FROM_LIBDIR
  "/${CMAKE_INSTALL_LIBDIR}" "/${CMAKE_INSTALL_INCLUDEDIR}")
foreach(name IN ITEMS gossamer gossamer-static)
  set(GOSSAMER_PKG_CONFIG_LIBS "${static_libs}")
  if(TARGET gossamer_shared AND name STREQUAL "gossamer")
    set(GOSSAMER_PKG_CONFIG_LIBS -lgossamer)
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/gossamer.pc.in"
    "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
