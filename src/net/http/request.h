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

// A request to a server. The caller is responsible for redirects, retries, robots.txt and
// politeness.
struct Request {
  std::string method = "GET";
  url::Url url;  // http or https. Its credentials are not sent; see Credentials.
  // Sent after those of ClientOptions; a field of the same name replaces that.
  std::vector<Field> fields;
  std::optional<std::string> body;
  // Where the client reports its progress; nullptr for none. BORROWS.
  ExchangeStep* step = nullptr;
};

// Returns whether sending it twice has the same effect as sending it once (RFC 9110 section 9.2.2),
// so that it can be repeated on a new connection if the old one turns out to be dead.
bool is_repeatable(std::string_view method);

}  // namespace gossamer::http
