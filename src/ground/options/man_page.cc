#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "options/program.h"

namespace gossamer::options {
namespace {

// Escapes text for troff: hyphens are literal, and a dot does not begin a request.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += "\\&";
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

// Writes paragraphs; an empty line ends one.
std::string paragraphs(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = plain(text.substr(at, end - at));
    out += line.empty() ? ".PP\n" : line + "\n";
    at = end + 1;
  }
  return out;
}

std::string head(std::string_view name, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"gossamer {}\" \"Gossamer\"\n.SH NAME\n{} \\- {}\n",
                     upper(name), base::kVersion, plain(name), plain(summary));
}

std::string synopsis(const CommandTable& table) {
  std::string line = bold("gossamer " + table.name) + " [" + italic("OPTIONS") + "]";
  for (const Option& option : table.options) {
    if (!option.is_word()) continue;
    std::string word = italic(option.placeholder);
    if (option.use == Use::rest) word = "\\-\\- " + word;
    if (option.takes_many() && !option.placeholder.ends_with("...")) word += "...";
    line += option.is_required ? " " + word : " [" + word + "]";
  }
  return line + "\n";
}

std::string entry(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.shown_names()) names.push_back(bold(name));
  std::string tag = fmt::format("{}", fmt::join(names, ", "));
  if (option.is_word()) tag = italic(option.placeholder);
  if (option.takes_value()) tag += " " + italic(option.placeholder);
  return fmt::format(".TP\n{}\n{}\n", tag, plain(option.explanation()));
}

std::string options_of(const CommandTable& table) {
  std::string words;
  std::string options;
  std::string_view group;
  for (const Option& option : table.options) {
    if (option.is_word()) {
      words += entry(option);
      continue;
    }
    if (option.group.empty()) continue;
    if (group != option.group) {
      group = option.group;
      if (group != "Options") options += fmt::format(".SS {}\n", plain(group));
    }
    options += entry(option);
  }
  return words + options;
}

constexpr std::string_view kConfiguration =
    "The command line overrides the environment, which overrides ./gossamer.toml (or the files\n"
    "of --config), which overrides the user's file. In a file, the key of an option is its long\n"
    "name without the dashes, in the table of the command. Its environment variable is GOSSAMER_\n"
    "and the name in capitals with _ for -: GOSSAMER_MAX_TIME=10m.\n"
    "gossamer init writes a file with all keys.";

std::string files_section(const CommandTable& table) {
  if (!table.is_configurable) return {};
  return ".SH CONFIGURATION\n" + paragraphs(kConfiguration) +
         ".SH FILES\n.TP\n.I ./gossamer.toml\nsettings of the folder\n"
         ".TP\n.I $XDG_CONFIG_HOME/gossamer/config.toml\n"
         "settings of the user; the default of $XDG_CONFIG_HOME is ~/.config\n";
}

}  // namespace

std::string man_page(const Program& program) {
  std::string page = head("gossamer", "a web crawler");
  page += ".SH SYNOPSIS\n" + bold("gossamer") + " " + italic("COMMAND") + " [" +
          italic("ARGUMENTS") + "]\n";
  page +=
      ".SH DESCRIPTION\nFinds and downloads every page of a website, or of many.\n"
      "Each command has its own manual page.\n.SH COMMANDS\n";
  for (const CommandEntry& command : program) {
    page +=
        fmt::format(".TP\n{} {}\n{}; see {}(1)\n", bold(command.name), italic(command.arguments),
                    plain(command.summary), bold("gossamer-" + command.name));
  }
  page += ".TP\n" + bold("help") + "\nlist the commands\n";
  page += ".TP\n" + bold("version") + "\nprint the version\n";
  page += ".SH SEE ALSO\n";
  std::vector<std::string> others;
  for (const CommandEntry& command : program) {
    others.push_back(bold("gossamer-" + command.name) + "(1)");
  }
  return page + fmt::format("{}\n", fmt::join(others, ",\n"));
}

std::string man_page(const CommandEntry& command) {
  const std::vector<CommandTable>& tables = command.tables;
  std::string page = head("gossamer-" + command.name, command.summary);
  page += ".SH SYNOPSIS\n";
  for (std::size_t i = 0; i < tables.size(); ++i) {
    page += (i == 0 ? "" : ".br\n") + synopsis(tables[i]);
  }
  if (tables.size() == 1) {
    page += ".SH DESCRIPTION\n" + paragraphs(tables[0].summary);
    if (const std::string options = options_of(tables[0]); !options.empty()) {
      page += ".SH OPTIONS\n" + options;
    }
  }
  for (const CommandTable& table : tables) {
    if (tables.size() > 1) {
      page += fmt::format(".SH {}\n", plain(upper(table.name)));
      page += paragraphs(table.summary) + options_of(table);
    }
    if (!table.footer.empty()) page += ".SH NOTES\n" + paragraphs(table.footer);
    page += files_section(table);
  }
  return page + ".SH SEE ALSO\n" + bold("gossamer") + "(1)\n";
}

}  // namespace gossamer::options
