// External servers and proxies for the tests of the client. Each runs on free ports of 127.0.0.1
// and writes to its own temporary folder.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/server_program.h"

namespace gossamer::http {

inline constexpr const char* kCaddy = "/usr/bin/caddy";
inline constexpr const char* kTinyproxy = "/usr/bin/tinyproxy";
inline constexpr const char* kMicrosocks = "/usr/bin/microsocks";

// A page that compresses well.
std::string sample_page(std::size_t lines);
// Text that hardly compresses.
std::string incompressible_text(std::size_t bytes);

// nginx, plain and with TLS, with the same files on both:
//   /page.html   a page; with gzip if accepted, which makes it chunked
//   /large.bin   kLargeBytes of it, with Content-Length
//   /large.txt   incompressible_text(kLargeTextBytes); with gzip it stays above a megabyte
//   /until_close/page.html  with gzip, ended only by the end of the connection
//   /two_then_close/...     the connection is closed after two responses
//   /echo        the fields Authorization, Cookie and Host that came with the request
class Nginx {
 public:
  static constexpr std::size_t kLargeBytes = 5'000'000;
  static constexpr std::size_t kLargeTextBytes = 1'500'000;

  // REQUIRES: support::kNginx and support::kOpenssl are installed.
  Nginx();

  std::uint16_t port() const { return port_; }
  std::uint16_t tls_port() const { return tls_port_; }
  std::string url(const std::string& path) const;
  std::string tls_url(const std::string& path) const;
  // The certificate for localhost and 127.0.0.1, self-signed, made by the openssl program.
  std::string certificate_file() const { return folder_.file("certificate.pem"); }
  const std::string& page() const { return page_; }
  const std::string& large_text() const { return large_text_; }

 private:
  void make_certificate();
  std::string configuration() const;

  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
  const std::uint16_t tls_port_ = support::free_port();
  const std::string page_ = sample_page(100);
  const std::string large_text_ = incompressible_text(kLargeTextBytes);
  std::unique_ptr<support::Program> program_;
};

// Caddy without TLS, with a file server: /page.html, with gzip or zstd if accepted, and /teapot,
// which answers 418.
class Caddy {
 public:
  // REQUIRES: kCaddy is installed.
  Caddy();

  std::uint16_t port() const { return port_; }
  std::string url(const std::string& path) const;
  const std::string& page() const { return page_; }

 private:
  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
  const std::string page_ = sample_page(300);
  std::unique_ptr<support::Program> program_;
};

// An HTTP proxy. With a user, it requires the password.
class Tinyproxy {
 public:
  explicit Tinyproxy(const std::string& user = "", const std::string& password = "");
  std::uint16_t port() const { return port_; }

 private:
  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
  std::unique_ptr<support::Program> program_;
};

// A SOCKS 5 proxy. With a user, it requires the password.
class Microsocks {
 public:
  explicit Microsocks(const std::string& user = "", const std::string& password = "");
  std::uint16_t port() const { return port_; }

 private:
  const std::uint16_t port_ = support::free_port();
  std::unique_ptr<support::Program> program_;
};

}  // namespace gossamer::http
