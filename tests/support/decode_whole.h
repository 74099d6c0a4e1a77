// Decodes a complete body of any coding, as the client does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "wire/content_coding.h"
#include "wire/content_decoder.h"
#include "wire/whole_decoder.h"

namespace gossamer::wire {

struct DecodedBody {
  std::string bytes;
  DecodeEnd end = DecodeEnd::complete;
};

inline DecodedBody decode_streaming(std::span<const ContentCoding> codings, Bytes body,
                                    const DecodeLimits& limits) {
  DecodedBody decoded;
  ContentDecoder decoder(codings, limits);
  bool is_full = true;
  while (is_full && !decoder.has_stopped()) {
    const std::size_t before = decoded.bytes.size();
    const std::size_t more = std::max(std::size_t{64 * 1024}, before);
    decoded.bytes.resize_and_overwrite(before + more, [&](char* data, std::size_t) {
      const auto step =
          decoder.decode(body, MutableBytes(reinterpret_cast<std::byte*>(data) + before, more));
      body = body.subspan(step.consumed);
      is_full = step.produced == more;
      return before + step.produced;
    });
  }
  decoded.end = decoder.finish();
  return decoded;
}

// BORROWS: the decoder.
inline DecodedBody decode_whole(WholeDecoder& decoder, std::span<const ContentCoding> codings,
                                Bytes body, const DecodeLimits& limits = {}) {
  if (auto plain = decoder.decode_fast(codings, body, limits)) {
    return {.bytes = *std::move(plain)};
  }
  return decode_streaming(codings, body, limits);
}

}  // namespace gossamer::wire
