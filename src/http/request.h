#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/exchange_step.h"
#include "url/url.h"

namespace gossamer::http {

struct Field {
  std::string name;
  std::string value;
};

// What is asked of a server. Redirects, retries, robots.txt and politeness are the business of
// whoever asks.
struct Request {
  std::string method = "GET";
  url::Url url;  // http or https. Its credentials are not sent; see Credentials.
  // Sent after those of ClientOptions; one of the same name replaces that.
  std::vector<Field> fields;
  std::optional<std::string> body;
  // Where the client says how far it has come, for whoever looks on; nullptr: nobody does. BORROWS.
  ExchangeStep* step = nullptr;
};

// Whether sending it twice does no more than sending it once (RFC 9110 section 9.2.2), so that it
// may be repeated on a new connection when an old one turns out to be dead.
bool is_repeatable(std::string_view method);

}  // namespace gossamer::http
