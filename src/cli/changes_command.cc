#include <fmt/format.h>

#include <map>

#include "base/escape.h"
#include "base/json.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/job_commands.h"
#include "cli/standard_output.h"
#include "store/kept_crawl.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kChangesCommand = "changes";

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

}  // namespace

int run_changes_command(const std::vector<std::string>& words) {
  std::string folder;
  bool is_json = false;
  bool shows_all = false;
  Arguments arguments(
      kChangesCommand,
      "Tell what the last `gossamer crawl --refresh` of a directory found different.");
  arguments.positional("DIR", folder, "the crawl directory");
  arguments.flag("--all", shows_all, "also pages whose visible text is the same");
  arguments.flag("--json", is_json, "one JSON object per line");
  if (const auto exit_code = arguments.parse(words)) return *exit_code;
  const auto kept = store::KeptCrawl::open(folder);
  if (!kept) return job_error(kChangesCommand, kept.error());
  std::map<std::string_view, std::size_t> counts;
  const auto told = kept->for_each_change([&](const store::PageChange& change) {
    ++counts[store::name(change.kind)];
    if (change.kind == store::ChangeKind::markup && !shows_all) return true;
    if (is_json) return print_out("{}\n", json_line(change));
    return print_out("{:<8} {}\n", store::name(change.kind), base::escape_for_terminal(change.url));
  });
  if (!told) {
    static_cast<void>(usage_error(kChangesCommand, told.error().to_string()));
    return kFileFailed;
  }
  const auto has_refreshed = kept->has_refreshed();
  if (!is_json && has_refreshed && !*has_refreshed) {
    print_out("{} was not refreshed yet; gossamer crawl --refresh finds what changed\n",
              base::escape_for_terminal(folder));
  } else if (!is_json) {
    print_out("{} new, {} changed, {} gone", counts["new"], counts["changed"], counts["gone"]);
    const std::size_t same = counts["markup"];
    if (same > 0) print_out("; {} with the same text (--all lists them)", same);
    print_out("\n");
  }
  return kOk;
}

}  // namespace gossamer::cli
