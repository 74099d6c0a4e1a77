#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.h"

namespace gossamer::report {

// A fetch without an answer.
struct FailedFetch {
  std::string_view url;
  std::string_view error;                      // the name of its code: "refused"
  std::string_view detail;                     // Error::to_string()
  std::string_view time_option = "`timeout`";  // of the command
};

// Says why it failed and what to do: "connection refused. Check that the server is running and that
// the port is right". No full stop at the end.
std::string reason_and_remedy(const FailedFetch& failed);

// Why roots could not be fetched, in sentences with a remedy.
// BOUND: five sentences; further roots are counted.
class RootTroubles {
 public:
  void add(const crawler::FetchRecord& record);
  void add(const crawler::SkippedUrl& skipped);

  // A line each: "http://a.exmaple/ could not be fetched: ...". Empty if there are none.
  std::string text(std::string_view command) const;

 private:
  void add(std::string_view url, std::string_view why);

  std::vector<std::string> sentences_;
  std::size_t left_out_ = 0;
};

}  // namespace gossamer::report
