#include "cli/robots_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "base/escape.h"
#include "base/time.h"
#include "cli/command.h"
#include "robots/robots.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCommand = "robots";

struct RobotsArguments {
  std::string file;
  std::string agent = "gossamer";
  std::vector<std::string> urls;
};

// The arguments, or the exit code if they make no sense.
std::optional<RobotsArguments> read_arguments(const std::vector<std::string>& arguments,
                                              int* exit_code) {
  RobotsArguments result;
  bool has_file = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--agent") {
      if (++i == arguments.size() || robots::product_token(arguments[i]).empty()) {
        *exit_code = usage_error(kCommand, "--agent needs the name of a crawler");
        return std::nullopt;
      }
      result.agent = arguments[i];
    } else if (argument.starts_with('-') && argument != "-") {
      *exit_code = usage_error(kCommand, "there is no option " + argument);
      return std::nullopt;
    } else if (!has_file) {
      result.file = argument;
      has_file = true;
    } else {
      result.urls.push_back(argument);
    }
  }
  if (has_file) return result;
  *exit_code = usage_error(kCommand, "which robots.txt? Name a file, or - for standard input");
  return std::nullopt;
}

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

// As much of a file as would be read of a robots.txt, and a bit more. Nothing if it cannot be read.
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
    case robots::Group::none: return "no group is for this crawler";
    case robots::Group::all: return "no rule for all crawlers matches";
    case robots::Group::own: return "no rule for this crawler matches";
  }
  return {};
}

// False: it is not a URL.
bool print_answer(const robots::Robots& robots, const std::string& text) {
  const auto url = url::Url::parse(text);
  if (!url) {
    fmt::print(stderr, "gossamer robots: {}: {}\n", base::escape_for_terminal(text),
               base::escape_for_terminal(url.error().to_string()));
    return false;
  }
  const robots::Decision decision = robots.decide(url->request_target());
  fmt::print("{:<10}  {}  ({})\n", decision.allowed ? "allowed" : "disallowed", url->href(),
             reason_of(decision));
  return true;
}

void print_summary(const robots::Robots& robots) {
  fmt::print("rules: {}\n", robots.rule_count());
  if (const auto delay = robots.crawl_delay()) {
    fmt::print("crawl-delay: {}\n", base::to_string(*delay));
  }
  for (const std::string& sitemap : robots.sitemaps()) {
    fmt::print("sitemap: {}\n", base::escape_for_terminal(sitemap));
  }
}

}  // namespace

int run_robots_command(const std::vector<std::string>& arguments) {
  int exit_code = kOk;
  const auto given = read_arguments(arguments, &exit_code);
  if (!given) return exit_code;
  const auto bytes = read_file(given->file);
  if (!bytes) {
    fmt::print(stderr, "gossamer robots: cannot read {}: {}\n",
               base::escape_for_terminal(given->file), std::strerror(errno));
    return kFailed;
  }
  const robots::Robots robots = robots::Robots::parse(*bytes, given->agent);
  if (given->urls.empty()) print_summary(robots);
  for (const std::string& url : given->urls) {
    if (!print_answer(robots, url)) exit_code = kFailed;
  }
  return exit_code;
}

}  // namespace gossamer::cli
