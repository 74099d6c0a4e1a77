#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <initializer_list>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "base/edit_distance.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/config_text.h"
#include "cli/standard_output.h"

namespace gossamer::cli {
namespace {

thread_local DeclarationCatcher* current_catcher = nullptr;

// The usage line says "gossamer links [OPTIONS] FILE", the lists are as CLI11 makes them.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string placeholder = option->get_type_name();
    const bool is_positional = option->get_positional();
    return placeholder.empty() || is_positional ? std::string() : " " + placeholder;
  }
};

std::vector<std::string> split_names(std::string_view names) {
  std::vector<std::string> split;
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    split.emplace_back(names.substr(at, end - at));
    at = end + 1;
  }
  return split;
}

std::string key_of(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.starts_with("--")) return name.substr(2);
  }
  return {};
}

// Words have a key if their name is one: url of URL.
std::string key_of_word(std::string_view name) {
  std::string key;
  for (const char c : name) {
    if (c < 'A' || c > 'Z') return {};
    key += base::to_lower(c);
  }
  return key;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

Arguments::Taker taker_of_flag(bool& into) {
  return [&into](const std::string& text) -> std::string {
    const bool is_yes = is_one_of(text, {"true", "1", "yes", "on"});
    if (!is_yes && !is_one_of(text, {"false", "0", "no", "off"})) {
      return "is true or false, not '" + text + "'";
    }
    into = is_yes;
    return {};
  };
}

Arguments::Taker taker_of_whole_number(std::uint64_t& into) {
  return [&into](const std::string& text) {
    return base::parse_number(text, into) ? std::string()
                                          : "takes a whole number, not '" + text + "'";
  };
}

Arguments::Taker taker_of_count(std::uint64_t& into) {
  return [&into](const std::string& text) {
    if (text != "true" && text != "false") return taker_of_whole_number(into)(text);
    into = text == "true" ? 1 : 0;
    return std::string();
  };
}

Arguments::Taker taker_of_text(std::string& into) {
  return [&into](const std::string& text) {
    into = text;
    return std::string();
  };
}

Arguments::Taker taker_of_texts(std::vector<std::string>& into) {
  return [&into](const std::string& text) {
    into.push_back(text);
    return std::string();
  };
}

// An option, where CLI11 puts what the command line says of it, and who takes that.
struct Slot {
  DeclaredOption declared;
  Arguments::Taker take;
  CLI::Option* option = nullptr;  // nullptr: the command line does not name it
  std::vector<std::string> values = {};
  std::string word = {};
  std::uint64_t count = 0;
  bool flag = false;

  bool is_given() const { return option != nullptr && option->count() > 0; }

  // What the command line says. Nothing: nothing.
  std::vector<std::string> given() const {
    if (!is_given()) return {};
    switch (declared.kind) {
      case OptionKind::flag:
      case OptionKind::action: return {flag ? "true" : "false"};
      case OptionKind::counted: return {fmt::format("{}", count)};
      case OptionKind::word: return {word};
      case OptionKind::words:
      case OptionKind::single:
      case OptionKind::repeated: return values;
    }
    return {};
  }
};

// Whether a word of the command line may be this name, -x or --name. It may also be a value.
bool may_be(const std::string& word, const std::string& name) {
  if (!word.starts_with('-')) return false;
  if (word.starts_with("--")) return word.starts_with(name);
  // -vvq is three, and -v-quiet two
  return word.contains(std::string_view(name).substr(1));
}

bool may_name(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return std::ranges::any_of(names, [&](const std::string& name) { return may_be(word, name); });
  });
}

}  // namespace

struct Arguments::State {
  State(std::string_view name, std::string_view text)
      : command(name), summary(text), app(std::string(text), "gossamer " + std::string(name)) {
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(32);
    app.set_help_flag(fmt::format("{}", fmt::join(help_names, ",")), "this text");
  }

  // What to say about a word that has no place.
  std::string about_extra(const std::string& word) const {
    if (!word.starts_with('-')) return "what is '" + word + "' for?";
    // Without their dashes, which say nothing about how alike two names are.
    std::vector<std::string_view> candidates = {"help"};
    for (const Slot& slot : slots) {
      for (const std::string& name : slot.declared.names) {
        if (name.starts_with("--")) candidates.push_back(std::string_view(name).substr(2));
      }
    }
    const std::string typed = word.substr(0, word.find('='));
    const std::size_t dashes = std::min(typed.find_first_not_of('-'), typed.size());
    const std::string_view near = base::nearest(std::string_view(typed).substr(dashes), candidates);
    std::string message = "there is no option " + typed;
    return near.empty() ? message : message + "; did you mean --" + std::string(near) + "?";
  }

  Slot& add_slot(std::string_view names, OptionKind kind, Taker take, std::string_view placeholder,
                 std::string_view help) {
    Slot& slot = slots.emplace_back();
    slot.declared = {.placeholder = std::string(placeholder),
                     .help = std::string(help),
                     .group = title,
                     .kind = kind};
    if (slot.declared.is_word()) {
      slot.declared.key = key_of_word(placeholder);
    } else {
      slot.declared.names = split_names(names);
      if (kind != OptionKind::action) slot.declared.key = key_of(slot.declared.names);
    }
    slot.take = std::move(take);
    return slot;
  }

  // CLI11 compares the names of every option that it is told of with those of all others, which for
  // a hundred takes longer than a page: it is told of those that the command line may name.
  void tell_parser(const std::vector<std::string>& words) {
    const bool is_about_all = may_name(words, help_names);
    for (Slot& slot : slots) {
      if (slot.declared.is_word()) {
        add_word(slot);
      } else if (is_about_all || may_name(words, slot.declared.names)) {
        add_option(slot);
      }
    }
  }

  void add_option(Slot& slot) {
    const std::string names = fmt::format("{}", fmt::join(slot.declared.names, ","));
    const std::string& help = slot.declared.help;
    switch (slot.declared.kind) {
      case OptionKind::flag:
      case OptionKind::action: slot.option = app.add_flag(names, slot.flag, help); break;
      case OptionKind::counted: slot.option = app.add_flag(names, slot.count, help); break;
      case OptionKind::single:
      case OptionKind::repeated: slot.option = add_option_with_value(slot, names); break;
      case OptionKind::word:
      case OptionKind::words: CHECK(false, "words have no names");
    }
    slot.option->group(slot.declared.group);
  }

  CLI::Option* add_option_with_value(Slot& slot, const std::string& names) {
    CLI::Option* const option =
        app.add_option(names, CLI::callback_t([&slot](const CLI::results_t& values) {
                         slot.values = values;
                         return true;
                       }),
                       slot.declared.help);
    option->type_name(slot.declared.placeholder)->type_size(1);
    option->run_callback_for_default(false);
    if (slot.declared.kind == OptionKind::repeated) {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      option->expected(1)->allow_extra_args(false);
    } else {
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
    return option;
  }

  void add_word(Slot& slot) {
    const std::string& name = slot.declared.placeholder;
    const std::string& help = slot.declared.help;
    slot.option = slot.declared.kind == OptionKind::words ? app.add_option(name, slot.values, help)
                                                          : app.add_option(name, slot.word, help);
    slot.option->type_name("");
    if (slot.declared.is_required) slot.option->required();
  }

  // Hands the values over. Gives what is wrong with them.
  std::string take_setting(Slot& slot, const Setting& setting) {
    for (const std::string& value : setting.values) {
      const std::string problem = slot.take(value);
      if (problem.empty()) continue;
      if (setting.origin != kCommandLine) {
        return fmt::format("{}: {}: {}", setting.origin, slot.declared.key, problem);
      }
      return fmt::format("{}: {}", fmt::join(slot.declared.names, ","), problem);
    }
    return {};
  }

  // Hands over what tables of hosts say. Gives what is wrong with it.
  std::string take_hosts(const HostSettings& hosts) {
    for (const auto& [host, settings] : hosts) {
      for (const auto& [key, setting] : settings) {
        for (const std::string& value : setting.values) {
          const std::string problem = host_keys.take(host, key, value);
          if (!problem.empty()) return fmt::format("{}: {}: {}", setting.origin, key, problem);
        }
      }
    }
    return {};
  }

  // The command line's own first: it says which files to read.
  std::optional<int> take_all(const DeclaredCommand& table) {
    for (Slot& slot : slots) {
      if (!slot.declared.key.empty()) continue;
      const Setting setting = {.values = slot.given(), .origin = std::string(kCommandLine)};
      const std::string problem = take_setting(slot, setting);
      if (!problem.empty()) return complain(problem, usage_code);
    }
    Configuration configuration;
    if (world && !ignores_configuration) {
      auto read = Configuration::read(*world, config_files, table);
      if (!read) return complain(read.error().detail(), configuration_code);
      configuration = std::move(*read);
    }
    std::vector<Setting> settings;  // one for each slot
    for (Slot& slot : slots) {
      Setting& setting = settings.emplace_back();
      if (slot.declared.key.empty()) continue;
      if (slot.is_given()) {
        setting = {.values = slot.given(), .origin = std::string(kCommandLine)};
      } else if (const Setting* const found = configuration.find(slot.declared.key)) {
        setting = *found;
      }
      const std::string problem = take_setting(slot, setting);
      const bool is_typed = setting.origin == kCommandLine;
      if (!problem.empty()) return complain(problem, is_typed ? usage_code : configuration_code);
    }
    const std::string problem = take_hosts(configuration.hosts());
    if (!problem.empty()) return complain(problem, configuration_code);
    said = said_lines(table, settings, configuration.hosts());
    if (!prints_configuration) return std::nullopt;
    standard_output().write(effective_configuration(table, settings, configuration.hosts()));
    return kOk;
  }

  int complain(std::string_view problem, int code) const {
    static_cast<void>(usage_error(command, problem));
    return code;
  }

  const std::vector<std::string> help_names = {"-h", "--help"};
  std::string command;
  std::string summary;
  std::string footer;
  CLI::App app;
  std::string title = "Options";  // of the group that is being declared
  std::deque<Slot> slots;         // CLI11 keeps references
  std::optional<ConfigWorld> world;
  HostKeys host_keys;
  std::vector<std::string> config_files;
  bool ignores_configuration = false;
  bool prints_configuration = false;
  std::vector<SaidLine> said;
  int usage_code = kUsage;
  int configuration_code = kUsage;
};

Arguments::Arguments(std::string_view command, std::string_view summary)
    : state_(std::make_unique<State>(command, summary)) {}

Arguments::~Arguments() = default;

void Arguments::group(std::string_view title) { state_->title = title; }

void Arguments::flag(std::string_view names, bool& into, std::string_view help) {
  state_->add_slot(names, OptionKind::flag, taker_of_flag(into), "", help);
}

void Arguments::action(std::string_view names, bool& into, std::string_view help) {
  state_->add_slot(names, OptionKind::action, taker_of_flag(into), "", help);
}

void Arguments::counted_flag(std::string_view names, std::uint64_t& into, std::string_view help) {
  state_->add_slot(names, OptionKind::counted, taker_of_count(into), "", help);
}

void Arguments::option(std::string_view names, std::string& into, std::string_view placeholder,
                       std::string_view help) {
  option(names, taker_of_text(into), placeholder, help);
}

void Arguments::option(std::string_view names, std::uint64_t& into, std::string_view placeholder,
                       std::string_view help) {
  option(names, taker_of_whole_number(into), placeholder, help);
}

void Arguments::option(std::string_view names, Taker take, std::string_view placeholder,
                       std::string_view help) {
  state_->add_slot(names, OptionKind::single, std::move(take), placeholder, help);
}

void Arguments::repeated(std::string_view names, std::vector<std::string>& into,
                         std::string_view placeholder, std::string_view help) {
  repeated(names, taker_of_texts(into), placeholder, help);
}

void Arguments::repeated(std::string_view names, Taker take, std::string_view placeholder,
                         std::string_view help) {
  state_->add_slot(names, OptionKind::repeated, std::move(take), placeholder, help);
}

void Arguments::positional(std::string_view name, std::string& into, std::string_view help,
                           bool is_optional) {
  state_->add_slot("", OptionKind::word, taker_of_text(into), name, help).declared.is_required =
      !is_optional;
}

void Arguments::positionals(std::string_view name, std::vector<std::string>& into,
                            std::string_view help, bool is_optional) {
  state_->add_slot("", OptionKind::words, taker_of_texts(into), name, help).declared.is_required =
      !is_optional;
}

void Arguments::footer(std::string_view text) {
  state_->footer = text;
  state_->app.footer(state_->footer);
}

void Arguments::read_configuration(ConfigWorld world) {
  State& state = *state_;
  state.world = std::move(world);
  group("Configuration");
  repeated("--config", state.config_files, "FILE",
           "read this instead of ./gossamer.toml; of several the later win");
  action("--no-config", state.ignores_configuration,
         "read no configuration file and no GOSSAMER_* of the environment");
  action("--print-config", state.prints_configuration,
         "show what is in effect and where each value is from, and do nothing");
  for (Slot& slot : state.slots) {
    if (slot.declared.key == "config") slot.declared.key.clear();  // it cannot name itself
  }
}

void Arguments::take_hosts(HostKeys keys) { state_->host_keys = std::move(keys); }

void Arguments::exit_codes(int usage, int configuration) {
  state_->usage_code = usage;
  state_->configuration_code = configuration;
}

DeclaredCommand Arguments::declared() const {
  DeclaredCommand table = {.name = state_->command,
                           .summary = state_->summary,
                           .footer = state_->footer,
                           .is_configurable = state_->world.has_value()};
  for (const Slot& slot : state_->slots) table.options.push_back(slot.declared);
  table.host_options = state_->host_keys.options;
  return table;
}

std::optional<int> Arguments::parse(const std::vector<std::string>& words) {
  if (current_catcher != nullptr) {
    current_catcher->caught_ = declared();
    return kOk;
  }
  state_->tell_parser(words);
  std::vector<std::string> backwards(words.rbegin(), words.rend());
  try {
    state_->app.parse(backwards);
  } catch (const CLI::CallForHelp&) {
    standard_output().write(state_->app.help());
    return kOk;
  } catch (const CLI::ExtrasError&) {
    const std::string extra = state_->app.remaining().front();
    return state_->complain(state_->about_extra(extra), state_->usage_code);
  } catch (const CLI::ParseError& error) {
    return state_->complain(error.what(), state_->usage_code);
  }
  return state_->take_all(declared());
}

const std::vector<SaidLine>& Arguments::said() const { return state_->said; }

DeclarationCatcher::DeclarationCatcher() : outer_(std::exchange(current_catcher, this)) {}

DeclarationCatcher::~DeclarationCatcher() { current_catcher = outer_; }

std::optional<DeclaredCommand> DeclarationCatcher::take() {
  return std::exchange(caught_, std::nullopt);
}

}  // namespace gossamer::cli
