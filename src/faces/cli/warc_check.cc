#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "store/archive_check.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

struct WarcCheckSettings {
  std::vector<std::string> files;
  bool is_quiet = false;
};

void declare_warc_check(options::Table& table, WarcCheckSettings& settings) {
  table.summary(
      "Verify the structure and all digests of archives. The exit code is 1 if there are "
      "problems.");
  table.words(options::files(settings.files), "WARC, ARC or WACZ; - is standard input");
  table.flag("q,quiet", settings.is_quiet, "print no summary");
}

int run_warc_check(WarcCheckSettings& settings) {
  store::ArchiveCheck check(complain);
  const int walked = walk_all(settings.files, check);
  check.end_archive();
  const store::ArchiveCheck::Counts& counts = check.counts();
  if (!settings.is_quiet) {
    terminal::print_out("archives: {}, records: {}, with digests: {}, problems: {}\n",
                        counts.archives, counts.records, counts.digests, counts.problems);
  }
  return worse(walked, counts.problems > 0 ? kFailed : kOk);
}

}  // namespace

constinit const Command warc_check_command = command_of<declare_warc_check, run_warc_check>(
    "warc check", "FILE...", "verify structure and digests");

}  // namespace gossamer::cli
