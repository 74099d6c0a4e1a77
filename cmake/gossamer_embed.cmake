# gossamer_embed(<out_variable> FOLDER <folder> HEADER <header> NAMESPACE <name> FUNCTION <name>)
#
# Compiles in the files of a folder of the current source folder. Sets the variable to a C++ file
# that defines FUNCTION, which the header declares (base/embedded_file.h).
function(gossamer_embed out_variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;HEADER;NAMESPACE;FUNCTION" "")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake")
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}")
  set(table "${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.cc")
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*")
  add_custom_command(OUTPUT "${table}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${table}" "-DFOLDER=${folder}" "-DHEADER=${arg_HEADER}"
            "-DNAMESPACE=${arg_NAMESPACE}" "-DFUNCTION=${arg_FUNCTION}" -P "${script}"
    DEPENDS ${files} "${script}"
    COMMENT "Embedding the files of ${arg_FOLDER}"
    VERBATIM)
  set(${out_variable} "${table}" PARENT_SCOPE)
endfunction()
