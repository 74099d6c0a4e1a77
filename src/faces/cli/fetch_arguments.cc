#include "cli/fetch_arguments.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "cli/command.h"
#include "render/tab.h"
#include "render/websocket.h"
#include "settings/crawl_settings.h"
#include "settings/root_list.h"
#include "settings/web_arguments.h"
#include "wire/content_coding.h"
#include "wire/netrc.h"

namespace gossamer::cli {
namespace {

void declare_request(options::Table& table, FetchArguments& arguments) {
  table.words(options::texts(arguments.urls, "URL"), "what to fetch; http:// is optional");
  table.flag("i,include", arguments.shows_head, "also show the response headers");
  table.flag("I,head", arguments.is_head_only, "send HEAD and show the response headers");
  table.flag("L,location", arguments.follows_redirects, "follow redirects, at most 20");
  settings::declare_fields(table, settings::field_value(arguments.fields));
  table.option("X,request", options::text(arguments.method, "METHOD"), "use METHOD instead of GET");
  const auto take_data = [&arguments](const std::string& data) {
    arguments.data = data;
    return std::string();
  };
  table.option("d,data", options::custom("BODY|@FILE", take_data),
               "POST this body or file; @- is standard input");
  table.option("o,output", options::file(arguments.output_file), "write the body to FILE");
  table.flag("s,silent", arguments.is_silent, "do not print errors");
  table.flag("raw", arguments.is_raw, "do not request compression and do not decompress");
  table.flag("json", arguments.shows_json, "print one record per URL instead of the body");
  table.option("Z,parallel", options::count(arguments.parallel, 1), "fetch N URLs concurrently");
}

void declare_rendering(options::Table& table, FetchArguments& arguments) {
  table.flag("render", arguments.renders, "print the page as a browser has it, with Chromium");
  table.option("render-with", options::text(arguments.render_with, "URL"),
               "render in this browser instead: ws://HOST:PORT/..., not sealed");
  table.option("wait-for", options::text(arguments.render_wait_for, "SELECTOR"),
               "with --render: wait for such an element");
  table.option("scroll", options::count(arguments.render_scrolls, 0),
               "with --render: scroll to the end N times");
  table.option("screenshot", options::file(arguments.screenshot_file),
               "write a picture of the page to FILE, as PNG");
  table.option("pdf", options::file(arguments.pdf_file), "write the page to FILE, as PDF");
}

// So that no page is rendered in vain.
Result<void> check_writable(const std::string& path) {
  if (path.empty()) return {};
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  const std::string folder = std::filesystem::path(path).parent_path();
  const bool is_there = std::filesystem::exists(path, ignored);
  const std::string place = is_there ? path : folder.empty() ? "." : folder;
  if (!is_folder && access(place.c_str(), W_OK) == 0) return {};
  return fail(Errc::invalid_argument, "cannot write " + path);
}

Result<void> check_rendering(const FetchArguments& arguments) {
  const bool has_wishes = !arguments.render_wait_for.empty() || arguments.render_scrolls > 0;
  if (has_wishes && !arguments.is_rendered()) {
    return fail(Errc::invalid_argument, "--wait-for and --scroll require --render");
  }
  if (!arguments.render_with.empty()) {
    if (!arguments.is_rendered()) {
      return fail(Errc::invalid_argument, "--render-with requires --render, --screenshot or --pdf");
    }
    auto url = render::parse_websocket_url(arguments.render_with);
    if (!url) return fail(std::move(url).error(), "in --render-with");
  }
  if (!arguments.is_rendered()) return {};
  if (arguments.is_head_only) {
    return fail(Errc::invalid_argument, "--head fetches no page that could be rendered");
  }
  if (arguments.has_pictures() && arguments.requests.size() > 1) {
    return fail(Errc::invalid_argument, "--screenshot and --pdf work with one URL only");
  }
  if (arguments.has_pictures() && arguments.screenshot_file == arguments.pdf_file) {
    return fail(Errc::invalid_argument, "--screenshot and --pdf need files of their own");
  }
  const std::string& output = arguments.output_file;
  if (!output.empty() && (output == arguments.screenshot_file || output == arguments.pdf_file)) {
    return fail(Errc::invalid_argument, "--output needs a file of its own");
  }
  if (auto checked = check_writable(arguments.screenshot_file); !checked) return checked;
  return check_writable(arguments.pdf_file);
}

void declare_fetch_limits(options::Table& table, http::ClientOptions& client) {
  table.option("first-byte-timeout", options::time_limit(client.deadlines.first_byte),
               "wait at most TIME for the response to begin");
  table.option("idle-timeout", options::time_limit(client.deadlines.idle),
               "wait at most TIME for more of the response");
  table.option("m,max-time", options::time_limit(client.deadlines.whole),
               "limit the whole fetch to TIME");
  table.option("min-rate", options::size(client.deadlines.bytes_per_second_min),
               "reject responses below this rate per second, over 20 s");
  table.option("max-size", options::size(client.body_bytes_max), "reject larger bodies");
}

void declare_identity(options::Table& table, FetchArguments& arguments) {
  settings::declare_certificates(table, arguments.web.tls);
  table.option("u,user", options::text(arguments.user, "NAME:PASSWORD"),
               "log in where a server requires it");
  table.flag("n,netrc", arguments.uses_netrc, "read passwords from ~/.netrc");
  table.option("netrc-file", options::file(arguments.netrc_file), "read passwords from FILE");
  table.option("c,cookie-jar", options::file(arguments.cookie_file),
               "read cookies from FILE and write them back");
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.peek();  // a folder can be opened, but not read
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

Result<void> add_requests(FetchArguments& arguments) {
  for (const std::string& text : arguments.urls) {
    auto url = settings::parse_typed_url(text);
    if (!url) return fail(std::move(url).error());
    // The user typed this address, so it may be a private one.
    arguments.web.guard.allowed_hosts.emplace_back(url->hostname());
    arguments.credentials.add_from(*url);
    http::Request request = {.method = arguments.method,
                             .url = std::move(*url),
                             .fields = arguments.fields,
                             .body = arguments.data};
    if (request.method.empty()) {
      request.method = arguments.is_head_only ? "HEAD" : arguments.data ? "POST" : "GET";
    }
    arguments.requests.push_back(std::move(request));
  }
  return {};
}

Result<void> add_credentials(FetchArguments& arguments) {
  const std::string& user = arguments.user;
  if (!user.empty()) {
    const std::size_t colon = user.find(':');
    const std::string password = colon == std::string::npos ? "" : user.substr(colon + 1);
    for (const http::Request& request : arguments.requests) {
      arguments.credentials.add(request.url, {user.substr(0, colon), password});
    }
  }
  std::string path = arguments.netrc_file;
  if (const char* home = std::getenv("HOME");
      path.empty() && arguments.uses_netrc && home != nullptr) {
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
    if (found && user.empty()) arguments.credentials.add(request.url, *found);
  }
  arguments.credentials.set_netrc(std::move(*netrc));
  return {};
}

}  // namespace

void declare_fetch(options::Table& table, FetchArguments& arguments) {
  table.summary("Fetch URLs. Redirects are shown, not followed; use -L to follow them.");
  declare_request(table, arguments);
  declare_rendering(table, arguments);
  settings::declare_network(table, arguments.web, arguments.driver);
  declare_fetch_limits(table, arguments.web.client);
  declare_identity(table, arguments);
  table.footer(
      "Exit codes: 0 success, 2 usage, 3 files, 4 network, 5 TLS, 6 password required,\n"
      "7 the server broke the protocol, 8 the server answered with an error.");
}

Result<void> complete_fetch(const options::Table& table, FetchArguments& arguments) {
  if (auto read = read_body(arguments.data); !read) return read;
  if (auto added = add_requests(arguments); !added) return added;
  if (auto added = add_credentials(arguments); !added) return added;
  if (auto settled = settings::complete_network(table, arguments.web); !settled) return settled;
  if (!arguments.output_file.empty() && arguments.requests.size() > 1) {
    return fail(Errc::invalid_argument, "--output works with one URL only");
  }
  if (auto checked = check_rendering(arguments); !checked) return checked;
  run::WebOptions& web = arguments.web;
  // A page that is rendered holds its connection while its parts are fetched.
  const std::size_t parts_max = render::RenderOptions().parts_in_flight_max;
  web.client.pool.exchanges_per_origin_max =
      arguments.parallel * (arguments.is_rendered() ? 1 + parts_max : 1);
  web.client.fields = {{"User-Agent", run::own_user_agent()}, {"Accept", "*/*"}};
  if (!arguments.is_raw) {
    web.client.fields.push_back({"Accept-Encoding", std::string(wire::kAcceptEncoding)});
  }
  arguments.shows_head = arguments.shows_head || arguments.is_head_only;
  arguments.decoded_bytes_max = web.client.body_bytes_max;
  return {};
}

}  // namespace gossamer::cli
