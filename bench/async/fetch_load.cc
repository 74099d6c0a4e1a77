#include "bench/async/fetch_load.h"

namespace gossamer::bench {

std::string_view FetchLoad::request() const {
  return keep_alive ? "GET /page.html HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    : "GET /page.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
}

}  // namespace gossamer::bench
