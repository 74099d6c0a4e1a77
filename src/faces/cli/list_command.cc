#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/json.h"
#include "cli/commands.h"
#include "scope/host_options.h"
#include "store/stored_crawl.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kListCommand = "job list";

struct Wanted {
  std::string folder;
  std::string_view state;  // empty: all
  std::string reason;
  std::string host;
  std::optional<std::uint64_t> depth;
};

bool has_host(const std::string& text, const std::string& host) {
  if (host.empty()) return true;
  const auto url = url::Url::parse(text);
  return url && url->hostname() == host;
}

// The fields of a URL in any state.
struct Line {
  std::string_view state;
  const std::string& url;
  std::string_view reason = {};
  std::uint32_t depth = 0;
  std::string_view via = {};
};

bool is_wanted(const Wanted& wanted, const Line& line) {
  if (!wanted.state.empty() && wanted.state != line.state) return false;
  if (!wanted.reason.empty() && wanted.reason != line.reason) return false;
  if (wanted.depth && *wanted.depth != line.depth) return false;
  return has_host(line.url, wanted.host);
}

base::JsonLine begin_line(const Line& line) {
  base::JsonLine json;
  json.text("state", line.state).text("url", line.url).number("depth", line.depth);
  if (!line.via.empty()) json.text("via", line.via);
  if (!line.reason.empty()) json.text("reason", line.reason);
  return json;
}

bool print(base::JsonLine json) { return terminal::print_out("{}\n", json.finish()); }

Result<void> list_pages(const store::StoredCrawl& kept, const Wanted& wanted) {
  return kept.for_each_page([&](const crawler::FetchRecord& record) {
    const Line line = {.state = record.status && record.error.empty() ? "done" : "failed",
                       .url = record.url,
                       .reason = record.error,
                       .depth = record.depth,
                       .via = record.via};
    if (!is_wanted(wanted, line)) return true;
    base::JsonLine json = begin_line(line);
    if (record.status) json.number("status", static_cast<std::uint64_t>(*record.status));
    if (!record.mime.empty()) json.text("mime", record.mime);
    json.number("bytes", record.bytes).text("ts", base::to_rfc3339(record.ts));
    return print(std::move(json));
  });
}

Result<void> list_waiting(const store::StoredCrawl& kept, const Wanted& wanted) {
  return kept.for_each_waiting([&](const crawler::Target& target) {
    const Line line = {
        .state = "waiting", .url = target.url, .depth = target.depth, .via = target.via.url()};
    return !is_wanted(wanted, line) || print(begin_line(line));
  });
}

Result<void> list_skipped(const store::StoredCrawl& kept, const Wanted& wanted) {
  return kept.for_each_skip([&](const store::StoredSkip& skip) {
    const Line line = {.state = "skipped",
                       .url = skip.url,
                       .reason = crawler::name(skip.reason),
                       .depth = skip.depth,
                       .via = skip.via};
    if (!is_wanted(wanted, line)) return true;
    base::JsonLine json = begin_line(line);
    if (!skip.detail.empty()) json.text("detail", skip.detail);
    return print(std::move(json));
  });
}

constexpr std::array<options::Choice<std::string_view>, 4> kStates = {
    {{"done", "done"}, {"failed", "failed"}, {"waiting", "waiting"}, {"skipped", "skipped"}}};

void declare_list(options::Table& table, Wanted& wanted) {
  table.summary("List the URLs of a crawl directory, one JSON object per line.");
  table.word(options::folder(wanted.folder), "the crawl directory");
  table.option("state", options::choice(kStates, wanted.state), "list only URLs in this state");
  table.option("reason", options::text(wanted.reason, "REASON"),
               "list only failures and skips for this reason: timed_out, robots, too_deep, ...");
  const auto take_host = [&wanted](const std::string& text) -> std::string {
    auto host = crawler::parse_host_name(text);
    if (!host || host->starts_with('*')) return "expected a host such as example.com";
    wanted.host = std::move(*host);
    return {};
  };
  table.option("host", options::custom("HOST", take_host), "list only URLs of this host");
  table.option("depth", options::count(wanted.depth),
               "list only URLs at this many links from a root");
}

int run_list(Wanted& wanted) {
  const auto kept = store::StoredCrawl::open(wanted.folder);
  if (!kept) return job_error(kListCommand, kept.error());
  for (const auto& list : {list_pages, list_waiting, list_skipped}) {
    const auto listed = list(*kept, wanted);
    if (!listed) return job_error(kListCommand, listed.error());
  }
  return kOk;
}

}  // namespace

constinit const Command list_command = command_of<declare_list, run_list>(
    kListCommand, "DIR [--state NAME] [--host HOST]", "list the URLs of a crawl");

}  // namespace gossamer::cli
