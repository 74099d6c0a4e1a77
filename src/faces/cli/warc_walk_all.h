#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/warc_walk.h"

namespace gossamer::cli {

// Calls store::walk() for many paths. Prints paths that cannot be read on stderr and returns the
// exit code. A damaged package counts as a damaged archive.
int walk_all(const std::vector<std::string>& paths, store::RecordVisitor& visitor);

// Writes the sorted CDXJ index of archives to a file; empty or "-": standard output. Prints
// failures, and returns the exit code.
int write_index(const std::vector<std::string>& files, const std::string& output);

// Prints "gossamer warc: FILE: MESSAGE" on stderr, escaped.
void complain(std::string_view file, std::string_view message);

}  // namespace gossamer::cli
