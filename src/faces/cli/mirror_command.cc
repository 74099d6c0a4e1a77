#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/crawl_arguments.h"
#include "cli/mirror_files.h"
#include "exports/mirror_copy.h"
#include "settings/root_list.h"
#include "store/stored_crawl.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kMirrorCommand = "mirror";

struct MirrorSettings {
  std::string url;
  std::string folder;
  bool is_quiet = false;
  std::vector<std::string> options;
};

// Returns the name of a copy's folder: "example.com", "localhost+8080".
std::string folder_for(const url::Url& url) {
  std::string name(url.hostname());
  if (!url.port().empty()) name += "+" + std::string(url.port());
  std::erase_if(name, [](char c) { return c == '[' || c == ']' || c == '/'; });
  return name;
}

// Runs the crawl: a new one, the rest of an interrupted one, or a refresh of an existing mirror.
// Returns its exit code, or nothing if the options are wrong.
std::optional<int> crawl_for_mirror(const MirrorSettings& arguments,
                                    const exports::MirrorCopy& folder, int& exit_code) {
  std::vector<std::string> words = {"--job", folder.crawl(), "--assets", arguments.url};
  if (folder.has_crawl() && folder.has_copy()) words.emplace_back("--refresh");
  if (arguments.is_quiet) words.emplace_back("--quiet");
  words.insert(words.end(), arguments.options.begin(), arguments.options.end());
  CrawlArguments crawl;
  crawl.output.command = kMirrorCommand;
  if (const auto stop = read_crawl_arguments(words, world_of_this_process(), crawl)) {
    return stop;
  }
  crawl.crawl.job.advice =
      "Repeat the options of the first run, or add `-- --change-settings` to use the new ones";
  if (crawl.output.results_file.empty()) crawl.output.format = crawler::CrawlFormat::none;
  exit_code = run_crawl(std::move(crawl));
  return std::nullopt;
}

// Prints the files of the roots unless the command is quiet.
int copy_out(const exports::MirrorCopy& folder, bool is_quiet) {
  const auto kept = store::StoredCrawl::open(folder.crawl());
  if (!kept) return job_error(kMirrorCommand, kept.error());
  folder.clear_next();
  const int exported =
      write_mirror(kMirrorCommand, *kept, folder.next(), is_quiet ? std::string() : folder.path());
  // Without a page there is no new copy, and the old one is kept.
  if (exported == kUsage || exported == kFileFailed || exported == kDamaged || !folder.has_next()) {
    return exported;
  }
  const auto replaced = folder.replace();
  if (replaced) return exported;
  static_cast<void>(usage_error(kMirrorCommand, replaced.error().message()));
  return kFileFailed;
}

void declare_mirror(options::Table& table, MirrorSettings& settings) {
  table.summary(
      "Make or update an offline copy of a site: its pages with their images, style sheets and\n"
      "scripts. Links lead to the copied files.");
  table.word(options::text(settings.url, "URL"), "the site");
  table.optional_word(options::folder(settings.folder), "the folder for the copy").unset =
      "the host of the URL";
  table.flag("q,quiet", settings.is_quiet, "print only errors, no progress or summary");
  table.rest(options::texts(settings.options, "OPTION"), "options of `gossamer crawl`");
  table.footer(
      "Run it again to update the copy: only pages that changed are transferred.\n"
      "Write options of `gossamer crawl` after --: gossamer mirror URL -- --depth 3 --delay 1s\n"
      "`gossamer job` reads the crawl in DIR/.crawl.");
}

int run_mirror(MirrorSettings& arguments) {
  const auto url = settings::parse_typed_url(arguments.url);
  if (!url) return usage_error(kMirrorCommand, url.error().detail());
  const exports::MirrorCopy folder(arguments.folder.empty() ? folder_for(*url) : arguments.folder);
  if (auto usable = folder.check(); !usable) {
    return usage_error(kMirrorCommand, usable.error().detail());
  }
  int crawled = kOk;
  if (const auto stop = crawl_for_mirror(arguments, folder, crawled)) return *stop;
  // A crawl that failed to start or was interrupted leaves the copy unchanged.
  if (crawled == kUsage || crawled == kFileFailed || crawled > kServerError) return crawled;
  return worse(crawled, copy_out(folder, arguments.is_quiet));
}

}  // namespace

constinit const Command mirror_command = command_of<declare_mirror, run_mirror>(
    kMirrorCommand, "URL [DIR] [-- OPTION...]", "make or update an offline copy of a site");

}  // namespace gossamer::cli
