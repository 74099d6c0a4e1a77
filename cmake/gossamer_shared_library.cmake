# libgossamer.so, made of the objects of libgossamer.a, so that nothing is compiled twice.
#
# The objects are those of the programs: their symbols are hidden, so that the code needs no tables
# to find its own functions and variables. A copy of the archive has them visible. The version
# script then exports what the installed headers declare. A dynamic list says that the library uses
# its own functions and variables as it was compiled to do, except for the few variables that it
# shares with the program.

find_program(GOSSAMER_OBJCOPY NAMES llvm-objcopy-19)
find_program(GOSSAMER_NM NAMES llvm-nm-19)
find_program(GOSSAMER_PYTHON3 NAMES python3 HINTS /usr/bin)
mark_as_advanced(GOSSAMER_OBJCOPY GOSSAMER_NM GOSSAMER_PYTHON3)

# The headers for users of the library (install_headers.cmake).
set(GOSSAMER_INSTALLED_HEADERS "${PROJECT_BINARY_DIR}/installed_headers")

# gossamer_add_shared_library(<target> <static library> <library that it uses>...)
#
# Makes no target where the tools are missing, and none for other projects that include this one.
function(gossamer_add_shared_library target archive)
  if(NOT GOSSAMER_OBJCOPY OR NOT GOSSAMER_NM OR NOT GOSSAMER_PYTHON3 OR NOT GOSSAMER_HAVE_LLD OR
     GOSSAMER_SANITIZE OR NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/shared")
  set(script "${folder}/exported.version")
  set(list "${folder}/shared.list")
  set(visible "${folder}/libgossamer_visible.a")
  add_custom_command(OUTPUT "${visible}" "${script}" "${list}"
    COMMAND "${CMAKE_COMMAND}" "-DSOURCES=${PROJECT_SOURCE_DIR}/src"
      "-DOUT=${GOSSAMER_INSTALLED_HEADERS}"
      -P "${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake"
    COMMAND "${GOSSAMER_PYTHON3}" -B "${PROJECT_SOURCE_DIR}/cmake/version_script.py"
      "${GOSSAMER_NM}" "$<TARGET_FILE:${archive}>" "${GOSSAMER_INSTALLED_HEADERS}"
      "${script}" "${list}"
    COMMAND "${GOSSAMER_OBJCOPY}" --wildcard "--set-symbol-visibility=*=default"
      --remove-section=.llvm.lto "$<TARGET_FILE:${archive}>" "${visible}"
    DEPENDS ${archive} "${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake"
      "${PROJECT_SOURCE_DIR}/cmake/version_script.py"
    COMMENT "Selecting what libgossamer.so exports" VERBATIM)
  add_library(${target} SHARED "${PROJECT_SOURCE_DIR}/cmake/precompiled.cc" "${visible}")
  gossamer_harden(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME gossamer EXPORT_NAME gossamer LIBRARY_OUTPUT_DIRECTORY "${folder}"
    VERSION "${PROJECT_VERSION}"
    # Before 1.0 each minor version may change the interface.
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
    LINK_DEPENDS "${visible};${script};${list}")
  target_compile_features(${target} INTERFACE cxx_std_23)
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_options(${target} PRIVATE
    "LINKER:--whole-archive,${visible},--no-whole-archive"
    "LINKER:--version-script=${script}" "LINKER:--dynamic-list=${list}"
    LINKER:--as-needed LINKER:--gc-sections)
  target_link_libraries(${target} PUBLIC fmt::fmt Threads::Threads PRIVATE ${ARGN})
endfunction()
