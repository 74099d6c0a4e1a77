#include "redis/server_url.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "base/number.h"

namespace gossamer::redis {
namespace {

constexpr std::string_view kPlain = "redis://";
constexpr std::string_view kTls = "rediss://";
constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kHostBytesMax = 255;
constexpr std::size_t kUserBytesMax = 128;

bool is_letter_or_digit(char c) { return base::is_letter(c) || base::is_digit(c); }

bool is_host_character(char c) {
  return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_' || c == ':' || c == '[' ||
         c == ']' || c == '%';
}

bool is_name_character(char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; }

// What follows the first colon may be a password, so it is not repeated.
Error invalid(std::string_view text, std::string_view why) {
  const std::string_view shown =
      text.starts_with('[') ? text.substr(0, text.find(']') + 1) : text.substr(0, text.find(':'));
  return Error(Errc::invalid_argument, std::string(shown) + ": " + std::string(why));
}

Result<Node> make_node(std::string_view text, std::string_view host, std::string_view port) {
  Node node;
  if (host.empty() || host.size() > kHostBytesMax ||
      !std::ranges::all_of(host, is_host_character)) {
    return fail(invalid(text, "this is not a host"));
  }
  const bool is_bare_ip6 = !host.starts_with('[') && host.find(':') != host.npos;
  node.host = is_bare_ip6 ? "[" + std::string(host) + "]" : std::string(host);
  if (!port.empty() && (!base::parse_number(port, node.port) || node.port == 0)) {
    return fail(invalid(text, "a port is a number from 1 to 65535"));
  }
  return node;
}

// "host", "host:port", "[v6]", "[v6]:port".
Result<Node> parse_seed(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == text.npos) return fail(invalid(text, "the bracket is not closed"));
    const std::string_view rest = text.substr(close + 1);
    if (rest.empty()) return make_node(text, text, "");
    if (rest.size() < 2 || rest.front() != ':') return fail(invalid(text, "this is not a host"));
    return make_node(text, text.substr(0, close + 1), rest.substr(1));
  }
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return make_node(text, text, "");
  if (text.find(':', colon + 1) != text.npos || colon + 1 == text.size()) {
    return fail(invalid(text, "write HOST, HOST:PORT or [IPV6]:PORT"));
  }
  return make_node(text, text.substr(0, colon), text.substr(colon + 1));
}

}  // namespace

Result<Node> parse_node(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon + 1 == text.size()) {
    return fail(Errc::malformed, "not the address of a node");
  }
  auto node = make_node(text, text.substr(0, colon), text.substr(colon + 1));
  if (!node) return fail(Errc::malformed, "not the address of a node");
  return node;
}

std::string ServerUrl::to_string() const {
  std::string out(is_tls ? kTls : kPlain);
  if (!user.empty()) out += user + "@";
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (i > 0) out += ',';
    out += seeds[i].to_string();
  }
  return out + "/" + crawl;
}

Result<ServerUrl> parse_server_url(std::string_view text) {
  ServerUrl url;
  url.is_tls = text.starts_with(kTls);
  if (!url.is_tls && !text.starts_with(kPlain)) {
    // The text may contain a password, so it is not repeated.
    return fail(Errc::invalid_argument,
                "a cluster is redis://HOST[:PORT][,HOST...]/NAME or rediss://...");
  }
  std::string_view rest = text.substr(url.is_tls ? kTls.size() : kPlain.size());
  if (const std::size_t at = rest.rfind('@'); at != rest.npos) {
    url.user = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    if (url.user.find(':') != url.user.npos) {
      return fail(
          Errc::invalid_argument,
          "the URL of a cluster must not contain a password; set GOSSAMER_REDIS_PASSWORD or "
          "use `password-file` FILE");
    }
    const bool is_name = std::ranges::all_of(url.user, is_name_character);
    if (url.user.empty() || url.user.size() > kUserBytesMax || !is_name) {
      return fail(Errc::invalid_argument, "the user of the cluster is not a name");
    }
  }
  const std::size_t slash = rest.find('/');
  url.crawl = slash == rest.npos ? "" : rest.substr(slash + 1);
  const bool is_name = std::ranges::all_of(url.crawl, is_name_character);
  if (url.crawl.empty() || url.crawl.size() > kNameBytesMax || !is_name) {
    return fail(Errc::invalid_argument,
                "the name of the crawl follows the hosts: 1 to 64 letters, digits, '_', '-' or "
                "'.', as in redis://node1:7000/museum");
  }
  for (std::string_view seeds = rest.substr(0, slash);;) {
    const std::size_t comma = seeds.find(',');
    auto node = parse_seed(seeds.substr(0, comma));
    if (!node) return fail(std::move(node).error());
    if (url.seeds.size() == kSeedsMax) return fail(Errc::invalid_argument, "too many hosts");
    url.seeds.push_back(std::move(*node));
    if (comma == seeds.npos) break;
    seeds.remove_prefix(comma + 1);
  }
  return url;
}

}  // namespace gossamer::redis
