#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

enum class OptionKind : std::uint8_t {
  flag,      // yes or no
  counted,   // how often it was given
  single,    // one value; the last one counts
  repeated,  // as many values as one likes
  word,      // no option: the word at this place
  words,     // all words from this place on
  action,    // a flag that does something else instead; it stands in no configuration
};

// One line of a command's table: what was declared to Arguments. The help, configuration files,
// shell completions and manual pages are all made of it.
struct DeclaredOption {
  std::vector<std::string> names = {};  // with their dashes; none: a word
  std::string key = {};  // in a configuration: the first long name; empty: it stands in none
  std::string placeholder = {};  // for its value; of words: their name
  std::string help = {};
  std::string group = {};
  OptionKind kind = OptionKind::flag;
  bool is_required = false;

  bool is_word() const { return kind == OptionKind::word || kind == OptionKind::words; }
  bool takes_value() const { return kind == OptionKind::single || kind == OptionKind::repeated; }
  bool takes_many() const { return kind == OptionKind::repeated || kind == OptionKind::words; }
  bool takes_file() const { return placeholder.starts_with("FILE"); }
  // Its values may stand in a configuration as a table, too: {name = "value"}.
  bool takes_pairs() const { return placeholder == "NAME=VALUE"; }
  bool takes_folder() const { return placeholder == "DIR"; }
  // It is called so in a configuration: its key, or another of its long names.
  bool has_key(std::string_view text) const;
  // The words of which its value is one: page, prefix, ... of "page|prefix". Of "N|inf": inf.
  std::vector<std::string> choices() const;
  // The default as the help says it, between brackets; empty: it says none.
  std::string standard() const;
  // The default is itself a value that can be given, not a sentence about one.
  bool has_usable_standard() const;
};

// What a command declares.
struct DeclaredCommand {
  std::string name = {};  // "crawl", "warc ls"
  std::string summary = {};
  std::string footer = {};
  bool is_configurable = false;  // reads files and the environment, too
  std::vector<DeclaredOption> options = {};
  // The keys of [host."NAME"] in a configuration: what may be said of single hosts. Mostly none.
  std::vector<DeclaredOption> host_options = {};
};

}  // namespace gossamer::cli
