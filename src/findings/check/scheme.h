#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::check {

// How to treat a link that is neither http nor https nor a file.
enum class SchemeFate : std::uint8_t {
  harmless,  // mailto:, tel:, javascript:, data: ... have no target to check
  foreign,   // ftp:, irc:, magnet: ... have a target, but are not supported
  misspelt,  // htp:, hhtps: ...
};

struct SchemeVerdict {
  SchemeFate fate = SchemeFate::foreign;
  std::string_view meant = {};  // the intended scheme, if misspelt
};

// `scheme` without the colon, in lower case.
SchemeVerdict judge_scheme(std::string_view scheme);

}  // namespace gossamer::check
