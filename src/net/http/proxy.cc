#include "http/proxy.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/ascii.h"
#include "net/address_prefix.h"
#include "net/resolver.h"
#include "url/domain.h"
#include "url/percent.h"
#include "url/secrets.h"

namespace gossamer::http {
namespace {

std::optional<ProxyKind> proxy_kind_of(std::string_view scheme) {
  if (scheme == "http") return ProxyKind::http;
  if (scheme == "socks5" || scheme == "socks5h" || scheme == "socks") return ProxyKind::socks5;
  return std::nullopt;
}

// "example.com" and ".example.com" mean the domain and all its subdomains.
bool is_in_domain(std::string_view host, std::string_view domain) {
  if (domain.starts_with('.')) domain.remove_prefix(1);
  if (domain.empty() || !host.ends_with(domain)) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

// Returns the form of a host in a URL: lower case, ASCII.
std::string as_in_url(std::string_view name) {
  std::string ascii;
  return net::canonical_host(url::domain_to_ascii(name, ascii) ? std::string_view(ascii) : name);
}

// Removes ":8080" and returns the port. Nothing: the exception is for all ports.
std::optional<std::uint16_t> cut_port(std::string& exception) {
  const std::size_t colon = exception.rfind(':');
  const bool is_only_colon = colon != std::string::npos && exception.find(':') == colon;
  const bool is_after_bracket =
      colon != std::string::npos && colon > 0 && exception[colon - 1] == ']';
  if (!is_only_colon && !is_after_bracket) return std::nullopt;
  std::uint32_t port = 0;
  for (const char c : std::string_view(exception).substr(colon + 1)) {
    if (c < '0' || c > '9') return std::nullopt;
    port = port * 10 + static_cast<std::uint32_t>(c - '0');
    if (port > 65535) return std::nullopt;
  }
  exception.resize(colon);
  return static_cast<std::uint16_t>(port);
}

}  // namespace

Result<Proxy> Proxy::parse(std::string_view text) {
  const bool has_scheme = text.find("://") != std::string_view::npos;
  const std::string scheme = has_scheme ? std::string(text.substr(0, text.find("://"))) : "http";
  const auto kind = proxy_kind_of(scheme);
  if (!kind) {
    return fail(Errc::unsupported, "unknown kind of proxy '" + scheme + "'; use http or socks5");
  }
  // The URL parser reads the rest; `http` makes it check the host.
  const std::string_view rest = has_scheme ? text.substr(text.find("://") + 3) : text;
  const auto url = url::Url::parse("http://" + std::string(rest));
  if (!url) {
    return fail(Errc::invalid_argument,
                "'" + url::without_secrets(text) + "' is not the address of a proxy");
  }
  const std::uint16_t usual = *kind == ProxyKind::http ? 8080 : 1080;
  const bool says_80 = rest.find(":80/") != std::string_view::npos || rest.ends_with(":80");
  return Proxy{.kind = *kind,
               .host = std::string(url->hostname()),
               .port = url->port_number().value_or(says_80 ? 80 : usual),
               .user = url::percent_decoded(url->username()),
               .password = url::percent_decoded(url->password())};
}

std::string Proxy::to_string() const {
  return (kind == ProxyKind::http ? "http://" : "socks5://") + host + ":" + std::to_string(port);
}

// Each part is preceded by its length, so the key is unambiguous.
std::string Proxy::key() const {
  return to_string() + " " + std::to_string(user.size()) + " " + user + " " +
         std::to_string(password.size()) + " " + password;
}

ProxySettings ProxySettings::all(Proxy proxy) {
  ProxySettings settings;
  settings.http_ = proxy;
  settings.https_ = std::move(proxy);
  return settings;
}

Result<ProxySettings> ProxySettings::from_environment(const char* (*variable)(const char*)) {
  const auto value = [&variable](const char* lower, const char* upper) -> std::string_view {
    const char* found = variable(lower);
    if (found == nullptr && upper != nullptr) found = variable(upper);
    return found == nullptr ? std::string_view() : base::trimmed(found, " \t");
  };
  const std::string_view all = value("all_proxy", "ALL_PROXY");
  std::string_view http = value("http_proxy", nullptr);
  std::string_view https = value("https_proxy", "HTTPS_PROXY");
  if (http.empty()) http = all;
  if (https.empty()) https = all;

  ProxySettings settings;
  for (const auto& [text, into] : {std::pair(http, &settings.http_), {https, &settings.https_}}) {
    if (text.empty()) continue;
    auto proxy = Proxy::parse(text);
    if (!proxy)
      return fail(std::move(proxy).error(), "in an environment variable such as http_proxy");
    *into = std::move(*proxy);
  }
  settings.set_exceptions(value("no_proxy", "NO_PROXY"));
  return settings;
}

void ProxySettings::set_exceptions(std::string_view no_proxy) {
  exceptions_.clear();
  while (!no_proxy.empty()) {
    const std::size_t end = std::min(no_proxy.find(','), no_proxy.size());
    const std::string_view one = base::trimmed(no_proxy.substr(0, end), " \t");
    if (!one.empty()) exceptions_.push_back(as_in_url(one));
    no_proxy.remove_prefix(std::min(end + 1, no_proxy.size()));
  }
}

bool ProxySettings::is_excepted(const url::Url& url) const {
  const std::string host = net::canonical_host(url.hostname());
  const auto address = net::literal_address(host);
  return std::ranges::any_of(exceptions_, [&](std::string exception) {
    if (exception == "*") return true;
    const auto port = cut_port(exception);
    if (port && *port != url.effective_port()) return false;
    if (!address) return is_in_domain(host, exception);
    if (const auto named = net::literal_address(exception)) return *named == *address;
    const auto prefix = net::AddressPrefix::parse(exception);
    return prefix && prefix->contains(*address);
  });
}

const Proxy* ProxySettings::proxy_for(const url::Url& url) const {
  const std::optional<Proxy>& proxy = url.scheme_kind() == url::SchemeKind::https ? https_ : http_;
  return proxy && !is_excepted(url) ? &*proxy : nullptr;
}

std::vector<std::string> ProxySettings::hosts() const {
  std::vector<std::string> hosts;
  for (const auto* proxy : {&http_, &https_}) {
    if (*proxy) hosts.push_back((*proxy)->host);
  }
  return hosts;
}

}  // namespace gossamer::http
