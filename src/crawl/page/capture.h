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
#include "base/time.h"
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

// BOUND: the payload, by Settings::body_bytes_max.
struct Capture {
  struct Outlink {
    std::string url;
    std::string where;  // "L a/@href"; E for parts of the page
  };

  std::string request_head;   // as sent, including secrets
  std::string response_head;  // byte for byte, including the empty line
  std::string payload;        // without transfer coding, with content codings
  Cut cut = Cut::none;
  std::vector<Outlink> outlinks;  // resolved; empty unless Settings::keeps_outlinks

  std::size_t bytes() const noexcept;
};

// A capture with its URL and time.
struct Exchange {
  std::string url;
  WallTime ts;
  http::ExchangeFacts facts;
  Capture capture;
};

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
