#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "store/journal.h"

namespace gossamer::run {

// Whether and how a crawl is stored in a folder, so that another process can resume it.
struct JobSettings {
  std::string folder;  // empty: it is not stored
  store::Durability durability = store::Durability::group;
  // For the whole process: tables, queues, seen URLs and hosts share what the rest does not need,
  // and bodies get as much as two of these.
  std::uint64_t memory_bytes = 512 * 1024 * 1024;
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
std::uint64_t memory_share(std::uint64_t memory_bytes) noexcept;

// Returns a configuration with these roots; `lines` is the rest of it, as TOML.
std::string configuration_of(const std::vector<std::string>& roots, std::string_view lines = {});

// True if a setting may change from run to run, because the pages stay the same: output, pauses,
// retries, limits of the machine.
bool may_change(std::string_view key) noexcept;
// True if the value of a setting may be a secret, such as a password.
bool is_secret(std::string_view key) noexcept;

// The differences between two configurations that change what is crawled. Output options and
// limits may change from run to run.
struct SettingChange {
  std::string key;
  std::string text;  // "depth was 3 and is now 4", without secrets
};
std::vector<SettingChange> differences(const std::string& kept, const std::string& wanted);

}  // namespace gossamer::run
