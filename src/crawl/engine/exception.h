#pragma once

#include <exception>

#include "base/result.h"

namespace gossamer::crawler {

// Converts the current exception of a hook, of a sink or of the allocator to an error.
// REQUIRES: called in a catch block.
inline Error error_of_exception() {
  try {
    throw;
  } catch (const std::exception& exception) {
    return {Errc::internal, exception.what()};
  } catch (...) {
    return {Errc::internal, "an exception of unknown type"};
  }
}

}  // namespace gossamer::crawler
