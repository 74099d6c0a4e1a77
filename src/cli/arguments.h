#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::cli {

// The flags and arguments of one command, declared once: they are parsed, checked and explained
// (--help) from the same lines.
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

  // Nothing: go on. Else the exit code: the help was printed, or one line says what is wrong.
  [[nodiscard]] std::optional<int> parse(const std::vector<std::string>& words);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gossamer::cli
