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

// The options and words of one command, declared once: parsing, help, configuration files, the
// environment, completions and manual pages are made from the same lines.
//
//   Table table("links");
//   table.summary("List the links of a document.");
//   table.word(file(settings.file), "the document; - is standard input");
//   table.flag("--json", settings.json, "one JSON object per line");
//   if (const auto stop = table.parse(words)) ...
//
// BORROWS: the variables, until parse() has returned. What they hold when they are declared is the
// default.
class Table {
 public:
  // The keys of tables [host."NAME"] of configuration files, and who takes their values.
  struct HostKeys {
    std::vector<Option> options = {};
    Result<std::string> (*parse_name)(std::string_view name) = nullptr;  // CommandTable::parse_host
    // Returns what is wrong, as a Taker does.
    std::move_only_function<std::string(const std::string& host, const std::string& key,
                                        const std::string& value)>
        take = {};
  };

  // Why a command is not to run.
  struct Stop {
    enum class Reason : std::uint8_t {
      help,                 // `text` is the help
      configuration,        // `text` is what --print-config shows
      usage_fault,          // `text` is a line that says what is wrong with the command line
      configuration_fault,  // the same about a configuration
    };
    Reason reason;
    std::string text;
  };

  explicit Table(std::string_view command);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // What the command does, in a sentence or two.
  void summary(std::string_view text) { command_.summary = text; }
  // Printed at the end of --help.
  void footer(std::string_view text) { command_.footer = text; }
  // What is declared from here on stands under this title in --help.
  void group(std::string_view title) { group_ = title; }

  // `names` is one name or several, "-i,--include". They return the line, whose `unset` and
  // `is_secret` may be set until the next one is declared.
  Option& flag(std::string_view names, bool& into, std::string_view help);
  // A flag that makes the variable false: --no-robots.
  Option& negation(std::string_view names, bool& into, std::string_view help);
  // Calls `set` if the flag is given, and is not false.
  Option& flag(std::string_view names, std::move_only_function<void()> set, std::string_view help);
  // A flag that does something else instead of what the command is for. It has no place in a
  // configuration.
  Option& action(std::string_view names, bool& into, std::string_view help);
  // How often it was given: -vv is 2.
  Option& counted_flag(std::string_view names, std::uint64_t& into, std::string_view help);
  Option& option(std::string_view names, Value value, std::string_view help);
  // May be given many times; each time with one value.
  Option& repeated(std::string_view names, Value value, std::string_view help);
  // Words that are not options, in order. The name is the placeholder of the value.
  Option& word(Value value, std::string_view help);
  Option& optional_word(Value value, std::string_view help);
  Option& words(Value value, std::string_view help);
  Option& optional_words(Value value, std::string_view help);
  // Words behind "--".
  Option& rest(Value value, std::string_view help);

  // Names of other programs that users may type; the error then has the hint. They outlive the
  // table.
  void foreign(std::span<const ForeignOption> options) { command_.foreign = options; }

  // What the command line does not say is taken from configuration files and the environment, in
  // the same way. Declares --config, --no-config and --print-config.
  void read_configuration(ConfigWorld world);
  // What configuration files say of single hosts.
  void take_hosts(HostKeys keys);

  // All that was declared so far, in its order.
  const CommandTable& declared() const { return command_; }

  // Nothing: the variables hold what was said.
  [[nodiscard]] std::optional<Stop> parse(const std::vector<std::string>& words);

  // What was said, wherever that was. REQUIRES, for all: parse() returned nothing.
  const std::vector<SaidLine>& said() const { return said_; }
  // Whether something was said for this key; of a flag: whether it was set.
  bool says(std::string_view key) const;

 private:
  Option& add(std::string_view names, Use use, Value value, std::string_view help);
  std::string take_setting(std::size_t place, const Setting& setting);
  std::string take_host_settings(const HostSettings& hosts);
  std::optional<Stop> take_all(const std::vector<std::vector<std::string>>& given);

  CommandTable command_;
  std::vector<Taker> takers_;  // one for each option
  std::string group_ = "Options";
  std::optional<ConfigWorld> world_;
  HostKeys hosts_;
  std::vector<std::string> config_files_;
  bool ignores_configuration_ = false;
  bool prints_configuration_ = false;
  std::vector<SaidLine> said_;
};

}  // namespace gossamer::options
