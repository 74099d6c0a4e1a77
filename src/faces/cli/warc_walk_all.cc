#include "cli/warc_walk_all.h"

#include "base/escape.h"
#include "cli/command.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {

int walk_all(const std::vector<std::string>& paths, store::RecordVisitor& visitor) {
  int exit_code = kOk;
  for (const std::string& path : paths) {
    if (visitor.is_satisfied()) break;
    const auto walked = store::walk(path, visitor);
    if (walked) continue;
    complain(path, walked.error().message());
    exit_code = worse(exit_code, walked.error() == Errc::malformed ? kFailed : kFileFailed);
  }
  return exit_code;
}

void complain(std::string_view file, std::string_view message) {
  terminal::print_err("gossamer warc: {}: {}\n", base::escape_for_terminal(file),
                      base::escape_for_terminal(message));
}

}  // namespace gossamer::cli
