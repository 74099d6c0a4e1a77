#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <utility>

#include "cli/command.h"
#include "cli/number.h"

namespace gossamer::cli {
namespace {

// The usage line says "gossamer links [OPTIONS] FILE", the lists are as CLI11 makes them.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string placeholder = option->get_type_name();
    const bool is_positional = option->get_positional();
    return placeholder.empty() || is_positional ? std::string() : " " + placeholder;
  }
};

}  // namespace

struct Arguments::State {
  State(std::string_view name, std::string_view summary)
      : command(name), app(std::string(summary), "gossamer " + std::string(name)) {
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(32);
    app.set_help_flag("-h,--help", "this text");
  }

  // What to say about a word that has no place.
  std::string about_extra(const std::string& word) const {
    if (!word.starts_with('-')) return "what is '" + word + "' for?";
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string typed = word.substr(0, word.find('='));
    const std::string_view near = nearest(typed, candidates);
    std::string message = "there is no option " + typed;
    return near.empty() ? message : message + "; did you mean " + std::string(near) + "?";
  }

  CLI::Option* add(std::string_view names, Taker take, std::string_view placeholder,
                   std::string_view help) {
    const std::string shown(names);
    const auto shared = std::make_shared<Taker>(std::move(take));  // CLI11 copies its callbacks
    CLI::Option* const option =
        app.add_option(shown, CLI::callback_t([shared, shown](const CLI::results_t& values) {
                         for (const std::string& value : values) {
                           const std::string problem = (*shared)(value);
                           if (!problem.empty()) throw CLI::ValidationError(shown, problem);
                         }
                         return true;
                       }),
                       std::string(help));
    option->type_name(std::string(placeholder))->type_size(1)->group(title);
    option->run_callback_for_default(false);
    return option;
  }

  std::string command;
  CLI::App app;
  std::string title = "Options";  // of the group that is being declared
};

Arguments::Arguments(std::string_view command, std::string_view summary)
    : state_(std::make_unique<State>(command, summary)) {}

Arguments::~Arguments() = default;

void Arguments::group(std::string_view title) { state_->title = title; }

void Arguments::flag(std::string_view names, bool& into, std::string_view help) {
  state_->app.add_flag(std::string(names), into, std::string(help))->group(state_->title);
}

void Arguments::counted_flag(std::string_view names, std::uint64_t& into, std::string_view help) {
  state_->app.add_flag(std::string(names), into, std::string(help))->group(state_->title);
}

void Arguments::option(std::string_view names, std::string& into, std::string_view placeholder,
                       std::string_view help) {
  const auto take = [&into](const std::string& value) {
    into = value;
    return std::string();
  };
  option(names, take, placeholder, help);
}

void Arguments::option(std::string_view names, std::uint64_t& into, std::string_view placeholder,
                       std::string_view help) {
  const auto take = [&into](const std::string& value) {
    return parse_number(value, into) ? std::string() : "takes a whole number, not '" + value + "'";
  };
  option(names, take, placeholder, help);
}

void Arguments::option(std::string_view names, Taker take, std::string_view placeholder,
                       std::string_view help) {
  state_->add(names, std::move(take), placeholder, help)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Arguments::repeated(std::string_view names, std::vector<std::string>& into,
                         std::string_view placeholder, std::string_view help) {
  const auto take = [&into](const std::string& value) {
    into.push_back(value);
    return std::string();
  };
  repeated(names, take, placeholder, help);
}

void Arguments::repeated(std::string_view names, Taker take, std::string_view placeholder,
                         std::string_view help) {
  CLI::Option* const option = state_->add(names, std::move(take), placeholder, help);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  option->expected(1)->allow_extra_args(false);
}

void Arguments::positional(std::string_view name, std::string& into, std::string_view help,
                           bool is_optional) {
  CLI::Option* const option = state_->app.add_option(std::string(name), into, std::string(help));
  option->type_name("");
  if (!is_optional) option->required();
}

void Arguments::positionals(std::string_view name, std::vector<std::string>& into,
                            std::string_view help, bool is_optional) {
  CLI::Option* const option = state_->app.add_option(std::string(name), into, std::string(help));
  option->type_name("");
  if (!is_optional) option->required();
}

void Arguments::footer(std::string_view text) { state_->app.footer(std::string(text)); }

std::optional<int> Arguments::parse(const std::vector<std::string>& words) {
  std::vector<std::string> backwards(words.rbegin(), words.rend());
  try {
    state_->app.parse(backwards);
  } catch (const CLI::CallForHelp&) {
    std::fputs(state_->app.help().c_str(), stdout);
    return kOk;
  } catch (const CLI::ExtrasError&) {
    return usage_error(state_->command, state_->about_extra(state_->app.remaining().front()));
  } catch (const CLI::ParseError& error) {
    return usage_error(state_->command, error.what());
  }
  return std::nullopt;
}

}  // namespace gossamer::cli
