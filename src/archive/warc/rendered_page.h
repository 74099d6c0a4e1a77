// Records of pages as a browser had them, beside the response that it was given.
#pragma once

#include <string_view>

#include "warc/record.h"

namespace gossamer::warc {

// Such a record is a conversion of this type. It has the URL and the date of its response.
inline constexpr std::string_view kRenderedType = "text/html;charset=utf-8";

inline bool is_rendered_page(const RecordHead& head) {
  return head.type == RecordType::conversion && head.content_type() == kRenderedType;
}

}  // namespace gossamer::warc
