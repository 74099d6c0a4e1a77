#include "settings/web_arguments.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/number.h"
#include "http/proxy.h"
#include "net/local_names.h"
#include "scope/host_options.h"
#include "settings/crawl_fields.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

constexpr std::array<options::Choice<async::DriverKind>, 3> kDrivers = {{
    {"auto", async::DriverKind::automatic},
    {"io_uring", async::DriverKind::io_uring},
    {"epoll", async::DriverKind::epoll},
}};

std::string take_proxy(const std::string& text, http::ProxySettings& into) {
  auto proxy = http::Proxy::parse(text);
  if (!proxy) return std::string(proxy.error().detail());
  into = http::ProxySettings::all(std::move(*proxy));
  return {};
}

// Parses "example.com:443:192.0.2.1", or several addresses separated by commas: they replace the
// answer of the DNS. Fails with Errc::invalid_argument.
Result<void> add_known_address(const std::string& text, http::KnownAddresses& known) {
  const auto fault = [&text] {
    return fail(Errc::invalid_argument, "expected HOST:PORT:ADDRESS, not '" + text + "'");
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

// Adds a line "Name: value" to the fields. Returns the problem, without the value: it may be a
// secret.
std::string take_field(const std::string& line, std::vector<http::Field>& fields) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0) return "expected 'Name: value'";
  std::string value = line.substr(colon + 1);
  value.erase(0, value.find_first_not_of(" \t"));
  fields.push_back({line.substr(0, colon), std::move(value)});
  return {};
}

}  // namespace

options::Value field_value(std::vector<http::Field>& into) {
  return options::custom("'NAME: VALUE'",
                         [&into](const std::string& line) { return take_field(line, into); });
}

options::Value driver_value(async::DriverKind& into) { return options::choice(kDrivers, into); }

void declare_fields(options::Table& table, options::Value fields) {
  table
      .repeated("H,header", std::move(fields), "send this header field; may be repeated",
                Concern::crawl, Power::send)
      .is_secret = [](std::string_view line) {
    return !run::is_open_field(line.substr(0, line.find(':')));
  };
}

void declare_network(options::Table& table, run::WebOptions& web, async::DriverKind& driver) {
  const auto take_address = [&web](const std::string& text) {
    auto added = add_known_address(text, web.client.addresses);
    return added ? std::string() : std::string(added.error().detail());
  };
  table.repeated("resolve", options::custom("HOST:PORT:ADDRESS", take_address),
                 "use this address for a host instead of asking the DNS", Concern::crawl,
                 Power::send);
  table.repeated("dns-servers", options::texts(web.dns_servers, "ADDRESS[:PORT]"),
                 "use these name servers", Concern::crawl, Power::send);
  const auto take = [&web](const std::string& text) {
    return take_proxy(text, web.client.proxies);
  };
  table
      .option("x,proxy", options::custom("[http|socks5://]HOST:PORT", take), "use this proxy",
              Concern::crawl, Power::send)
      .unset = "http_proxy, https_proxy, ...";
  table.flag(
      "no-proxy", [&web] { web.client.proxies = http::ProxySettings(); },
      "use no proxy, even if the environment has one", Concern::crawl, Power::send);
  table.flag(
      "http1", [&web] { web.client.protocols = http::Protocols::http1; },
      "use HTTP/1.1 even if the server offers HTTP/2", Concern::crawl, Power::none);
  table.flag(
      "http2-prior-knowledge",
      [&web] { web.client.protocols = http::Protocols::http2_prior_knowledge; },
      "use HTTP/2 for http URLs, too, without asking the server", Concern::crawl, Power::none);
  table.flag("allow-private", web.guard.allow_private, "also connect to private addresses",
             Concern::crawl, Power::send);
  table.option("connect-timeout", options::time_limit(web.connect.connect_timeout),
               "wait at most TIME for a connection", Concern::effort, Power::none);
  table.option("loop", driver_value(driver), "select the event loop", Concern::machine,
               Power::none);
}

void declare_certificates(options::Table& table, net::TlsOptions& tls) {
  table.flag("k,insecure", tls.insecure, "accept any certificate", Concern::crawl,
             Power::weaken_tls);
  table.option("cacert,ca-certificate", options::file(tls.ca_file),
               "also trust the certificates in FILE (PEM)", Concern::crawl, Power::weaken_tls);
  table.option("cert", options::file(tls.client_certificate_file),
               "use this client certificate (PEM)", Concern::crawl, Power::read_files);
  table.option("key", options::file(tls.client_key_file), "use this key for `cert` (PEM)",
               Concern::crawl, Power::read_files);
}

Result<void> complete_network(const options::Table& table, run::WebOptions& web) {
  if (!table.says("proxy") && !table.says("no-proxy")) {
    auto proxies = http::ProxySettings::from_environment(
        [](const char* name) -> const char* { return std::getenv(name); });
    if (!proxies) return fail(std::move(proxies).error());
    web.client.proxies = std::move(*proxies);
  }
  if (const char* log = std::getenv("SSLKEYLOGFILE")) web.tls.key_log_file = log;
  web.tls.alpn = http::alpn_of(web.client.protocols);
  return {};
}

}  // namespace gossamer::settings
