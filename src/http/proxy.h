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

  // "http://host:port", "socks5://user:word@host", "host:port". socks5h is the same as socks5.
  // Fails with Errc::invalid_argument; a proxy that itself wants TLS is Errc::unsupported.
  static Result<Proxy> parse(std::string_view text);
  // Without the credentials, for people and records.
  std::string to_string() const;
  // All that sets it apart.
  std::string key() const;

  friend bool operator==(const Proxy&, const Proxy&) = default;
};

// Which proxy for which URL.
class ProxySettings {
 public:
  // None for anything.
  ProxySettings() = default;

  // From http_proxy, https_proxy, all_proxy and no_proxy, in lower or upper case (HTTP_PROXY is not
  // read: a CGI program's client can set it). `variable` is std::getenv or a stand-in; nullptr: not
  // set.
  static Result<ProxySettings> from_environment(const char* (*variable)(const char*));
  // One for everything.
  static ProxySettings all(Proxy proxy);

  // no_proxy: "*", or names and addresses separated by commas. "example.com" also means
  // www.example.com; so does ".example.com". "10.0.0.0/8" means that network; "host:8080" that
  // port.
  void set_exceptions(std::string_view no_proxy);

  const Proxy* proxy_for(const url::Url& url) const;
  // The hosts of all proxies; empty if there is none.
  std::vector<std::string> hosts() const;

 private:
  bool is_excepted(const url::Url& url) const;

  std::optional<Proxy> http_;
  std::optional<Proxy> https_;
  std::vector<std::string> exceptions_;
};

}  // namespace gossamer::http
