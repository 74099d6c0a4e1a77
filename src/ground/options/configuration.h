#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/option.h"

namespace gossamer::options {

// Stored settings: those of a crawl that is resumed or joined.
struct StoredSettings {
  std::string name = {};   // for messages: "museum/job.toml"
  std::string text = {};   // a configuration file
  std::string doubt = {};  // as Setting::doubt
};

// Where a command reads settings that its command line omits.
struct ConfigWorld {
  std::map<std::string, std::string> environment = {};  // GOSSAMER_DELAY: 2s
  std::string project_file = "./gossamer.toml";         // empty: none
  std::string user_file = {};                           // empty: none
  // Read first, even with --config and --no-config.
  std::optional<StoredSettings> stored = {};
  // The tables of other commands, which may be in the same files.
  std::vector<std::string> other_tables = {};

  static ConfigWorld of_this_process();
  // For --no-config: only what is stored.
  ConfigWorld stored_alone() const;
};

// The values of one option, and their origin.
struct Setting {
  std::vector<std::string> values = {};
  std::string origin = {};  // "./gossamer.toml:12", "environment GOSSAMER_DELAY"
  // Whom the user must trust before a setting that can do something is used; empty: the user set
  // it.
  std::string doubt = {};
};

// By host name ("example.com" or "*.example.com") and key.
using HostSettings = std::map<std::string, std::map<std::string, Setting>>;

// The settings of the files and the environment. The environment overrides the project's file (or
// the files of --config, where later ones override earlier ones), and that overrides the user's.
class Configuration {
 public:
  // `named_files` are the files of --config; they must exist. Fails with Errc::invalid_argument and
  // one line that names file, line and key.
  static Result<Configuration> read(const ConfigWorld& world,
                                    const std::vector<std::string>& named_files,
                                    const CommandTable& command);

  // From now on, no setting has a doubt.
  void trust_all();

  // nullptr: it is not set.
  const Setting* find(const std::string& key) const;
  // The settings of host tables.
  const HostSettings& hosts() const { return hosts_; }

 private:
  Result<void> add_file(const std::string& path, bool must_exist, const std::string& doubt,
                        const ConfigWorld& world, const CommandTable& command);
  Result<void> add_text(const StoredSettings& file, const ConfigWorld& world,
                        const CommandTable& command);
  void add_environment(const ConfigWorld& world, std::span<const Option> options);

  std::map<std::string, Setting> settings_;  // by key
  HostSettings hosts_;
};

// GOSSAMER_MAX_TIME for max-time.
std::string environment_name(std::string_view key);

}  // namespace gossamer::options
