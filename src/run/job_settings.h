#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "store/journal.h"

namespace gossamer::run {

// Whether and how a crawl is kept in a folder, so that another process can resume it.
struct JobSettings {
  std::string folder;  // empty: it is not kept
  store::Durability durability = store::Durability::group;
  // For the whole process: tables, queues, seen URLs and hosts share what it does not need anyway.
  std::uint64_t memory_bytes = 512 * 1024 * 1024;
  // The crawl pauses while less than this is free on the disk.
  std::uint64_t disk_reserve = 64 * 1024 * 1024;
  bool has_archive = true;  // DIR/archive
  // Fetches again what is there and older than `older_than`.
  bool refreshes = false;
  Duration older_than = Duration::zero();
  // What the crawl is about, as `gossamer resume` reads it (TOML). Kept in the folder. A later run
  // must not differ in it unless it `changes_settings`.
  std::string configuration;
  bool changes_settings = false;
};

// What each of the four gets of JobSettings::memory_bytes.
std::uint64_t memory_share(std::uint64_t memory_bytes) noexcept;

// A configuration of these roots; `lines` is what else is said, as TOML.
std::string configuration_of(const std::vector<std::string>& roots, std::string_view lines = {});

// How two configurations differ in what is crawled. What is shown to the user, and how long to go
// on, may change from run to run.
struct SettingChange {
  std::string key;
  std::string text;  // "depth was 3 and is now 4", without secrets
};
std::vector<SettingChange> differences(const std::string& kept, const std::string& wanted);

}  // namespace gossamer::run
