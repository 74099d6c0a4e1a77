#include <string>
#include <string_view>
#include <vector>

#include "base/escape.h"
#include "base/figures.h"
#include "cli/commands.h"
#include "cli/export_outputs.h"
#include "cli/warc_walk_all.h"
#include "store/archive_files.h"
#include "store/crawl_merge.h"
#include "store/job_folder.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kClusterExportCommand = "cluster export";

struct ClusterExportSettings {
  std::vector<std::string> folders;
  std::string job;
  std::string index;
  ExportOutputs outputs;
};

void declare_cluster_export(options::Table& table, ClusterExportSettings& settings) {
  table.summary("Merge the crawl directories of the nodes of a shared crawl, and export them.");
  table.words(options::files(settings.folders), "the crawl directories");
  table.option("job", options::text(settings.job, "OUT"), "make this crawl directory; required");
  declare_outputs(table, settings.outputs);
  table.option("cdxj", options::file(settings.index), "write the index of all archives");
  table.footer(
      "A URL that several nodes fetched has one record. OUT is an ordinary crawl directory: the\n"
      "commands of `gossamer job` and `gossamer warc` read it. Its archives are links to those of\n"
      "the nodes where the file system allows it.");
}

int index_archive(const std::string& job, const std::string& output) {
  auto archive = store::FolderFiles::open_inner(job + "/archive");
  if (!archive) return job_error(kClusterExportCommand, archive.error());
  auto listed = archive->list();
  if (!listed) return job_error(kClusterExportCommand, listed.error());
  std::vector<std::string> files;
  for (const store::ArchiveFiles::Listed& each : *listed) {
    files.push_back(archive->path_of(each.name));
  }
  return write_index(files, output);
}

int run_cluster_export(ClusterExportSettings& settings) {
  if (settings.job.empty()) {
    return usage_error(kClusterExportCommand, "requires --job OUT, a new crawl directory");
  }
  if (const std::string fault = fault_of_fields(settings.outputs); !fault.empty()) {
    return usage_error(kClusterExportCommand, fault);
  }
  const auto merged = store::merge_crawls(settings.folders, settings.job);
  if (!merged) return job_error(kClusterExportCommand, merged.error());
  terminal::print_err("{}: {} of {}, {} dropped, {}\n", base::escape_for_terminal(settings.job),
                      base::counted(merged->pages, "page"),
                      base::counted(settings.folders.size(), "node"),
                      base::counted(merged->repeated, "repeated record"),
                      base::counted(merged->files, "archive file"));
  int exit_code = kOk;
  if (!settings.outputs.empty()) {
    exit_code = export_job(kClusterExportCommand, settings.job, settings.outputs);
  }
  if (!settings.index.empty()) {
    exit_code = worse(exit_code, index_archive(settings.job, settings.index));
  }
  return exit_code;
}

}  // namespace

constinit const Command cluster_export_command =
    command_of<declare_cluster_export, run_cluster_export>(
        kClusterExportCommand, "DIR... --job OUT", "merge the directories of nodes");

}  // namespace gossamer::cli
