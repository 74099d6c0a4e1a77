# Writes a C++ file with the contents of files:
#   cmake -DOUT=files.cc -DFOLDER=pages -P embed_files.cmake
# The names are those of the folder, sorted.

file(GLOB names RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT names)
set(rows "")
set(count 0)
foreach(name IN LISTS names)
  file(READ "${FOLDER}/${name}" hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${hex}")
  string(APPEND rows "    {\"${name}\", {\"${escaped}\", ${bytes}}},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE "${OUT}.new" "// Written by cmake/embed_files.cmake.
#include <array>

#include \"serve/static_files.h\"

namespace gossamer::serve {
namespace {

constexpr std::array<StaticFile, ${count}> kFiles = {{
${rows}}};

}  // namespace

std::span<const StaticFile> static_files() noexcept { return kFiles; }

}  // namespace gossamer::serve
")
file(RENAME "${OUT}.new" "${OUT}")
