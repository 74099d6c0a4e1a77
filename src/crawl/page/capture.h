// An exchange for archives: its bytes as received.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/errc.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/page/body_file.h"
#include "crawl/page/page_reading.h"
#include "http/facts.h"
#include "http/response.h"
#include "url/url.h"

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

// BOUND: a longer payload goes to a file.
inline constexpr std::size_t kPayloadBytesInMemory = 256 * 1024;
// Returns whether it is time for store_payload(), while a body arrives.
bool is_payload_large(const Capture& capture, bool is_memory_short = false) noexcept;
// Moves the payload so far to its file. Fails as BodyFile does. BORROWS: both.
async::Task<Result<void>> store_payload(Capture& capture, BodyFiles& files);
// Captures the heads of a response before its body is read.
Capture begin_capture(const http::Response& response);
// Returns why a capture is incomplete after its body was read; `trouble` is how the body failed.
Cut cut_of(const Capture& capture, const http::Response& response,
           std::optional<Errc> trouble) noexcept;
// BOUND: the bytes of all outlinks of a page.
inline constexpr std::size_t kOutlinksBytesMax = 32 * 1024 * 1024;
// Collects all links of a page, with repetitions, in steps. Omits URLs longer than `url_bytes_max`
// and those beyond the bound. BORROWS: both.
async::Task<std::vector<Capture::Outlink>> outlinks_of(const PageReading& page, const url::Url& url,
                                                       std::size_t url_bytes_max);

}  // namespace gossamer::crawler
