#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace gossamer::store {

// A crawl directory; docs/formats/job.md describes its contents.
//
//   DIR/job.toml     the settings, as a configuration file
//   DIR/tables/      pages and queues; only its owner can read them
//   DIR/archive/     the responses, as WARC
//   DIR/crawl.log
//   DIR/lock         held by the process that writes
class JobFolder {
 public:
  // The version of the format; a comment in job.toml has it.
  static constexpr int kFormat = 1;

  enum class Access : std::uint8_t {
    write,  // created if necessary
    read,   // another process may be writing
  };

  // Fails with Errc::not_found, with Errc::exists if it is not a crawl directory, with Errc::denied
  // while another process writes there, with Errc::unsupported if job.toml has another format than
  // kFormat, and with the error of the system.
  static Result<JobFolder> open(const std::string& path, Access access);

  JobFolder(JobFolder&& other) noexcept;
  JobFolder& operator=(JobFolder&&) = delete;
  ~JobFolder();

  // True if a process is writing there.
  bool is_busy() const;

  const std::string& path() const noexcept { return path_; }
  std::string tables() const { return path_ + "/tables"; }
  std::string archive() const { return path_ + "/archive"; }
  std::string configuration() const { return path_ + "/job.toml"; }
  // True if there is no configuration yet.
  bool is_new() const;

  // Replaces it atomically; it is on the disk when this returns. Only the owner can read it, since
  // it may contain passwords.
  Result<void> write_configuration(const std::string& text) const;
  Result<std::string> read_configuration() const;

  // The free space in bytes.
  Result<std::uint64_t> free_bytes() const;

 private:
  JobFolder(std::string path, int lock) noexcept : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;  // -1: none
};

}  // namespace gossamer::store
