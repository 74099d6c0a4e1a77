// The parts of zlib that the site needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::site {

// Returns one gzip member, without a name or a time: the same bytes for the same text.
std::string gzip(std::string_view text);

// Returns a grey image of `side` by `side` pixels, as PNG; its content depends on the seed.
std::string write_png(std::uint32_t side, std::uint64_t seed);

}  // namespace gossamer::site
