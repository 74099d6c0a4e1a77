#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "url/url.h"

namespace gossamer::http {

enum class ProxyKind : std::uint8_t {
  http,    // absolute-form for http, CONNECT for https
  socks5,  // names are always resolved by the proxy
};

struct Proxy {
  ProxyKind kind = ProxyKind::http;
  std::string host;
  std::uint16_t port = 0;
  std::string user;
  std::string password;

  // Parses "http://host:port", "socks5://user:word@host", "host:port". socks5h is the same as
  // socks5. Fails with Errc::invalid_argument, and with Errc::unsupported for other kinds of
  // proxies.
  static Result<Proxy> parse(std::string_view text);
  // Without the credentials, for people and records.
  std::string to_string() const;
  // Returns everything that distinguishes it.
  std::string key() const;

  friend bool operator==(const Proxy&, const Proxy&) = default;
};

// Selects the proxy for a URL.
class ProxySettings {
 public:
  // No proxy for any URL.
  ProxySettings() = default;

  // Reads http_proxy, https_proxy, all_proxy and no_proxy, in lower or upper case (HTTP_PROXY is
  // not read: a client can set it in a CGI program). `variable` is std::getenv or a replacement; it
  // returns nullptr if the variable is not set.
  static Result<ProxySettings> from_environment(const char* (*variable)(const char*));
  // One proxy for all URLs.
  static ProxySettings all(Proxy proxy);

  // no_proxy: "*", or names and addresses separated by commas. "example.com" and ".example.com"
  // also mean www.example.com. "10.0.0.0/8" means that network; "host:8080" that port.
  void set_exceptions(std::string_view no_proxy);

  const Proxy* proxy_for(const url::Url& url) const;
  // Returns the hosts of all proxies.
  std::vector<std::string> hosts() const;

 private:
  bool is_excepted(const url::Url& url) const;

  std::optional<Proxy> http_;
  std::optional<Proxy> https_;
  std::vector<std::string> exceptions_;
};

}  // namespace gossamer::http
