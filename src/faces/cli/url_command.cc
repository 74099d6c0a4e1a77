#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

#include "base/escape.h"
#include "base/json.h"
#include "cli/commands.h"
#include "terminal/standard_output.h"
#include "url/crawl_identity.h"
#include "url/public_suffix.h"
#include "url/surt.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

enum class Form : std::uint8_t { normal, surt, cdx, fingerprint };

struct UrlArguments {
  std::string base;
  bool json = false;
  url::IdentityRules rules;
  Form form = Form::normal;
  std::vector<std::string> texts;
};

void declare_rules(options::Table& table, url::IdentityRules& rules) {
  table.flag("drop-sessions", rules.drop_sessions, "ignore session ids");
  table.flag("drop-tracking", rules.drop_tracking,
             "ignore utm_source and other tracking parameters");
  table.flag("sort-query", rules.sort_query, "ignore the order of parameters");
  table.flag("collapse-index", rules.collapse_index, "treat /index.html as /");
  table.flag("strip-www", rules.strip_www, "treat www.example.com as example.com");
}

constexpr std::string_view kUrlsHelp = "one or more; - reads lines from standard input";

void declare_url_parse(options::Table& table, UrlArguments& arguments) {
  table.summary("Show the parts of URLs.");
  table.words(options::texts(arguments.texts, "URL"), kUrlsHelp);
  table.option("base", options::text(arguments.base, "URL"), "resolve the URLs against this one");
  table.flag("json", arguments.json, "print one JSON object per line");
}

void declare_url_join(options::Table& table, UrlArguments& arguments) {
  table.summary("Resolve references against a base URL.");
  table.word(options::text(arguments.base, "BASE"), "a URL");
  table.words(options::texts(arguments.texts, "REFERENCE"), kUrlsHelp);
}

void declare_url_canon(options::Table& table, UrlArguments& arguments) {
  const auto choose = [&arguments](Form form) {
    return [&arguments, form] { arguments.form = form; };
  };
  table.summary("Show URLs as a crawl compares them.");
  table.words(options::texts(arguments.texts, "URL"), kUrlsHelp);
  declare_rules(table, arguments.rules);
  table.flag("surt", choose(Form::surt), "show the sort-friendly form of archives");
  table.flag("cdx", choose(Form::cdx), "show the key of a CDX index");
  table.flag("fingerprint", choose(Form::fingerprint), "show a 64-bit number");
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
  base::JsonLine line;
  std::string rows;
  for (const auto& [name, value] : parts_of(url)) {
    line.text(name, value);
    if (!value.empty()) rows += fmt::format("{:<9} {}\n", name, value);
  }
  terminal::print_out("{}\n", json ? line.finish() : rows);
}

// Handles each URL and remembers the worst result.
class UrlActions {
 public:
  explicit UrlActions(const UrlArguments& arguments)
      : arguments_(arguments), identity_(arguments.rules) {}

  bool set_base(const std::string& text) {
    const auto failure = base_.assign(text);
    if (failure != url::UrlFailure::none) report(text, failure);
    return failure == url::UrlFailure::none;
  }

  void parse(const url::Url& url) { print_parts(url, arguments_.json); }
  void join(const url::Url& url) { terminal::print_out("{}\n", url.href()); }
  void canon(const url::Url& url) {
    switch (arguments_.form) {
      case Form::normal: terminal::print_out("{}\n", identity_.normal_form(url)); break;
      case Form::surt: terminal::print_out("{}\n", url::surt(url)); break;
      case Form::cdx: terminal::print_out("{}\n", url::cdx_key(url)); break;
      case Form::fingerprint: terminal::print_out("{:016x}\n", identity_.fingerprint(url)); break;
    }
  }

  void run(void (UrlActions::*action)(const url::Url& url), const std::string& text) {
    const auto failure = url_.assign(text, &base_);
    if (failure == url::UrlFailure::none) return (this->*action)(url_);
    // In JSON mode, every input line gets an output line.
    if (arguments_.json) {
      terminal::print_out("{}\n", base::JsonLine().text("failure", describe(failure)).finish());
    }
    report(text, failure);
  }

  int exit_code() const { return exit_code_; }

 private:
  void report(const std::string& text, url::UrlFailure failure) {
    terminal::print_err("gossamer inspect url: {}: {}\n", base::escape_for_terminal(text),
                        describe(failure));
    exit_code_ = kFailed;
  }

  const UrlArguments& arguments_;
  url::CrawlIdentity identity_;
  url::Url base_;
  url::Url url_;
  int exit_code_ = kOk;
};

using UrlAction = void (UrlActions::*)(const url::Url& url);

template <UrlAction kAction>
int run_url(UrlArguments& arguments) {
  UrlActions actions(arguments);
  if (!arguments.base.empty() && !actions.set_base(arguments.base)) return kFailed;
  for (const std::string& text : arguments.texts) {
    if (text != "-") {
      actions.run(kAction, text);
      continue;
    }
    for (std::string line;
         !terminal::standard_output().failure() && std::getline(std::cin, line);) {
      actions.run(kAction, line);
    }
  }
  return actions.exit_code();
}

}  // namespace

constinit const Command url_parse_command =
    command_of<declare_url_parse, run_url<&UrlActions::parse>>("inspect url parse", "URL...",
                                                               "show the parts of URLs");
constinit const Command url_join_command = command_of<declare_url_join, run_url<&UrlActions::join>>(
    "inspect url join", "BASE REFERENCE...", "resolve references");
constinit const Command url_canon_command =
    command_of<declare_url_canon, run_url<&UrlActions::canon>>(
        "inspect url canon", "URL...", "show URLs as a crawl compares them");

}  // namespace gossamer::cli
