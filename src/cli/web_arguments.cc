#include "cli/web_arguments.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/number.h"
#include "crawl/host_options.h"
#include "http/proxy.h"
#include "net/local_names.h"

namespace gossamer::cli {
namespace {

Result<http::ProxySettings> proxies_of(const WebArguments& arguments) {
  if (!arguments.proxy.empty()) {
    auto proxy = http::Proxy::parse(arguments.proxy);
    if (!proxy) return fail(std::move(proxy).error());
    if (!arguments.no_proxy) return http::ProxySettings::all(std::move(*proxy));
  }
  if (arguments.no_proxy) return http::ProxySettings();
  return http::ProxySettings::from_environment(
      [](const char* name) -> const char* { return std::getenv(name); });
}

// "example.com:443:192.0.2.1", several addresses separated by commas: where a host is, whatever the
// DNS says. Fails with Errc::invalid_argument.
Result<void> add_known_address(const std::string& text, http::KnownAddresses& known) {
  const auto fault = [&text] {
    return fail(Errc::invalid_argument, "takes HOST:PORT:ADDRESS, not '" + text + "'");
  };
  const std::size_t host_end = text.find(':', text.starts_with('[') ? text.find(']') : 0);
  if (host_end == std::string::npos) return fault();
  const std::size_t port_end = text.find(':', host_end + 1);
  if (port_end == std::string::npos) return fault();
  std::uint64_t port = 0;
  if (!base::parse_number(text.substr(host_end + 1, port_end - host_end - 1), port) ||
      port > 65535) {
    return fault();
  }
  const auto host = crawler::parse_host_name(text.substr(0, host_end));
  if (!host || host->starts_with('*')) return fault();
  std::vector<async::Endpoint>& addresses =
      known[net::canonical_host(*host) + ":" + std::to_string(port)];
  for (std::size_t at = port_end + 1; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto address = net::literal_address(text.substr(at, end - at));
    if (!address) return fault();
    addresses.push_back(*address);
    at = end + 1;
  }
  return {};
}

}  // namespace

std::string take_field(const std::string& line, std::vector<http::Field>& fields) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0) return "takes 'Name: value'";
  std::string value = line.substr(colon + 1);
  value.erase(0, value.find_first_not_of(" \t"));
  fields.push_back({line.substr(0, colon), std::move(value)});
  return {};
}

Arguments::Taker taker_of_driver(async::DriverKind& into) {
  return [&into](const std::string& text) -> std::string {
    const auto kind = async::parse_driver_kind(text);
    if (!kind) return "is auto, io_uring or epoll, not '" + text + "'";
    into = *kind;
    return {};
  };
}

Arguments::Taker taker_of_duration(Duration& into) {
  return [&into](const std::string& text) {
    const bool is_bare = text.find_first_not_of("0123456789.") == std::string::npos;
    const auto parsed = base::parse_duration(is_bare ? text + "s" : text);
    if (!parsed) return "takes a time such as 10s, 500ms or 2m, not '" + text + "'";
    into = *parsed;
    return std::string();
  };
}

Arguments::Taker taker_of_size(std::uint64_t& into) {
  return [&into](const std::string& text) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? std::string::npos : kUnits.find(text.back() & ~0x20);
    const int shift = unit == std::string::npos ? 0 : static_cast<int>(unit + 1) * 10;
    std::uint64_t number = 0;
    const std::string digits = shift == 0 ? text : text.substr(0, text.size() - 1);
    if (!base::parse_number(digits, number) || std::bit_width(number) + shift > 63) {
      return "takes a size such as 500K, 10M or 2G, not '" + text + "'";
    }
    into = number << shift;
    return std::string();
  };
}

void declare_fields(Arguments& declared, WebArguments& arguments) {
  declared.repeated(
      "-H,--header",
      [&arguments](const std::string& line) { return take_field(line, arguments.fields); },
      "'NAME: VALUE'", "send this field; may be repeated");
}

void declare_network(Arguments& declared, WebArguments& arguments) {
  run::WebOptions& web = arguments.web;
  declared.repeated(
      "--resolve",
      [&web](const std::string& text) {
        auto added = add_known_address(text, web.client.addresses);
        return added ? std::string() : std::string(added.error().detail());
      },
      "HOST:PORT:ADDRESS", "where a host is, whatever the DNS says");
  declared.repeated("--dns-servers", web.dns_servers, "ADDRESS[:PORT]", "ask these name servers");
  declared.option("-x,--proxy", arguments.proxy, "[http|socks5://]HOST:PORT",
                  "through this proxy; else as http_proxy and its like say");
  declared.flag("--no-proxy", arguments.no_proxy, "whatever the environment says");
  declared.flag("--allow-private", web.guard.allow_private, "also to private addresses");
  declared.option("--connect-timeout", taker_of_duration(web.connect.connect_timeout), "TIME",
                  "to connect [10s]");
  declared.option("--loop", taker_of_driver(arguments.driver), "auto|io_uring|epoll",
                  "how to wait [auto]");
}

void declare_certificates(Arguments& declared, WebArguments& arguments) {
  net::TlsOptions& tls = arguments.web.tls;
  declared.flag("-k,--insecure", tls.insecure, "accept any certificate");
  declared.option("--cacert,--ca-certificate", tls.ca_file, "FILE",
                  "trust these certificates too (PEM)");
  declared.option("--cert", tls.client_certificate_file, "FILE", "our certificate (PEM)");
  declared.option("--key", tls.client_key_file, "FILE", "and its key (PEM)");
}

Result<void> settle(WebArguments& arguments) {
  run::WebOptions& web = arguments.web;
  auto proxies = proxies_of(arguments);
  if (!proxies) return fail(std::move(proxies).error());
  web.client.proxies = std::move(*proxies);
  if (const char* log = std::getenv("SSLKEYLOGFILE")) web.tls.key_log_file = log;
  web.tls.alpn = {"http/1.1"};
  return {};
}

}  // namespace gossamer::cli
