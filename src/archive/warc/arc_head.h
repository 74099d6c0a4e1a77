// The line before a record of an ARC file.
#pragma once

#include <optional>
#include <string_view>

#include "warc/record.h"

namespace gossamer::warc {

// Parses "URL ip-address date content-type length"; version 2 has five more words before the
// length. The URL may contain blanks. An invalid length is read as 0, as other readers do.
// Returns nothing if the line has neither form.
std::optional<RecordHead> parse_arc_line(std::string_view line);

}  // namespace gossamer::warc
