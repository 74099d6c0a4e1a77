#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/value.h"

namespace gossamer::options {

// How an option is used.
enum class Use : std::uint8_t {
  flag,      // yes or no
  counted,   // the number of uses counts
  single,    // one value; the last one wins
  repeated,  // any number of values
  word,      // not an option: the word at this place
  words,     // all words from this place on
  rest,      // all words after "--"
  action,    // a flag that replaces the command; it cannot be configured
};

// What a setting can do to its user, beyond the crawl itself. An origin that the user did not write
// (./gossamer.toml, the crawl directory of another person, a shared crawl) may only set what can do
// nothing.
enum class Power : std::uint8_t {
  unknown,      // not declared: it counts as able to do anything
  none,         // decides only what is crawled, how, and what the crawl directory has
  write_files,  // writes outside of the crawl directory
  read_files,   // reads files or secrets of the user
  weaken_tls,   // decides which certificates are accepted
  send,         // decides where requests, data and connections go, or what they prove
};
// "can write files outside the crawl directory".
std::string_view describe(Power power) noexcept;

// Whom a setting concerns. It decides who stores it, and who must have the same value.
enum class Concern : std::uint8_t {
  unknown,   // not declared
  crawl,     // which pages are fetched, from where, as whom, and what is stored of them
  gathered,  // the same, but files add to it: the program stores the result
  effort,    // how many pages are fetched, how fast, how patiently
  machine,   // what this machine gives: memory, connections, time, files
  run,       // this run alone
  output,    // what the command prints; libraries have no such setting
};

// One line of a command's table: the source of parsing, help, configuration files, completions and
// manual pages.
struct Option {
  std::vector<std::string> names = {};  // with their dashes; none: a word
  std::string key = {};  // in a configuration: the first long name; empty: cannot be configured
  std::string help = {};
  std::string group = {};
  Use use = Use::flag;
  Kind kind = Kind::text;
  std::string placeholder = {};  // the name of its value in the help; for words: their name
  std::vector<std::string> choices = {};  // words that are values
  std::string initial = {};               // the default as the user would type it; empty: none
  std::string unset = {};                 // the default in words, if it is not a value
  bool is_required = false;
  Concern concern = Concern::unknown;
  Power power = Power::unknown;
  // True for values that can do nothing, if others can.
  bool (*is_harmless)(std::string_view value) = nullptr;
  // True for a value that must not be shown. If it is not set, passwords in URLs are hidden, and
  // options whose names contain password, secret or token.
  bool (*is_secret)(std::string_view value) = nullptr;

  bool is_word() const { return use == Use::word || use == Use::words || use == Use::rest; }
  bool takes_value() const { return use == Use::single || use == Use::repeated; }
  bool takes_many() const { return use == Use::repeated || use == Use::words || use == Use::rest; }
  // Its names without those spelled with underscores, which other programs use.
  std::vector<std::string> shown_names() const;
  // The name for messages: "--depth".
  const std::string& main_name() const;
  // True if a configuration may use this name: its key or another of its long names.
  bool has_key(std::string_view text) const;
  // The help with the default: "attempts at one URL [4]".
  std::string explanation() const;
  // True if one of these values can do something.
  bool has_power(std::span<const std::string> values) const;
  // True if the value must not be shown.
  bool hides(std::string_view value) const;
  // True if a crawl directory has the setting as the user wrote it.
  bool is_stored() const;
  // True if a later run of a crawl directory may have another value: the crawl stays the same.
  bool may_change() const;
  // True if each node of a shared crawl has its own value. This includes every setting with a
  // power, because a node takes none of these from others.
  bool is_of_node() const { return concern == Concern::machine || power != Power::none; }
};

// An option of another program, and what to use instead.
struct ForeignOption {
  std::string_view names;  // "-w,--wait"
  std::string_view hint;   // "use --delay"

  bool has_name(std::string_view name) const;
};

// The declaration of a command.
struct CommandTable {
  std::string name = {};  // "crawl", "warc ls"
  std::string summary = {};
  std::string footer = {};
  bool is_configurable = false;  // also reads files and the environment
  std::vector<Option> options = {};
  std::span<const ForeignOption> foreign = {};
  // The keys of [host."NAME"] in a configuration. Most commands have none.
  std::vector<Option> host_options = {};
  // Normalises the name of a host. Fails with Errc::invalid_argument.
  Result<std::string> (*parse_host)(std::string_view name) = nullptr;
};

// "gossamer links [OPTIONS] FILE", and every option with its help.
std::string help_text(const CommandTable& table);

}  // namespace gossamer::options
