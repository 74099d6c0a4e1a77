// Replays archived pages as they were, and nothing else: no link and no part of a page leads to the
// live web.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "captures/collection.h"
#include "server/response.h"

namespace gossamer::serve {

// The address of a replayed page:
//
//   /r/TOKEN[.VIEW]/20260131120000[id_|if_]/https://museum.example/list?page=2
struct ReplayAddress {
  enum class Form : std::uint8_t {
    page,   // rewritten
    frame,  // the same, inside of another page
    raw,    // as archived
  };

  std::string token;
  std::string view;            // which frame of the dashboard shows it; empty: none
  std::string time;            // as written: up to 14 digits, or "latest"
  std::optional<WallTime> at;  // empty: the last capture
  Form form = Form::page;
  std::string url;
  std::optional<std::uint32_t> crawl = {};  // only its captures are replayed; empty: of all
  bool runs_scripts = false;  // of the page as it was received; else, the page as they left it

  // The address of another page at the same time and in the same view.
  std::string address_of(std::string_view other, Form as) const;
};

// Fails with Errc::malformed. `target` is a path with its query.
Result<ReplayAddress> parse_replay_address(std::string_view target);
// Parses up to 14 digits of a time; missing ones are those of the first moment.
std::optional<WallTime> parse_capture_time(std::string_view digits);

// What was replayed.
struct Replayed {
  server::Response response;
  bool is_archived = false;
  bool is_document = false;  // HTML
  // An image for other pages. Browsers show it as a document of XML, which is not rewritten as
  // such, so it must be used as an image only.
  bool is_svg = false;
  WallTime at = {};      // of the capture
  std::string url = {};  // as archived
  std::uint32_t archive = 0;
  int status = 0;  // as archived
};

// Returns the crawl (ServedArchive::crawl) that has the nearest capture. It blocks.
std::optional<std::uint32_t> crawl_of(const captures::Collection& collection,
                                      const ReplayAddress& address);

// Reads the nearest capture. It blocks.
Replayed replay(const captures::Collection& collection, const ReplayAddress& address,
                const captures::WorkLimit& limit = captures::WorkLimit::none());

}  // namespace gossamer::serve
