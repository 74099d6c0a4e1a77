#include "cli/fetch_arguments.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/root_list.h"
#include "run/crawl_settings.h"
#include "wire/content_coding.h"
#include "wire/netrc.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kFetchCommand = "fetch";

// The words as they were given, before they mean anything together.
struct Words {
  std::vector<std::string> urls;
  std::string method;
  std::optional<std::string> data;
  bool head_only = false;
  std::string user;
  bool netrc = false;
  std::string netrc_file;
};

void declare_request(Arguments& declared, Words& words, FetchArguments& arguments) {
  declared.positionals("URL", words.urls, "what to fetch; http:// may be left out");
  declared.flag("-i,--include", arguments.shows_head, "show the head of the answer too");
  declared.flag("-I,--head", words.head_only, "ask for the head alone, and show it");
  declared.flag("-L,--location", arguments.follows_redirects, "follow redirects, at most 20");
  declare_fields(declared, arguments);
  declared.option("-X,--request", words.method, "METHOD", "instead of GET");
  declared.option(
      "-d,--data",
      [&words](const std::string& data) {
        words.data = data;
        return std::string();
      },
      "BODY|@FILE", "send this body or file (@-: standard input), with POST");
  declared.option("-o,--output", arguments.output_file, "FILE", "write the body there");
  declared.flag("-s,--silent", arguments.is_silent, "print no messages about failures");
  declared.flag("--raw", arguments.is_raw, "do not ask for content codings, nor undo them");
  declared.flag("--json", arguments.shows_json, "one record per URL instead of the body");
  declared.option("-Z,--parallel", arguments.parallel, "N", "so many at once [1]");
}

void declare_limits(Arguments& declared, FetchArguments& arguments) {
  http::ClientOptions& client = arguments.web.client;
  declared.option("--first-byte-timeout", taker_of_duration(client.deadlines.first_byte), "TIME",
                  "until the answer begins [30s]");
  declared.option("--idle-timeout", taker_of_duration(client.deadlines.idle), "TIME",
                  "between two pieces of it [20s]");
  declared.option("-m,--max-time", taker_of_duration(client.deadlines.whole), "TIME",
                  "for everything [5m]");
  declared.option("--min-rate", client.deadlines.bytes_per_second_min, "BYTES",
                  "reject answers slower than this per second, over 20 s [100]");
  declared.option("--max-size", client.body_bytes_max, "BYTES", "of a body [1 GiB]");
}

void declare_identity(Arguments& declared, Words& words, FetchArguments& arguments) {
  declare_certificates(declared, arguments);
  declared.option("-u,--user", words.user, "NAME:PASSWORD", "for servers that ask for it");
  declared.flag("-n,--netrc", words.netrc, "passwords from ~/.netrc");
  declared.option("--netrc-file", words.netrc_file, "FILE", "passwords from there");
  declared.option("-c,--cookie-jar", arguments.cookie_file, "FILE",
                  "read cookies from there and write them back");
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(Errc::not_found, cannot_read(path));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// "@FILE" and "@-" name the body; anything else is the body.
Result<void> read_body(std::optional<std::string>& data) {
  if (!data || !data->starts_with('@')) return {};
  const std::string path = data->substr(1);
  if (path == "-") {
    data->assign(std::istreambuf_iterator<char>(std::cin), {});
    return {};
  }
  auto text = read_text(path);
  if (!text) return fail(std::move(text).error());
  data = std::move(*text);
  return {};
}

Result<void> add_requests(const Words& words, FetchArguments& arguments) {
  for (const std::string& text : words.urls) {
    auto url = parse_typed_url(text);
    if (!url) return fail(std::move(url).error());
    // The user typed this address.
    arguments.web.guard.allowed_hosts.emplace_back(url->hostname());
    arguments.credentials.add_from(*url);
    http::Request request = {.method = words.method,
                             .url = std::move(*url),
                             .fields = arguments.fields,
                             .body = words.data};
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
  // The user named these URLs, so their ports need not be the usual ones.
  for (const http::Request& request : arguments.requests) {
    const auto found = netrc->find(request.url.hostname());
    if (found && words.user.empty()) arguments.credentials.add(request.url, *found);
  }
  arguments.credentials.set_netrc(std::move(*netrc), false);
  return {};
}

Result<void> put_together(Words& words, FetchArguments& arguments) {
  if (auto read = read_body(words.data); !read) return read;
  if (auto added = add_requests(words, arguments); !added) return added;
  if (auto added = add_credentials(words, arguments); !added) return added;
  if (auto settled = settle(arguments); !settled) return settled;
  if (!arguments.output_file.empty() && arguments.requests.size() > 1) {
    return fail(Errc::invalid_argument, "--output is for one URL");
  }
  if (arguments.parallel == 0) return fail(Errc::invalid_argument, "--parallel is at least 1");
  run::WebOptions& web = arguments.web;
  web.client.pool.exchanges_per_origin_max = arguments.parallel;
  web.client.fields = {{"User-Agent", run::own_user_agent()}, {"Accept", "*/*"}};
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
  Arguments declared(kFetchCommand, "Fetch URLs. Redirects are shown; -L follows them.");
  declare_request(declared, words, arguments);
  declare_network(declared, arguments);
  declare_limits(declared, arguments);
  declare_identity(declared, words, arguments);
  declared.footer(
      "Exit codes: 0 all is well, 2 usage, 3 files, 4 network, 5 TLS, 6 password wanted,\n"
      "7 the server broke the protocol, 8 the server answered with an error.");
  if (const auto exit_code = declared.parse(given)) return exit_code;
  if (auto done = put_together(words, arguments); !done) {
    return usage_error(kFetchCommand, done.error().to_string());
  }
  return std::nullopt;
}

}  // namespace gossamer::cli
