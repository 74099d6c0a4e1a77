// Base64 (RFC 4648, section 4): how the DevTools protocol writes bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace gossamer::render {

std::string to_base64(Bytes bytes);
// Fails with Errc::malformed. Padding is optional.
Result<std::string> from_base64(std::string_view text);

}  // namespace gossamer::render
