#include "options/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "base/number.h"
#include "options/command_line.h"

namespace gossamer::options {
namespace {

// "i,include" is -i and --include.
std::vector<std::string> flags_of(std::string_view names) {
  std::vector<std::string> flags;
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(',', at), names.size());
    const std::string_view name = names.substr(at, end - at);
    CHECK(!name.starts_with('-'));
    flags.push_back((name.size() == 1 ? "-" : "--") + std::string(name));
    at = end + 1;
  }
  return flags;
}

std::string key_of(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.starts_with("--")) return name.substr(2);
  }
  return {};
}

// A word has a key if its name can be one: url for URL.
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

bool is_yes_word(std::string_view text) { return is_one_of(text, {"true", "1", "yes", "on"}); }

Value yes_or_no(std::move_only_function<void(bool)> set) {
  return {.take = [set = std::move(set)](const std::string& text) mutable -> std::string {
    const bool is_yes = is_yes_word(text);
    if (!is_yes && !is_one_of(text, {"false", "0", "no", "off"})) {
      return "expected true or false, not '" + text + "'";
    }
    set(is_yes);
    return {};
  }};
}

std::string take_times(const std::string& text, std::uint64_t& into) {
  if (text != "true" && text != "false") return take_count(text, into, 0);
  into = text == "true" ? 1 : 0;
  return {};
}

}  // namespace

Table::Table(std::string_view command) { command_.name = command; }

Option& Table::add(std::string_view names, Use use, Value value, std::string_view help,
                   Concern concern, Power power) {
  takers_.push_back(std::move(value.take));
  Option& option = command_.options.emplace_back();
  option = {.names = flags_of(names),
            .help = std::string(help),
            .group = group_,
            .use = use,
            .kind = value.kind,
            .placeholder = std::move(value.placeholder),
            .choices = std::move(value.choices),
            .initial = std::move(value.initial),
            .concern = concern,
            .power = power};
  if (value.take_for_host) {
    add_host_key(
        {{.concern = concern}, command_.options.size() - 1, std::move(value.take_for_host)});
  }
  if (option.is_word()) {
    option.key = key_of_word(option.placeholder);
  } else if (use != Use::action) {
    option.key = key_of(option.names);
  }
  return option;
}

Option& Table::flag(std::string_view names, bool& into, std::string_view help, Concern concern,
                    Power power) {
  return add(names, Use::flag, yes_or_no([&into](bool is_yes) { into = is_yes; }), help, concern,
             power);
}

Option& Table::negation(std::string_view names, bool& into, std::string_view help, Concern concern,
                        Power power) {
  return add(names, Use::flag, yes_or_no([&into](bool is_yes) { into = !is_yes; }), help, concern,
             power);
}

Option& Table::flag(std::string_view names, std::move_only_function<void()> set,
                    std::string_view help, Concern concern, Power power) {
  return add(names, Use::flag, yes_or_no([set = std::move(set)](bool is_yes) mutable {
               if (is_yes) set();
             }),
             help, concern, power);
}

Option& Table::action(std::string_view names, bool& into, std::string_view help, Concern concern) {
  return add(names, Use::action, yes_or_no([&into](bool is_yes) { into = is_yes; }), help, concern);
}

Option& Table::counted_flag(std::string_view names, std::uint64_t& into, std::string_view help,
                            Concern concern, Power power) {
  const auto take = [&into](const std::string& text) { return take_times(text, into); };
  return add(names, Use::counted, {.take = take}, help, concern, power);
}

Option& Table::option(std::string_view names, Value value, std::string_view help, Concern concern,
                      Power power) {
  return add(names, Use::single, std::move(value), help, concern, power);
}

Option& Table::repeated(std::string_view names, Value value, std::string_view help, Concern concern,
                        Power power) {
  return add(names, Use::repeated, std::move(value), help, concern, power);
}

Option& Table::word(Value value, std::string_view help) {
  Option& option = add("", Use::word, std::move(value), help);
  option.is_required = true;
  return option;
}

Option& Table::optional_word(Value value, std::string_view help) {
  return add("", Use::word, std::move(value), help);
}

Option& Table::words(Value value, std::string_view help) {
  Option& option = add("", Use::words, std::move(value), help);
  option.is_required = true;
  return option;
}

Option& Table::optional_words(Value value, std::string_view help, Concern concern, Power power) {
  return add("", Use::words, std::move(value), help, concern, power);
}

Option& Table::rest(Value value, std::string_view help) {
  return add("", Use::rest, std::move(value), help);
}

void Table::read_configuration(ConfigWorld world) {
  world_ = std::move(world);
  command_.is_configurable = true;
  group("Configuration");
  // It cannot name itself.
  repeated("config", files(config_files_),
           "read FILE instead of ./gossamer.toml; the last file wins", Concern::run)
      .key.clear();
  action("no-config", ignores_configuration_,
         "ignore configuration files and GOSSAMER_* variables");
  action("print-config", prints_configuration_,
         "show all effective settings and their origins, then exit");
  action("trust", trusts_, "accept settings that can use your files, secrets or network",
         Concern::run);
}

void Table::host_option(std::string_view key, Value value, std::string_view help, Concern concern,
                        Power power) {
  CHECK(value.take_for_host);
  add_host_key({{.key = std::string(key),
                 .help = std::string(help),
                 .use = Use::single,
                 .kind = value.kind,
                 .placeholder = std::move(value.placeholder),
                 .concern = concern,
                 .power = power},
                std::nullopt,
                std::move(value.take_for_host)});
}

// The nodes of a shared crawl compare the lines of host tables, so their order must not change:
// pauses come first, the last one at the top.
void Table::add_host_key(HostKey key) {
  const bool is_first = key.option.concern == Concern::effort;
  host_keys_.insert(is_first ? host_keys_.begin() : host_keys_.end(), std::move(key));
}

void Table::take_hosts(Result<std::string> (*parse_name)(std::string_view name)) {
  command_.parse_host = parse_name;
  for (HostKey& key : host_keys_) {
    if (key.place) key.option = command_.options[*key.place];
    command_.host_options.push_back(key.option);
  }
}

// Stores the values. Returns what is wrong with them.
std::string Table::take_setting(std::size_t place, const Setting& setting) {
  const Option& option = command_.options[place];
  for (const std::string& value : setting.values) {
    const std::string problem = takers_[place](value);
    if (problem.empty()) continue;
    if (setting.origin != kCommandLine) {
      return fmt::format("{}: {}: {}", setting.origin, option.key, problem);
    }
    if (option.is_word()) return problem;
    const std::string name =
        option.key.empty() ? option.main_name() : fmt::format("`{}`", option.key);
    return fmt::format("{}: {}", name, problem);
  }
  return {};
}

std::string Table::distrust(const Option& option, const Setting& setting) const {
  // Printing settings does nothing, and lets the user read them first.
  if (setting.doubt.empty() || prints_configuration_) return {};
  if (!option.has_power(setting.values)) return {};
  return fmt::format("{}: {} {}; add `trust` if you trust {}", setting.origin, option.key,
                     describe(option.power), setting.doubt);
}

std::string Table::take_host_settings(const HostSettings& hosts) {
  for (const auto& [host, settings] : hosts) {
    for (const auto& [key, setting] : settings) {
      const auto found = std::ranges::find(
          host_keys_, key, [](const HostKey& known) { return std::string_view(known.option.key); });
      CHECK(found != host_keys_.end());
      if (std::string problem = distrust(found->option, setting); !problem.empty()) return problem;
      for (const std::string& value : setting.values) {
        const std::string problem = found->take(host, value);
        if (!problem.empty()) return fmt::format("{}: {}: {}", setting.origin, key, problem);
      }
    }
  }
  return {};
}

std::optional<Table::Stop> Table::take_all(const std::vector<std::vector<std::string>>& given) {
  using Reason = Stop::Reason;
  const auto said_here = [&given](std::size_t i) {
    return Setting{.values = given[i], .origin = std::string(kCommandLine)};
  };
  // The options about configuration come first: they name the files to read.
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!command_.options[i].key.empty()) continue;
    const std::string problem = take_setting(i, said_here(i));
    if (!problem.empty()) return Stop{Reason::usage_fault, problem};
  }
  Configuration configuration;
  if (world_) {
    auto read = ignores_configuration_ ? Configuration::read(world_->stored_alone(), {}, command_)
                                       : Configuration::read(*world_, config_files_, command_);
    if (!read) return Stop{Reason::configuration_fault, std::string(read.error().detail())};
    configuration = std::move(*read);
    if (trusts_) configuration.trust_all();
  }
  std::vector<Setting> settings(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& key = command_.options[i].key;
    if (key.empty()) continue;
    if (!given[i].empty()) {
      settings[i] = said_here(i);
    } else if (const Setting* const found = configuration.find(key)) {
      settings[i] = *found;
    }
    std::string problem = distrust(command_.options[i], settings[i]);
    if (problem.empty()) problem = take_setting(i, settings[i]);
    if (problem.empty() && command_.options[i].use == Use::flag) {
      for (std::string& value : settings[i].values) value = is_yes_word(value) ? "true" : "false";
    }
    if (problem.empty()) continue;
    const bool is_typed = settings[i].origin == kCommandLine;
    return Stop{is_typed ? Reason::usage_fault : Reason::configuration_fault, problem};
  }
  const std::string problem = take_host_settings(configuration.hosts());
  if (!problem.empty()) return Stop{Reason::configuration_fault, problem};
  said_ = said_lines(command_, settings, configuration.hosts());
  if (!prints_configuration_) return std::nullopt;
  return Stop{Reason::configuration,
              effective_configuration(command_, settings, configuration.hosts())};
}

std::optional<Table::Stop> Table::parse(const std::vector<std::string>& words) {
  const auto given = sort_words(command_.options, words, command_.foreign);
  if (!given) return Stop{Stop::Reason::usage_fault, std::string(given.error().detail())};
  if (given->asks_for_help) return Stop{Stop::Reason::help, help_text(command_)};
  return take_all(given->values);
}

bool Table::says(std::string_view key) const {
  return std::ranges::any_of(said_, [&](const SaidLine& line) {
    return line.table == command_.name && line.option->key == key && line.value != "false";
  });
}

}  // namespace gossamer::options
