#include <fmt/format.h>

#include <map>

#include "base/escape.h"
#include "base/json.h"
#include "cli/commands.h"
#include "store/stored_crawl.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kChangesCommand = "job changes";

std::string json_line(const store::PageChange& change) {
  base::JsonLine json;
  json.text("change", store::name(change.kind)).text("url", change.url);
  json.text("ts", base::to_rfc3339(change.ts));
  if (change.status_before) {
    json.number("status_before", static_cast<std::uint64_t>(*change.status_before));
  }
  if (change.status) json.number("status", static_cast<std::uint64_t>(*change.status));
  return json.finish();
}

struct ChangesSettings {
  std::string folder;
  bool is_json = false;
  bool shows_all = false;
};

void declare_changes(options::Table& table, ChangesSettings& settings) {
  table.summary("List the changes that the last `gossamer crawl --refresh` of a directory found.");
  table.word(options::folder(settings.folder), "the crawl directory");
  table.flag("all", settings.shows_all, "include pages whose visible text is the same");
  table.flag("json", settings.is_json, "print one JSON object per line");
}

int run_changes(ChangesSettings& settings) {
  const bool is_json = settings.is_json;
  const auto kept = store::StoredCrawl::open(settings.folder);
  if (!kept) return job_error(kChangesCommand, kept.error());
  std::map<std::string_view, std::size_t> counts;
  const auto told = kept->for_each_change([&](const store::PageChange& change) {
    ++counts[store::name(change.kind)];
    if (change.kind == store::ChangeKind::markup && !settings.shows_all) return true;
    if (is_json) return terminal::print_out("{}\n", json_line(change));
    return terminal::print_out("{:<8} {}\n", store::name(change.kind),
                               base::escape_for_terminal(change.url));
  });
  if (!told) return job_error(kChangesCommand, told.error());
  const auto has_refreshed = kept->has_refreshed();
  if (!has_refreshed) return job_error(kChangesCommand, has_refreshed.error());
  if (!is_json && !*has_refreshed) {
    terminal::print_out(
        "{0} has not been refreshed yet; run `gossamer resume {0} -- --refresh` to find changes\n",
        base::escape_for_terminal(settings.folder));
  } else if (!is_json) {
    terminal::print_out("{} new, {} changed, {} gone", counts["new"], counts["changed"],
                        counts["gone"]);
    const std::size_t same = counts["markup"];
    if (same > 0) terminal::print_out("; {} with the same text (--all lists them)", same);
    terminal::print_out("\n");
  }
  return kOk;
}

}  // namespace

constinit const Command changes_command = command_of<declare_changes, run_changes>(
    kChangesCommand, "DIR [--json]", "list the changes that a refresh found");

}  // namespace gossamer::cli
