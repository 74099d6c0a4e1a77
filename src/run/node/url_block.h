#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontier/target.h"

namespace gossamer::node {

// BOUND: a URL in a block. Longer ones cannot be read, and with them their whole batch.
inline constexpr std::size_t kUrlBytesMax = std::size_t{64} * 1024;

// Writes URLs and how they were found for a batch in Redis (cluster::FoundUrls::block). Texts that
// begin like the one before are stored without that beginning.
std::string pack_urls(std::span<const crawler::Target> targets);

// Reads them. Fails with Errc::malformed.
Result<std::vector<crawler::Target>> unpack_urls(std::string_view block);

}  // namespace gossamer::node
