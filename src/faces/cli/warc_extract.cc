#include <string>
#include <vector>

#include "base/escape.h"
#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "store/payload_files.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

struct WarcExtractSettings {
  std::vector<std::string> files;
  std::string output;
  bool is_raw = false;
};

void declare_warc_extract(options::Table& table, WarcExtractSettings& settings) {
  table.summary("Write the payloads of responses and resources to files, and list the files.");
  table.words(options::files(settings.files), "WARC, ARC or WACZ; - is standard input");
  table.option("o,output", options::folder(settings.output),
               "write to DIR, which is created if necessary");
  table.flag("raw", settings.is_raw, "do not decompress the payloads");
}

int code_of(store::PayloadFiles::Fault fault) {
  switch (fault) {
    case store::PayloadFiles::Fault::warning: return kOk;
    case store::PayloadFiles::Fault::damaged: return kFailed;
    case store::PayloadFiles::Fault::unwritable: return kFileFailed;
  }
  return kFailed;
}

int run_warc_extract(WarcExtractSettings& settings) {
  if (settings.output.empty()) return usage_error("warc extract", "requires a folder: -o DIR");
  int exit_code = kOk;
  store::PayloadFiles::Events events;
  // The printed list maps files to URLs, so it must not be lost.
  events.on_file = [](std::string_view file, std::string_view url) {
    return terminal::print_out("{}\t{}\n", file, base::escape_for_terminal(url));
  };
  events.on_fault = [&exit_code](store::PayloadFiles::Fault fault, std::string_view archive,
                                 std::string_view text) {
    complain(archive, text);
    exit_code = worse(exit_code, code_of(fault));
  };
  auto files =
      store::PayloadFiles::open(settings.output, {.is_raw = settings.is_raw}, std::move(events));
  if (!files) {
    complain(settings.output, files.error().message());
    return kFileFailed;
  }
  const int walked = walk_all(settings.files, **files);
  return worse(walked, exit_code);
}

}  // namespace

constinit const Command warc_extract_command = command_of<declare_warc_extract, run_warc_extract>(
    "warc extract", "FILE... -o DIR", "write the payloads to files");

}  // namespace gossamer::cli
