#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "cli/commands.h"
#include "cli/warc_walk_all.h"
#include "store/archive_index.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

// True if everything was written.
bool write_file(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    terminal::standard_output().write(text);
    return true;  // main() reports a failure
  }
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool is_closed = std::fclose(file) == 0;
  return is_written && is_closed;
}

}  // namespace

int write_index(const std::vector<std::string>& files, const std::string& output) {
  store::ArchiveIndex index(complain);
  const int walked = walk_all(files, index);
  if (!write_file(output, index.take_lines())) {
    complain(output, std::strerror(errno));
    return kFileFailed;
  }
  return worse(walked, index.has_damage() ? kFailed : kOk);
}

namespace {

struct WarcIndexSettings {
  std::vector<std::string> files;
  std::string output;
};

void declare_warc_index(options::Table& table, WarcIndexSettings& settings) {
  table.summary("Write the sorted CDXJ index of archives.");
  table.words(options::files(settings.files), "WARC, ARC or WACZ; - is standard input");
  table.option("o,output", options::file(settings.output), "write the index to FILE").unset =
      "stdout";
}

int run_warc_index(WarcIndexSettings& settings) {
  return write_index(settings.files, settings.output);
}

}  // namespace

constinit const Command warc_index_command = command_of<declare_warc_index, run_warc_index>(
    "warc index", "FILE... [-o FILE]", "write a sorted CDXJ index");

}  // namespace gossamer::cli
