#include "cli/url_command.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/escape.h"
#include "cli/command.h"
#include "url/crawl_identity.h"
#include "url/public_suffix.h"
#include "url/surt.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

enum class Form : std::uint8_t { normal, surt, cdx, fingerprint };

struct UrlArguments {
  std::optional<std::string> base;
  bool json = false;
  url::IdentityRules rules;
  Form form = Form::normal;
  std::vector<std::string> texts;
};

bool* rule_called(std::string_view flag, url::IdentityRules& rules) {
  if (flag == "--drop-sessions") return &rules.drop_sessions;
  if (flag == "--drop-tracking") return &rules.drop_tracking;
  if (flag == "--sort-query") return &rules.sort_query;
  if (flag == "--collapse-index") return &rules.collapse_index;
  if (flag == "--strip-www") return &rules.strip_www;
  return nullptr;
}

std::optional<Form> form_called(std::string_view flag) {
  if (flag == "--surt") return Form::surt;
  if (flag == "--cdx") return Form::cdx;
  if (flag == "--fingerprint") return Form::fingerprint;
  return std::nullopt;
}

// Takes a flag of the action. False if it has none of that name.
bool take_flag(std::string_view action, std::string_view flag, UrlArguments& arguments) {
  if (action == "parse" && flag == "--json") {
    arguments.json = true;
    return true;
  }
  if (action != "canon") return false;
  if (bool* const rule = rule_called(flag, arguments.rules)) {
    *rule = true;
    return true;
  }
  const auto form = form_called(flag);
  arguments.form = form.value_or(arguments.form);
  return form.has_value();
}

// An empty message: all is well.
std::string parse_arguments(const std::vector<std::string>& words, UrlArguments& arguments) {
  const std::string& action = words[0];
  bool flags_may_follow = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--" && flags_may_follow) {
      flags_may_follow = false;
    } else if (flags_may_follow && action == "parse" && word == "--base") {
      if (++i == words.size()) return "--base takes a URL";
      arguments.base = words[i];
    } else if (flags_may_follow && word.starts_with("--")) {
      if (!take_flag(action, word, arguments)) return "'" + action + "' has no flag " + word;
    } else if (action == "join" && !arguments.base) {
      arguments.base = word;
    } else {
      arguments.texts.push_back(word);
    }
  }
  if (action == "join" && !arguments.base) return "join takes a base and what to resolve";
  return arguments.texts.empty() ? action + " takes at least one URL" : std::string();
}

// Parts are ASCII without control characters: the parser has escaped all others.
std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

using NamedPart = std::pair<std::string_view, std::string>;

std::vector<NamedPart> parts_of(const url::Url& url) {
  const auto text = [](std::string_view view) { return std::string(view); };
  return {{"href", url.href()},
          {"origin", url.origin()},
          {"protocol", text(url.protocol())},
          {"username", text(url.username())},
          {"password", text(url.password())},
          {"host", text(url.host())},
          {"hostname", text(url.hostname())},
          {"port", text(url.port())},
          {"pathname", text(url.pathname())},
          {"search", text(url.search())},
          {"hash", text(url.hash())},
          {"site", text(url::PublicSuffixList::built_in().registrable_domain(url.hostname()))}};
}

void print_parts(const url::Url& url, bool json) {
  std::string out;
  for (const auto& [name, value] : parts_of(url)) {
    if (json) {
      out += fmt::format("{}{}: {}", out.empty() ? "{" : ", ", in_quotes(name), in_quotes(value));
    } else if (!value.empty()) {
      out += fmt::format("{:<9} {}\n", name, value);
    }
  }
  fmt::print("{}\n", json ? out + "}" : out);
}

// What is done to each URL, and how it went so far.
class Actions {
 public:
  explicit Actions(const UrlArguments& arguments)
      : arguments_(arguments), identity_(arguments.rules) {}

  bool set_base(const std::string& text) {
    const auto failure = base_.assign(text);
    if (failure != url::UrlFailure::none) report(text, failure);
    return failure == url::UrlFailure::none;
  }

  void parse(const url::Url& url) { print_parts(url, arguments_.json); }
  void join(const url::Url& url) { fmt::print("{}\n", url.href()); }
  void canon(const url::Url& url) {
    switch (arguments_.form) {
      case Form::normal: fmt::print("{}\n", identity_.normal_form(url)); break;
      case Form::surt: fmt::print("{}\n", url::surt(url)); break;
      case Form::cdx: fmt::print("{}\n", url::cdx_key(url)); break;
      case Form::fingerprint: fmt::print("{:016x}\n", identity_.fingerprint(url)); break;
    }
  }

  void run(void (Actions::*action)(const url::Url& url), const std::string& text) {
    const auto failure = url_.assign(text, &base_);
    if (failure == url::UrlFailure::none) return (this->*action)(url_);
    // In JSON, lines still answer to lines.
    if (arguments_.json) fmt::print("{{\"failure\": {}}}\n", in_quotes(describe(failure)));
    report(text, failure);
  }

  int exit_code() const { return exit_code_; }

 private:
  void report(const std::string& text, url::UrlFailure failure) {
    fmt::print(stderr, "gossamer url: {}: {}\n", base::escape_for_terminal(text),
               describe(failure));
    exit_code_ = kFailed;
  }

  const UrlArguments& arguments_;
  url::CrawlIdentity identity_;
  url::Url base_;
  url::Url url_;
  int exit_code_ = kOk;
};

using Action = void (Actions::*)(const url::Url& url);

Action action_called(std::string_view name) {
  if (name == "parse") return &Actions::parse;
  if (name == "join") return &Actions::join;
  return name == "canon" ? &Actions::canon : nullptr;
}

}  // namespace

int run_url_command(const std::vector<std::string>& words) {
  const Action action = words.empty() ? nullptr : action_called(words[0]);
  if (action == nullptr) return usage_error("url", "say what to do: parse, join or canon");
  UrlArguments arguments;
  const std::string mistake = parse_arguments(words, arguments);
  if (!mistake.empty()) return usage_error("url", mistake);

  Actions actions(arguments);
  if (arguments.base && !actions.set_base(*arguments.base)) return kFailed;
  for (const std::string& text : arguments.texts) {
    if (text != "-") {
      actions.run(action, text);
      continue;
    }
    for (std::string line; std::getline(std::cin, line);) actions.run(action, line);
  }
  return actions.exit_code();
}

}  // namespace gossamer::cli
