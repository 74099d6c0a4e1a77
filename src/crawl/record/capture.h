// An exchange for archives: its bytes as received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "http/facts.h"
#include "record/body_file.h"

namespace gossamer::crawler {

// Why a body is incomplete.
enum class Cut : std::uint8_t {
  none,
  length,      // one of our limits
  time,        // a deadline
  disconnect,  // the server closed the connection
  unread,      // it was not read, or could not be decoded
};

// BOUND: kPayloadBytesInMemory of the payload if there are files for bodies, else
// Settings::body_bytes_max.
struct Capture {
  struct Outlink {
    std::string url;
    std::string where;  // "L a/@href"; E for parts of the page
  };

  std::string request_head;   // as sent, including secrets
  std::string response_head;  // byte for byte, including the empty line
  std::string payload;        // without transfer coding, with content codings
  // The payload, if it is too large for memory; `payload` is empty then. While the body arrives,
  // `payload` is what follows the file.
  std::shared_ptr<BodyFile> file;
  Cut cut = Cut::none;
  std::vector<Outlink> outlinks;  // resolved; empty unless Settings::keeps_outlinks

  std::uint64_t payload_bytes() const noexcept {
    return payload.size() + (file ? file->bytes() : 0);
  }
  std::size_t bytes() const noexcept;  // in memory
};

// A capture with its URL and time.
struct Exchange {
  std::string url;
  WallTime ts;
  http::ExchangeFacts facts;
  Capture capture;
};

}  // namespace gossamer::crawler
