#pragma once

#include <cstdint>

namespace gossamer::async {

class FileOperation;

// Does a file operation here and now: a count or a descriptor, or -errno.
std::int64_t execute_blocking(const FileOperation& operation);

}  // namespace gossamer::async
