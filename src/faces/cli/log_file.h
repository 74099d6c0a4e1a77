#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/log.h"
#include "settings/crawl_arguments.h"

namespace gossamer::cli {

// A file that receives the log during its lifetime. If another program renames or removes it, as
// logrotate does, the next record begins a new file of that name.
class LogFile final : public base::LogSink {
 public:
  // In a crawl directory, a link is not followed.
  LogFile(std::string path, bool is_in_job, settings::LogFormat format);
  ~LogFile() override;
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  bool is_open() const { return file_ != nullptr; }
  void write(base::LogLevel level, std::string_view line) noexcept override;

 private:
  std::FILE* open_to_append() const;
  bool was_moved() const noexcept;

  const std::string path_;
  const bool is_in_job_;
  const settings::LogFormat format_;
  std::FILE* file_;
};

// Returns a record as JSON: "2026-05-04T12:00:00.000Z info: text" has ts, level and text. Without a
// time, ts is null.
std::string json_of_record(base::LogLevel level, std::string_view line);

}  // namespace gossamer::cli
