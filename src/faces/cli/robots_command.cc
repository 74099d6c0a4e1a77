#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "base/escape.h"
#include "base/time.h"
#include "cli/commands.h"
#include "robots/robots.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

struct RobotsArguments {
  std::string file;
  std::string agent = "gossamer";
  std::vector<std::string> urls;
};

std::string take_agent(const std::string& name, std::string& agent) {
  if (robots::product_token(name).empty()) return "expected the name of a crawler";
  agent = name;
  return {};
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// Reads slightly more of a file than the limit of a robots.txt. Nothing if it cannot be read.
std::optional<std::string> read_file(const std::string& path) {
  constexpr std::size_t kBytesMax = 1024 * 1024;
  std::unique_ptr<std::FILE, FileCloser> owned;
  std::FILE* file = stdin;
  if (path != "-") {
    owned.reset(std::fopen(path.c_str(), "rb"));
    file = owned.get();
  }
  if (file == nullptr) return std::nullopt;
  std::string bytes(kBytesMax, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  if (std::ferror(file) != 0) return std::nullopt;
  return bytes;
}

std::string reason_of(const robots::Decision& decision) {
  if (decision.line > 0) {
    return fmt::format("line {}: {}: {}", decision.line, decision.allowed ? "Allow" : "Disallow",
                       base::escape_for_terminal(decision.pattern));
  }
  switch (decision.group) {
    case robots::Group::none: return "no group applies to this crawler";
    case robots::Group::all: return "no rule for all crawlers matches";
    case robots::Group::own: return "no rule for this crawler matches";
  }
  return {};
}

// Prints and returns whether a URL is allowed. Text that is not a URL is not allowed.
bool print_answer(const robots::Robots& robots, const std::string& text) {
  const auto url = url::Url::parse(text);
  if (!url) {
    terminal::print_err("gossamer inspect robots: {}: {}\n", base::escape_for_terminal(text),
                        base::escape_for_terminal(url.error().message()));
    return false;
  }
  const robots::Decision decision = robots.decide(url->request_target());
  terminal::print_out("{:<10}  {}  ({})\n", decision.allowed ? "allowed" : "disallowed",
                      url->href(), reason_of(decision));
  return decision.allowed;
}

void print_summary(const robots::Robots& robots) {
  terminal::print_out("rules: {}\n", robots.rule_count());
  if (const auto delay = robots.crawl_delay()) {
    terminal::print_out("crawl-delay: {}\n", base::to_string(*delay));
  }
  for (const std::string& sitemap : robots.sitemaps()) {
    terminal::print_out("sitemap: {}\n", base::escape_for_terminal(sitemap));
  }
}

void declare_robots(options::Table& table, RobotsArguments& given) {
  table.summary("Check URLs against a robots.txt. Without URLs, show its rules and sitemaps.");
  table.footer(
      "Exit codes: 0 all URLs are allowed, 1 a URL is not allowed or the file cannot be read.");
  table.word(options::file(given.file), "the robots.txt; - is standard input");
  table.optional_words(options::texts(given.urls, "URL"), "the URLs to check");
  const auto take = [&given](const std::string& name) { return take_agent(name, given.agent); };
  table.option("agent", options::custom("NAME", take, given.agent), "set the name of the crawler");
}

int run_robots(RobotsArguments& given) {
  const auto bytes = read_file(given.file);
  if (!bytes) {
    terminal::print_err("gossamer inspect robots: cannot read {}: {}\n",
                        base::escape_for_terminal(given.file), std::strerror(errno));
    return kFailed;
  }
  int exit_code = kOk;
  const robots::Robots robots = robots::Robots::parse(*bytes, given.agent);
  if (given.urls.empty()) print_summary(robots);
  for (const std::string& url : given.urls) {
    if (!print_answer(robots, url)) exit_code = kFailed;
  }
  return exit_code;
}

}  // namespace

constinit const Command robots_command = command_of<declare_robots, run_robots>(
    "inspect robots", "FILE|- --agent NAME URL...", "check URLs against a robots.txt");

}  // namespace gossamer::cli
