#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace gossamer::store {

// The folder of a crawl that outlives its process; docs/formats/job.md says what stands in it.
//
//   DIR/job.toml     what was asked for, as a configuration file
//   DIR/tables/      what is known and what waits; for its owner alone
//   DIR/archive/     what came, as WARC
//   DIR/crawl.log
//   DIR/lock         held by whoever writes
class JobFolder {
 public:
  // Of the directory; job.toml says it in its comment.
  static constexpr int kFormat = 1;

  enum class Access : std::uint8_t {
    write,  // it is made if it is not there
    read,   // a writer may be at work meanwhile
  };

  // Fails with Errc::not_found, with Errc::exists if it is something else than a crawl directory,
  // with Errc::denied while another process writes there, with Errc::unsupported if job.toml has
  // another format than kFormat, and with what the system says.
  static Result<JobFolder> open(const std::string& path, Access access);

  JobFolder(JobFolder&& other) noexcept;
  JobFolder& operator=(JobFolder&&) = delete;
  ~JobFolder();

  // Somebody writes there at the moment.
  bool is_busy() const;

  const std::string& path() const noexcept { return path_; }
  std::string tables() const { return path_ + "/tables"; }
  std::string archive() const { return path_ + "/archive"; }
  std::string configuration() const { return path_ + "/job.toml"; }
  // Nobody has written a configuration yet.
  bool is_new() const;

  // Replaced whole, and on the disk when this returns. For the owner's eyes only: there may be
  // passwords in it.
  Result<void> write_configuration(const std::string& text) const;
  Result<std::string> read_configuration() const;

  // Bytes that can still be written there.
  Result<std::uint64_t> free_bytes() const;

 private:
  JobFolder(std::string path, int lock) noexcept : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;  // -1: none
};

}  // namespace gossamer::store
