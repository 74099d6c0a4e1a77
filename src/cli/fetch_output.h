#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "http/facts.h"
#include "http/request.h"
#include "http/response.h"

namespace gossamer::cli {

// How one URL was fetched, or why not.
struct FetchRecord {
  std::string url;        // without credentials
  std::string final_url;  // behind redirects that were followed; else empty
  std::string method;
  std::optional<int> status;
  std::string content_type;
  std::string location;
  std::uint64_t body_bytes = 0;     // as shown, that is decoded
  std::uint64_t encoded_bytes = 0;  // as they were on the wire
  bool is_complete = false;
  http::ExchangeFacts facts;
  std::optional<net::TlsFacts> tls;
  std::optional<Error> error;
};

// One line of JSON. Times are in seconds.
std::string to_json(const FetchRecord& record);

// "gossamer fetch: https://a.example/: timed_out: ...", one line for people.
std::string to_line(const FetchRecord& record);

}  // namespace gossamer::cli
