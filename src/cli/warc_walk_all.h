#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/warc_walk.h"

namespace gossamer::cli {

// store::walk() of many paths: says on stderr which cannot be read, and gives the exit code for
// that. A package that is damaged counts as an archive that is.
int walk_all(const std::vector<std::string>& paths, store::RecordVisitor& visitor);

// "gossamer warc: FILE: MESSAGE" on stderr, printable.
void complain(std::string_view file, std::string_view message);

}  // namespace gossamer::cli
