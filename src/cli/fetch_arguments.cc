#include "cli/fetch_arguments.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/time.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/version.h"
#include "http/proxy.h"
#include "wire/content_coding.h"
#include "wire/netrc.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCommand = "fetch";

// The words as they were given, before they mean anything together.
struct Words {
  std::vector<std::string> urls;
  std::vector<http::Field> fields;
  std::string method;
  std::optional<std::string> data;
  bool head_only = false;
  std::string user;
  std::string proxy;
  bool no_proxy = false;
  bool netrc = false;
  std::string netrc_file;
  bool allow_private = false;
};

std::string take_field(const std::string& line, Words& words) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0) return "takes 'Name: value', not '" + line + "'";
  std::string value = line.substr(colon + 1);
  value.erase(0, value.find_first_not_of(" \t"));
  words.fields.push_back({line.substr(0, colon), std::move(value)});
  return {};
}

Arguments::Taker taker_of_duration(Duration& into) {
  return [&into](const std::string& text) {
    // A bare number means seconds, as everywhere.
    const bool is_bare = text.find_first_not_of("0123456789.") == std::string::npos;
    const auto parsed = base::parse_duration(is_bare ? text + "s" : text);
    if (!parsed) return "takes a time such as 10s, 500ms or 2m, not '" + text + "'";
    into = *parsed;
    return std::string();
  };
}

void declare_request(Arguments& declared, Words& words, FetchArguments& arguments) {
  declared.positionals("URL", words.urls, "what to fetch; http:// may be left out");
  declared.flag("-i,--include", arguments.shows_head, "show the head of the answer too");
  declared.flag("-I,--head", words.head_only, "ask for the head alone, and show it");
  declared.repeated(
      "-H,--header", [&words](const std::string& line) { return take_field(line, words); },
      "'NAME: VALUE'", "send this field; may be repeated");
  declared.option("-X,--request", words.method, "METHOD", "instead of GET");
  declared.option(
      "-d,--data",
      [&words](const std::string& data) {
        words.data = data;
        return std::string();
      },
      "BODY", "send this body, with POST");
  declared.option("-o,--output", arguments.output_file, "FILE", "write the body there");
  declared.flag("--raw", arguments.is_raw, "do not ask for content codings, nor undo them");
  declared.flag("--json", arguments.shows_json, "one record per URL instead of the body");
  declared.option("-Z,--parallel", arguments.parallel, "N", "so many at once [1]");
}

void declare_network(Arguments& declared, Words& words, FetchArguments& arguments) {
  declared.repeated(
      "--resolve",
      [&arguments](const std::string& text) {
        auto added = add_known_address(text, arguments.web.client.addresses);
        return added ? std::string() : std::string(added.error().detail());
      },
      "HOST:PORT:ADDRESS", "where a host is, whatever the DNS says");
  declared.repeated("--dns-servers", arguments.web.dns_servers, "ADDRESS[:PORT]",
                    "ask these name servers");
  declared.option("-x,--proxy", words.proxy, "[http|socks5://]HOST:PORT",
                  "through this proxy; else as http_proxy and its like say");
  declared.flag("--no-proxy", words.no_proxy, "whatever the environment says");
  declared.flag("--allow-private", words.allow_private, "also to private addresses");
  declared.option(
      "--loop",
      [&arguments](const std::string& text) -> std::string {
        const auto kind = async::parse_driver_kind(text);
        if (!kind) return "is auto, io_uring or epoll, not " + text;
        arguments.driver = *kind;
        return {};
      },
      "auto|io_uring|epoll", "how to wait [auto]");
}

void declare_limits(Arguments& declared, FetchArguments& arguments) {
  http::ClientOptions& client = arguments.web.client;
  declared.option("--connect-timeout", taker_of_duration(arguments.web.connect.connect_timeout),
                  "TIME", "to connect [10s]");
  declared.option("--first-byte-timeout", taker_of_duration(client.deadlines.first_byte), "TIME",
                  "until the answer begins [30s]");
  declared.option("--idle-timeout", taker_of_duration(client.deadlines.idle), "TIME",
                  "between two pieces of it [20s]");
  declared.option("-m,--max-time", taker_of_duration(client.deadlines.whole), "TIME",
                  "for everything [5m]");
  declared.option("--min-rate", client.deadlines.bytes_per_second_min, "BYTES",
                  "a second, over 20 s; slower ones are given up");
  declared.option("--max-size", client.body_bytes_max, "BYTES", "of a body [1 GiB]");
}

void declare_identity(Arguments& declared, Words& words, FetchArguments& arguments) {
  net::TlsOptions& tls = arguments.web.tls;
  declared.flag("-k,--insecure", tls.insecure, "accept any certificate");
  declared.option("--cacert", tls.ca_file, "FILE", "trust these certificates too (PEM)");
  declared.option("--cert", tls.client_certificate_file, "FILE", "our certificate (PEM)");
  declared.option("--key", tls.client_key_file, "FILE", "and its key (PEM)");
  declared.option("-u,--user", words.user, "NAME:PASSWORD", "for servers that ask for it");
  declared.flag("-n,--netrc", words.netrc, "passwords from ~/.netrc");
  declared.option("--netrc-file", words.netrc_file, "FILE", "passwords from there");
  declared.option("-c,--cookie-jar", arguments.cookie_file, "FILE",
                  "read cookies from there and write them back");
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Errc::not_found, "cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<void> add_requests(const Words& words, FetchArguments& arguments) {
  for (const std::string& text : words.urls) {
    const bool has_scheme = text.find("://") != std::string::npos;
    auto url = url::Url::parse(has_scheme ? text : "http://" + text);
    if (!url) return fail(std::move(url).error(), "in " + text);
    if (!url->is_http_or_https()) return fail(Errc::unsupported, "no http or https: " + text);
    // Whoever types an address means it.
    arguments.web.guard.allowed_hosts.emplace_back(url->hostname());
    arguments.credentials.add_from(*url);
    http::Request request = {
        .method = words.method, .url = std::move(*url), .fields = words.fields, .body = words.data};
    if (request.method.empty()) {
      request.method = words.head_only ? "HEAD" : words.data ? "POST" : "GET";
    }
    arguments.requests.push_back(std::move(request));
  }
  return {};
}

Result<void> add_credentials(const Words& words, FetchArguments& arguments) {
  if (!words.user.empty()) {
    const std::size_t colon = words.user.find(':');
    const std::string password =
        colon == std::string::npos ? std::string() : words.user.substr(colon + 1);
    for (const http::Request& request : arguments.requests) {
      arguments.credentials.add(request.url, {words.user.substr(0, colon), password});
    }
  }
  std::string path = words.netrc_file;
  if (const char* home = std::getenv("HOME"); path.empty() && words.netrc && home != nullptr) {
    path = std::string(home) + "/.netrc";
  }
  if (path.empty()) return {};
  auto text = read_text(path);
  if (!text) return fail(std::move(text).error());
  auto netrc = wire::Netrc::parse(*text);
  if (!netrc) return fail(std::move(netrc).error(), "in " + path);
  arguments.credentials.set_netrc(std::move(*netrc));
  return {};
}

Result<void> add_proxies(const Words& words, FetchArguments& arguments) {
  http::ClientOptions& client = arguments.web.client;
  if (words.no_proxy) return {};
  if (words.proxy.empty()) {
    auto settings = http::ProxySettings::from_environment(
        [](const char* name) -> const char* { return std::getenv(name); });
    if (!settings) return fail(std::move(settings).error());
    client.proxies = std::move(*settings);
  } else {
    auto proxy = http::Proxy::parse(words.proxy);
    if (!proxy) return fail(std::move(proxy).error());
    client.proxies = http::ProxySettings::all(std::move(*proxy));
  }
  for (std::string& host : client.proxies.hosts()) {
    arguments.web.guard.allowed_hosts.push_back(std::move(host));
  }
  return {};
}

Result<void> put_together(const Words& words, FetchArguments& arguments) {
  if (auto added = add_requests(words, arguments); !added) return added;
  if (auto added = add_credentials(words, arguments); !added) return added;
  if (auto added = add_proxies(words, arguments); !added) return added;
  if (!arguments.output_file.empty() && arguments.requests.size() > 1) {
    return fail(Errc::invalid_argument, "--output is for one URL");
  }
  if (arguments.parallel == 0) return fail(Errc::invalid_argument, "--parallel is at least 1");
  WebOptions& web = arguments.web;
  web.guard.allow_private = words.allow_private;
  web.client.pool.exchanges_per_origin_max = arguments.parallel;
  if (const char* log = std::getenv("SSLKEYLOGFILE")) web.tls.key_log_file = log;
  web.tls.alpn = {"http/1.1"};
  web.client.fields = {{"User-Agent", std::string("gossamer/") + kVersion}, {"Accept", "*/*"}};
  if (!arguments.is_raw) {
    web.client.fields.push_back({"Accept-Encoding", std::string(wire::kAcceptEncoding)});
  }
  arguments.shows_head = arguments.shows_head || words.head_only;
  arguments.decoded_bytes_max = web.client.body_bytes_max;
  return {};
}

}  // namespace

std::optional<int> read_fetch_arguments(const std::vector<std::string>& given,
                                        FetchArguments& arguments) {
  Words words;
  Arguments declared(kCommand, "Fetch URLs. Redirects are shown, not followed.");
  declare_request(declared, words, arguments);
  declare_network(declared, words, arguments);
  declare_limits(declared, arguments);
  declare_identity(declared, words, arguments);
  declared.footer(
      "Exit codes: 0 all is well, 2 usage, 3 files, 4 network, 5 TLS, 6 password wanted,\n"
      "7 the server broke the protocol, 8 the server answered with an error.");
  if (const auto exit_code = declared.parse(given)) return exit_code;
  if (auto done = put_together(words, arguments); !done) {
    return usage_error(kCommand, done.error().to_string());
  }
  return std::nullopt;
}

}  // namespace gossamer::cli
