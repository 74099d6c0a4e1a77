// For tests: keeps the records of the log while it lives.
#pragma once

#include <string>
#include <string_view>

#include "base/log.h"

namespace gossamer::support {

class KeptLog final : public base::LogSink {
 public:
  KeptLog() : before_(base::set_log_sink(this)) {}
  ~KeptLog() override { base::set_log_sink(before_); }
  KeptLog(const KeptLog&) = delete;
  KeptLog& operator=(const KeptLog&) = delete;

  void write(base::LogLevel /*level*/, std::string_view line) noexcept override { text += line; }

  std::string text;

 private:
  base::LogSink* const before_;
};

}  // namespace gossamer::support
