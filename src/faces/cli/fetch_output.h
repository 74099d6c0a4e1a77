#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "http/facts.h"
#include "http/request.h"
#include "http/response.h"
#include "render/tab.h"

namespace gossamer::cli {

// What rendering a page took and gave.
struct RenderedFacts {
  Duration took = {};
  std::size_t parts = 0;
  std::size_t parts_refused = 0;
  std::size_t links = 0;
  bool is_unready = false;
  bool is_cut = false;
  render::Isolation isolation = render::Isolation::sealed;
  std::vector<std::string> problems;
};

// The result of fetching one URL.
struct FetchRecord {
  std::string url;        // without credentials
  std::string final_url;  // after redirects that were followed; else empty
  std::string method;
  std::optional<int> status;
  std::string content_type;
  std::string location;
  std::uint64_t body_bytes = 0;     // decoded
  std::uint64_t encoded_bytes = 0;  // as received
  bool is_complete = false;
  http::ExchangeFacts facts;
  std::optional<net::TlsFacts> tls;
  std::optional<RenderedFacts> rendered;
  std::optional<Error> error;
};

// Returns one line of JSON. Times are in seconds.
std::string to_json(const FetchRecord& record);

// Returns one line for people: "gossamer fetch: https://a.example/: connection refused. Check ...".
// REQUIRES: the record has an error.
std::string to_line(const FetchRecord& record);

}  // namespace gossamer::cli
