// What archives keep of an exchange: the bytes, as they were on the wire.
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

// Why a body is not whole.
enum class Cut : std::uint8_t {
  none,
  length,      // a bound of ours
  time,        // it took too long
  disconnect,  // the server left
  unread,      // nobody wanted it, or it could not be decoded
};

// BOUND: the payload, by Settings::body_bytes_max.
struct Capture {
  struct Outlink {
    std::string url;
    std::string where;  // "L a/@href"; E for parts of the page
  };

  std::string request_head;   // as it was sent, with whatever secrets are in it
  std::string response_head;  // byte for byte, with the empty line
  std::string payload;        // without transfer coding, with its content codings
  Cut cut = Cut::none;
  std::vector<Outlink> outlinks;  // resolved; empty unless Settings::keeps_outlinks

  std::size_t bytes() const noexcept;
};

// A capture with what it is of.
struct Exchange {
  std::string url;
  WallTime ts;
  http::ExchangeFacts facts;
  Capture capture;
};

// The heads of an answer whose body is still to be read.
Capture begin_capture(const http::Response& response);
// After its body was read, as far as `trouble` let it.
Cut cut_of(const http::Response& response, std::optional<Errc> trouble) noexcept;
// BOUND: of all outlinks of a page together.
inline constexpr std::size_t kOutlinksBytesMax = 32 * 1024 * 1024;
// All links of a page that was fetched from there, each as often as it is there, in steps. URLs
// longer than `url_bytes_max` and those beyond the bound are left out. BORROWS: both.
async::Task<std::vector<Capture::Outlink>> outlinks_of(const PageReading& page, const url::Url& url,
                                                       std::size_t url_bytes_max);

}  // namespace gossamer::crawler
