#include "cli/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/json.h"

namespace gossamer::cli {

LogFile::LogFile(std::string path, bool is_in_job, settings::LogFormat format)
    : path_(std::move(path)), is_in_job_(is_in_job), format_(format), file_(open_to_append()) {
  if (file_ != nullptr) base::set_log_sink(this);
}

LogFile::~LogFile() {
  if (file_ == nullptr) return;
  base::set_log_sink(nullptr);
  std::fclose(file_);
}

void LogFile::write(base::LogLevel level, std::string_view line) noexcept {
  if (was_moved()) {
    if (std::FILE* const next = open_to_append()) std::fclose(std::exchange(file_, next));
  }
  try {
    const std::string json =
        format_ == settings::LogFormat::json ? json_of_record(level, line) : std::string();
    if (!json.empty()) line = json;
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
  } catch (const std::bad_alloc&) {
    return;
  }
}

std::FILE* LogFile::open_to_append() const {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (is_in_job_ ? O_NOFOLLOW : 0);
  const int descriptor = open(path_.c_str(), flags, 0666);
  if (descriptor < 0) return nullptr;
  std::FILE* const file = fdopen(descriptor, "a");
  if (file == nullptr) close(descriptor);
  return file;
}

bool LogFile::was_moved() const noexcept {
  struct stat ours = {};
  struct stat there = {};
  if (fstat(fileno(file_), &ours) != 0 || !S_ISREG(ours.st_mode)) return false;
  if (stat(path_.c_str(), &there) != 0) return true;
  return ours.st_dev != there.st_dev || ours.st_ino != there.st_ino;
}

std::string json_of_record(base::LogLevel level, std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  const std::string mark = std::string(base::name(level)) + ": ";
  std::string_view time;
  if (!line.starts_with(mark)) {
    time = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(time.size() + 1, line.size()));
  }
  if (line.starts_with(mark)) line.remove_prefix(mark.size());
  base::JsonLine json;
  if (time.empty()) {
    json.null("ts");
  } else {
    json.text("ts", time);
  }
  return json.text("level", base::name(level)).text("text", line).finish() + "\n";
}

}  // namespace gossamer::cli
