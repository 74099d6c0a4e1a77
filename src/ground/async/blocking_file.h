#pragma once

#include <cstdint>

namespace gossamer::async {

class FileOperation;

// Executes a file operation synchronously. Returns a count, a descriptor, or -errno.
std::int64_t execute_blocking(const FileOperation& operation);

}  // namespace gossamer::async
