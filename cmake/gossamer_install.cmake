# cmake --install: the program, libgossamer, its headers, and what find_package() and pkg-config
# read.
#
# The headers of the API are in <prefix>/include/gossamer (install_headers.cmake).
#
# The components are program, system_program, texts (of src/faces/cli), about, library, python and
# debian_python (of bindings/python).

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
install(TARGETS gossamer EXPORT gossamer ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT gossamer
  NAMESPACE gossamer:: FILE gossamerTargets.cmake DESTINATION "${package_dir}")

set(headers "${PROJECT_BINARY_DIR}/installed_headers")
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

# For build systems that use pkg-config. The library is an archive, so its users link all modules.
list(TRANSFORM gossamer_modules REPLACE "^.*=" "" OUTPUT_VARIABLE modules)
list(JOIN modules " " GOSSAMER_PKG_CONFIG_MODULES)
file(RELATIVE_PATH GOSSAMER_INCLUDE_FROM_LIBDIR
  "/${CMAKE_INSTALL_LIBDIR}" "/${CMAKE_INSTALL_INCLUDEDIR}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/gossamer.pc.in"
  "${PROJECT_BINARY_DIR}/gossamer.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gossamer.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
