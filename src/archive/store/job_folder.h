#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/job_seal.h"

namespace gossamer::store {

// A crawl directory; docs/formats/job.md describes its contents.
//
//   DIR/job.toml     the settings, as a configuration file
//   DIR/tables/      pages and queues; only its owner can read them
//   DIR/archive/     the responses, as WARC
//   DIR/crawl.log
//   DIR/lock         held by the process that writes
//   DIR/seal         the files as the last run left them; none while a process writes
class JobFolder {
 public:
  // The version of the format; a comment in job.toml has it.
  static constexpr int kFormat = 1;

  enum class Access : std::uint8_t {
    write,   // created if necessary
    read,    // another process may be writing
    repair,  // exclusive like `write`; the settings may be damaged
  };

  // Fails with Errc::not_found, with Errc::exists if it is not a crawl directory, with Errc::denied
  // while another process writes there, with Errc::unsupported if job.toml has another format than
  // kFormat, with Errc::malformed if job.toml does not match its checksum, and with the error of
  // the system.
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
  // it may contain passwords. Its first line is a checksum of the rest.
  Result<void> write_configuration(const std::string& text) const;
  // Returns the text without its checksum. Fails with Errc::malformed if they do not match.
  Result<std::string> read_configuration() const;

  // For repairs. Gives the file a new checksum, with what it contains now.
  Result<void> accept_configuration() const;
  // For repairs. Replaces the file and keeps the old one as job.toml.damaged.
  Result<void> replace_configuration(const std::string& text) const;

  // Seals the directory at the end of a run. REQUIRES: the tables and the archive are closed.
  Result<void> seal() const;
  // Breaks the seal before the first change.
  Result<void> unseal() const;
  // Compares the files with the seal, as find_damage() does.
  Result<SealDamage> damage() const;
  // The same. Fails with Errc::malformed if the settings or the tables are damaged; returns
  // the damage of the archive.
  Result<std::vector<std::string>> check() const;

  // The free space in bytes.
  Result<std::uint64_t> free_bytes() const;

 private:
  JobFolder(std::string path, int lock) noexcept : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;  // -1: none
};

// Compares the files of a crawl directory with its seal. There is no damage if there is no seal, or
// if another process is writing there. Fails with the error of the system.
Result<SealDamage> find_damage(const std::string& folder);

}  // namespace gossamer::store
