#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::check {

// What to think of a link that is neither http nor https nor a file.
enum class SchemeFate : std::uint8_t {
  harmless,  // mailto:, tel:, javascript:, data: ... lead nowhere by intent
  foreign,   // ftp:, irc:, magnet: ... lead somewhere, but we do not speak that
  misspelt,  // htp:, hhtps: ...
};

struct SchemeVerdict {
  SchemeFate fate = SchemeFate::foreign;
  std::string_view meant = {};  // of one that is misspelt
};

// `scheme` without the colon, in lower case.
SchemeVerdict judge_scheme(std::string_view scheme);

}  // namespace gossamer::check
