#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/config_text.h"
#include "options/configuration.h"
#include "options/option.h"
#include "options/value.h"

namespace gossamer::options {

// The options and words of one command. They are declared once, for parsing, help, configuration
// files, the environment, completions and manual pages.
//
//   Table table("links");
//   table.summary("List the links of a document.");
//   table.word(file(settings.file), "the document; - is standard input");
//   table.flag("json", settings.json, "one JSON object per line");
//   if (const auto stop = table.parse(words)) ...
//
// BORROWS: the variables, until parse() has returned. Their values at the declaration are the
// defaults.
class Table {
 public:
  // Why a command does not run.
  struct Stop {
    enum class Reason : std::uint8_t {
      help,                 // `text` is the help
      configuration,        // `text` is the output of --print-config
      usage_fault,          // `text` is one line about an error in the command line
      configuration_fault,  // the same for a configuration
    };
    Reason reason;
    std::string text;
  };

  explicit Table(std::string_view command);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Sets the description: one or two sentences.
  void summary(std::string_view text) { command_.summary = text; }
  // Sets the text at the end of --help.
  void footer(std::string_view text) { command_.footer = text; }
  // Starts a group of options with this title in --help.
  void group(std::string_view title) { group_ = title; }

  // `names` is one name or several without dashes, "i,include". Commands that read configurations
  // declare the concern and the power of each option. These functions return the line; its `unset`,
  // `is_secret` and `is_harmless` may be set until the next declaration.
  Option& flag(std::string_view names, bool& into, std::string_view help,
               Concern concern = Concern::unknown, Power power = Power::unknown);
  // A flag that sets the variable to false: --no-robots.
  Option& negation(std::string_view names, bool& into, std::string_view help,
                   Concern concern = Concern::unknown, Power power = Power::unknown);
  // Calls `set` if the flag is given and is not false.
  Option& flag(std::string_view names, std::move_only_function<void()> set, std::string_view help,
               Concern concern = Concern::unknown, Power power = Power::unknown);
  // A flag that cannot be configured. Most replace the command, such as --list-fields.
  Option& action(std::string_view names, bool& into, std::string_view help,
                 Concern concern = Concern::output);
  // Counts the uses: -vv is 2.
  Option& counted_flag(std::string_view names, std::uint64_t& into, std::string_view help,
                       Concern concern = Concern::unknown, Power power = Power::unknown);
  Option& option(std::string_view names, Value value, std::string_view help,
                 Concern concern = Concern::unknown, Power power = Power::unknown);
  // May be repeated; each use has one value.
  Option& repeated(std::string_view names, Value value, std::string_view help,
                   Concern concern = Concern::unknown, Power power = Power::unknown);
  // Words that are not options, in order. The name is the placeholder of the value.
  Option& word(Value value, std::string_view help);
  Option& optional_word(Value value, std::string_view help);
  Option& words(Value value, std::string_view help);
  Option& optional_words(Value value, std::string_view help, Concern concern = Concern::unknown,
                         Power power = Power::unknown);
  // Words after "--".
  Option& rest(Value value, std::string_view help);

  // A key of host tables that is not an option of the command. REQUIRES: the value has a
  // `take_for_host`.
  void host_option(std::string_view key, Value value, std::string_view help, Concern concern,
                   Power power);

  // Options of other programs that users may type; the error has the hint. They outlive the table.
  void foreign(std::span<const ForeignOption> options) { command_.foreign = options; }

  // Also reads settings from configuration files and the environment. Declares --config,
  // --no-config, --print-config and --trust.
  void read_configuration(ConfigWorld world);
  // Takes the [host."NAME"] tables of configuration files. Their keys are those options, declared
  // so far, whose values have a `take_for_host`. `parse_name` is CommandTable::parse_host.
  void take_hosts(Result<std::string> (*parse_name)(std::string_view name));

  // All declarations so far, in order.
  const CommandTable& declared() const { return command_; }

  // Parses the words and sets the variables. Returns a reason if the command must not run.
  [[nodiscard]] std::optional<Stop> parse(const std::vector<std::string>& words);

  // All settings except defaults, from any source. REQUIRES, for all: parse() returned nothing.
  const std::vector<SaidLine>& said() const { return said_; }
  // True if this key has a value from any source; for a flag: if it is set.
  bool says(std::string_view key) const;
  // True if the user trusts all origins (--trust).
  bool trusts() const noexcept { return trusts_; }

 private:
  // A key of host tables.
  struct HostKey {
    Option option;
    std::optional<std::size_t> place;  // of the option of the command that it copies
    HostTaker take;
  };

  Option& add(std::string_view names, Use use, Value value, std::string_view help,
              Concern concern = Concern::unknown, Power power = Power::unknown);
  std::string take_setting(std::size_t place, const Setting& setting);
  void add_host_key(HostKey key);
  std::string take_host_settings(const HostSettings& hosts);
  // Returns why the setting must not be used, if it must not.
  std::string distrust(const Option& option, const Setting& setting) const;
  std::optional<Stop> take_all(const std::vector<std::vector<std::string>>& given);

  CommandTable command_;
  std::vector<Taker> takers_;  // one for each option
  std::string group_ = "Options";
  std::optional<ConfigWorld> world_;
  std::vector<HostKey> host_keys_;
  std::vector<std::string> config_files_;
  bool ignores_configuration_ = false;
  bool prints_configuration_ = false;
  bool trusts_ = false;
  std::vector<SaidLine> said_;
};

}  // namespace gossamer::options
