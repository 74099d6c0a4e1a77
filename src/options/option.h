#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "options/value.h"

namespace gossamer::options {

// How an option is given.
enum class Use : std::uint8_t {
  flag,      // yes or no
  counted,   // how often it was given
  single,    // one value; the last one counts
  repeated,  // as many values as one likes
  word,      // not an option: the word at this place
  words,     // all words from this place on
  rest,      // all words behind "--"
  action,    // a flag that does something else instead; it is in no configuration
};

// One line of a command's table. Parsing, help, configuration files, completions and manual pages
// are made from it.
struct Option {
  std::vector<std::string> names = {};  // with their dashes; none: a word
  std::string key = {};  // in a configuration: the first long name; empty: it is in none
  std::string help = {};
  std::string group = {};
  Use use = Use::flag;
  Kind kind = Kind::text;
  std::string placeholder = {};           // for its value; of words: their name
  std::vector<std::string> choices = {};  // words that are values
  std::string initial = {};               // the default as one would type it; empty: there is none
  std::string unset = {};                 // the default in words, where it is not a value
  bool is_required = false;
  // Whether a value must not be shown. Without it, a password in a URL must not, nor whatever is
  // called a password, secret or token.
  bool (*is_secret)(std::string_view value) = nullptr;

  bool is_word() const { return use == Use::word || use == Use::words || use == Use::rest; }
  bool takes_value() const { return use == Use::single || use == Use::repeated; }
  bool takes_many() const { return use == Use::repeated || use == Use::words || use == Use::rest; }
  // It is called so in a configuration: its key, or another of its long names.
  bool has_key(std::string_view text) const;
  // The help with the default: "attempts at one URL [4]".
  std::string explanation() const;
  // The value is not for others to read.
  bool hides(std::string_view value) const;
};

// The name that another program gives to something, and what to do here instead.
struct ForeignOption {
  std::string_view name;  // "--wait"
  std::string_view hint;  // "use --delay"
};

// What a command declares.
struct CommandTable {
  std::string name = {};  // "crawl", "warc ls"
  std::string summary = {};
  std::string footer = {};
  bool is_configurable = false;  // reads files and the environment, too
  std::vector<Option> options = {};
  std::span<const ForeignOption> foreign = {};
  // The keys of [host."NAME"] in a configuration: what may be said of single hosts. Mostly none.
  std::vector<Option> host_options = {};
  // The name of a host as it is known further on. Fails with Errc::invalid_argument.
  Result<std::string> (*parse_host)(std::string_view name) = nullptr;
};

// "gossamer links [OPTIONS] FILE", and every option with its help.
std::string help_text(const CommandTable& table);

}  // namespace gossamer::options
