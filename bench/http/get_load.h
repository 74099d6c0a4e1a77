#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async/driver.h"
#include "async/endpoint.h"
#include "bench/servers/answer.h"

namespace gossamer::bench {

struct ServedPage {
  std::string path;  // as in a request
  std::size_t bytes = 0;
};

// A Debian documentation package.
struct Documentation {
  std::string_view package;
  std::string_view folder;

  // Its HTML pages; empty: it is not installed.
  std::vector<ServedPage> pages() const;
};

inline constexpr Documentation kDocumentations[] = {
    // Pages of 96 KB on average: copying them takes most of the time.
    {"python3.11-doc", "/usr/share/doc/python3.11/html"},
    // Pages of 14 KB on average, about the compressed size of a page on the web.
    {"postgresql-doc-15", "/usr/share/doc/postgresql-doc-15/html"},
};

enum class Spoken : std::uint8_t { plain_http1, tls_http1, tls_http2 };

// The load of every client: fetch the pages in order, repeatedly; each connection takes the next
// page.
struct GetLoad {
  std::vector<async::Endpoint> servers;  // connection i goes to servers[i % size]
  std::vector<ServedPage> pages;
  int connections = 64;       // of HTTP/2: streams, on one connection to each server
  std::uint64_t warm_up = 0;  // answers before the measurement begins
  std::uint64_t answers = 0;  // answers that are measured
  Spoken spoken = Spoken::plain_http1;
  std::string ca_file = {};  // for TLS

  std::string site_of(int connection) const {
    return (spoken == Spoken::plain_http1 ? "http://" : "https://") +
           server_of(connection).to_string();
  }

  const async::Endpoint& server_of(int connection) const {
    return servers[static_cast<std::size_t>(connection) % servers.size()];
  }
};

// Returns the next page.
class PageTurns {
 public:
  explicit PageTurns(const GetLoad& load) : count_(load.pages.size()) {}
  std::size_t next() {
    if (next_ == count_) next_ = 0;
    return next_++;
  }

 private:
  std::size_t count_;
  std::size_t next_ = 0;
};

// The contestants, on one thread each.

// The floor: a coroutine per connection that sends a prepared request and reads Content-Length
// bytes.
FetchCost get_with_bare_loop(const GetLoad& load, async::DriverKind driver);

// http::Client with everything it does: it parses the URL, writes the request, reuses connections,
// parses and checks the response, enforces limits and deadlines, and measures times.
FetchCost get_with_client(const GetLoad& load, async::DriverKind driver);

// libcurl's multi interface on an epoll loop (curl_multi_socket_action), its cheapest use: one easy
// handle per connection, which is reused. REQUIRES: curl_is_built_in().
FetchCost get_with_libcurl(const GetLoad& load);
bool curl_is_built_in();

}  // namespace gossamer::bench
