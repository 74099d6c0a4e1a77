# Writes a C++ file with the contents of files, sorted by their names:
#   cmake -DOUT=files.cc -DFOLDER=pages -DHEADER=serve/pages.h -DNAMESPACE=serve -DFUNCTION=pages
#         -P embed_files.cmake
# gossamer_embed() calls it.

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

#include \"${HEADER}\"

namespace gossamer::${NAMESPACE} {

std::span<const base::EmbeddedFile> ${FUNCTION}() noexcept {
  static constexpr std::array<base::EmbeddedFile, ${count}> kFiles = {{
${rows}}};
  return kFiles;
}

}  // namespace gossamer::${NAMESPACE}
")
file(RENAME "${OUT}.new" "${OUT}")
