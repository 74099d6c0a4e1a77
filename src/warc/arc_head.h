// The line before a record of an ARC file.
#pragma once

#include <optional>
#include <string_view>

#include "warc/record.h"

namespace gossamer::warc {

// "URL ip-address date content-type length", of version 2 with five more before the length. The URL
// may have blanks in it. A length that is no number is read as 0, as others do.
// Nothing if the line is none of both.
std::optional<RecordHead> parse_arc_line(std::string_view line);

}  // namespace gossamer::warc
