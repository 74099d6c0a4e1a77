# Writes the headers for users of the library:
#   cmake -DSOURCES=src -DOUT=folder -P install_headers.cmake
#
# gossamer/*.h are the API. What they include, directly or not, is below gossamer/private/, and all
# of it includes each other by that name. So the only name on a user's include path is `gossamer`.

cmake_minimum_required(VERSION 3.25)

file(GLOB wings LIST_DIRECTORIES true "${SOURCES}/*")

# Sets the variable to the file that other files include as `name`.
function(find_header out_variable name)
  foreach(wing IN LISTS wings)
    if(EXISTS "${wing}/${name}")
      set(${out_variable} "${wing}/${name}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "no wing has ${name}")
endfunction()

set(include_line "#include \"([a-z0-9_]+/[a-z0-9_/.]+)\"")
file(GLOB waiting RELATIVE "${SOURCES}/faces" "${SOURCES}/faces/gossamer/*.h")
set(done ${waiting})
file(REMOVE_RECURSE "${OUT}")
while(waiting)
  list(POP_FRONT waiting name)
  find_header(header "${name}")
  file(READ "${header}" text)
  string(REGEX MATCHALL "${include_line}" lines "${text}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "${include_line}" "\\1" included "${line}")
    if(NOT included IN_LIST done)
      list(APPEND done "${included}")
      list(APPEND waiting "${included}")
    endif()
  endforeach()
  string(REGEX REPLACE "${include_line}" "#include <gossamer/private/\\1>" text "${text}")
  string(REPLACE "<gossamer/private/gossamer/" "<gossamer/" text "${text}")
  if(NOT name MATCHES "^gossamer/")
    set(name "gossamer/private/${name}")
  endif()
  # A program and the shared library must use the same one, whatever the program's visibility is.
  string(REGEX REPLACE "(inline (static )?)thread_local"
    "\\1__attribute__((visibility(\"default\"))) thread_local" text "${text}")
  # file(WRITE) would take brackets and semicolons of the text apart without the quotes.
  file(WRITE "${OUT}/${name}" "${text}")
endwhile()
