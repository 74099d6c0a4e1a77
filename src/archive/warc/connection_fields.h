#pragma once

#include <string_view>

#include "warc/record.h"

namespace gossamer::warc {

// The bytes of a block that connection_problem() reads.
inline constexpr std::size_t kBlockStartBytes = 8;

// Returns what is wrong with the fields about the connection; empty if nothing is. WARC-Protocol
// names a protocol (h2, http/1.1, tls/1.3) and can occur several times; WARC-Cipher-Suite belongs
// to TLS. A message of HTTP/2 is stored as one of HTTP/1.1: many readers know no other version.
// `block_start` is the beginning of the block.
std::string_view connection_problem(const RecordHead& head, std::string_view block_start);

}  // namespace gossamer::warc
