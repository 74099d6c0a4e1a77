#pragma once

#include <string_view>

namespace gossamer::wire {

// "Not Found", at most 21 characters; empty for a status that is not in common use.
std::string_view status_phrase(int status) noexcept;

}  // namespace gossamer::wire
