#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "options/option.h"
#include "store/job_folder.h"
#include "store/journal.h"

namespace gossamer::run {

// Whether and how a crawl is stored in a folder, so that another process can resume it.
struct JobSettings {
  std::string folder;  // empty: it is not stored
  store::Durability durability = store::Durability::group;
  // For the whole process: tables, queues, seen URLs and hosts share what the rest does not need,
  // and bodies get as much as two of these.
  std::uint64_t memory_bytes = 512 * 1024 * 1024;
  // Of these, what a report and the texts of `finds_similar` take.
  std::uint64_t report_bytes = 0;
  std::uint64_t similar_bytes = 0;
  // The crawl pauses while less than this is free on the disk.
  std::uint64_t disk_reserve = 64 * 1024 * 1024;
  bool has_archive = true;  // DIR/archive
  // Refetches pages that are older than `older_than`.
  bool refreshes = false;
  Duration older_than = Duration::zero();
  // The settings of the crawl as `gossamer resume` reads them (TOML), stored in the folder. A later
  // run must have the same ones unless it `changes_settings`.
  std::string configuration;
  bool changes_settings = false;
  // Printed if they differ; empty: the advice of `gossamer crawl`.
  std::string advice;
  // The configuration of a new folder is not written before JobStore::keep_configuration(), so that
  // a crawl that cannot begin may begin with others.
  bool is_provisional = false;
};

// The share of each of the four in JobSettings::memory_bytes, and half the share of bodies.
std::uint64_t memory_share(const JobSettings& job) noexcept;

// Returns a configuration with these roots; `lines` is the rest of it, as TOML.
std::string configuration_of(const std::vector<std::string>& roots, std::string_view lines = {});

// The same without comments, for the nodes of a shared crawl to compare.
std::string agreement_of(const std::vector<std::string>& roots, std::string_view lines = {});

// Returns the length of the longest URL of the crawl in a folder (`max-url-length`). If its
// settings cannot be read, the default.
std::size_t stored_url_bytes_max(const store::JobFolder& folder);

// The differences between two configurations that change the crawl. Settings that may change from
// run to run are none. Fails with Errc::invalid_argument if one of them is not a configuration; the
// stored one is called `name` then.
struct SettingChange {
  std::string key;
  std::string text;  // "depth was 3 and is now 4", without secrets
};
Result<std::vector<SettingChange>> differences(const std::string& name, const std::string& kept,
                                               const std::string& wanted,
                                               const options::CommandTable& table);

}  // namespace gossamer::run
