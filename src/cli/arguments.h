#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config_text.h"
#include "cli/configuration.h"
#include "cli/declared_option.h"

namespace gossamer::cli {

// The flags and arguments of one command, declared once: they are parsed, checked and explained
// (--help) from the same lines, and so are configuration files, completions and manual pages.
//
//   Arguments arguments("links", "List the links of a document.");
//   arguments.positional("FILE", file, "the document; - is standard input");
//   arguments.flag("--json", json, "one JSON object per line");
//   if (const auto exit_code = arguments.parse(words)) return *exit_code;
//
// BORROWS: the variables, until parse() has returned. The default of an option is what its
// variable holds.
class Arguments {
 public:
  // The keys of tables of hosts, and who takes their values: gives what is wrong, as a Taker does.
  struct HostKeys {
    std::vector<DeclaredOption> options = {};
    std::move_only_function<std::string(const std::string& host, const std::string& key,
                                        const std::string& value)>
        take = {};
  };

  // Takes a value; gives what is wrong with it, nothing when it is good.
  using Taker = std::move_only_function<std::string(const std::string& value)>;

  Arguments(std::string_view command, std::string_view summary);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // What is declared from here on stands under this title in --help; without one it is not shown.
  void group(std::string_view title);

  // `names` is one name or several, "-i,--include".
  void flag(std::string_view names, bool& into, std::string_view help);
  // A flag that does something else instead of what the command is for. It has no place in a
  // configuration.
  void action(std::string_view names, bool& into, std::string_view help);
  // How often it was given: -vv is 2.
  void counted_flag(std::string_view names, std::uint64_t& into, std::string_view help);
  // `placeholder` stands for the value in the help: "URL".
  void option(std::string_view names, std::string& into, std::string_view placeholder,
              std::string_view help);
  void option(std::string_view names, std::uint64_t& into, std::string_view placeholder,
              std::string_view help);
  void option(std::string_view names, Taker take, std::string_view placeholder,
              std::string_view help);
  // May be given many times; each time with one value.
  void repeated(std::string_view names, std::vector<std::string>& into,
                std::string_view placeholder, std::string_view help);
  void repeated(std::string_view names, Taker take, std::string_view placeholder,
                std::string_view help);
  // Words that are no flags, in order. Required unless `is_optional`.
  void positional(std::string_view name, std::string& into, std::string_view help,
                  bool is_optional = false);
  void positionals(std::string_view name, std::vector<std::string>& into, std::string_view help,
                   bool is_optional = false);
  // Stands at the end of --help.
  void footer(std::string_view text);

  // What the command line does not say is taken from configuration files and the environment, in
  // the same way. Declares --config, --no-config and --print-config.
  void read_configuration(ConfigWorld world);

  // What configuration files say of single hosts, in tables [host."NAME"]. REQUIRES:
  // read_configuration() was called.
  void take_hosts(HostKeys keys);

  // What parse() gives for a fault in the command line, and for one in a configuration; both are
  // kUsage unless somebody else's codes are wanted.
  void exit_codes(int usage, int configuration);

  // All that was declared so far, in its order.
  DeclaredCommand declared() const;

  // Nothing: go on. Else the exit code: the help or the configuration was printed, or one line says
  // what is wrong.
  [[nodiscard]] std::optional<int> parse(const std::vector<std::string>& words);

  // What parse() found said, wherever that was. REQUIRES: it was content.
  const std::vector<SaidLine>& said() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// While it lives, Arguments::parse() parses nothing on this thread, but hands over what is declared
// and gives kOk. So a command can be asked for its table without being run: each of them begins
// with parse().
class DeclarationCatcher {
 public:
  DeclarationCatcher();
  ~DeclarationCatcher();
  DeclarationCatcher(const DeclarationCatcher&) = delete;
  DeclarationCatcher& operator=(const DeclarationCatcher&) = delete;

  // Nothing: the command did not parse its arguments.
  std::optional<DeclaredCommand> take();

 private:
  friend class Arguments;
  DeclarationCatcher* const outer_;
  std::optional<DeclaredCommand> caught_;
};

}  // namespace gossamer::cli
