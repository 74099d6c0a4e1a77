#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>
#include <string_view>
#include <utility>

#include "base/escape.h"
#include "base/figures.h"
#include "cli/commands.h"
#include "engine/setup/options.h"
#include "record/result_line.h"
#include "report/collector.h"
#include "report/why.h"
#include "settings/random_salt.h"
#include "store/stored_crawl.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kWhyCommand = "job why";

struct Questions {
  std::vector<std::string> words;  // files and URLs
  std::vector<std::string> files;
  std::vector<url::Url> urls;
};

// Files come before URLs. A word is a file if it exists or is named like one.
bool is_file(const std::string& word) {
  if (word == "-" || word.ends_with(".jsonl")) return true;
  std::error_code ignored;
  return word.find("://") == std::string::npos && std::filesystem::exists(word, ignored);
}

void declare_why(options::Table& table, Questions& questions) {
  table.summary(
      "Explain why a crawl did or did not fetch a URL. Give the crawl directory, or the JSON "
      "results\n"
      "of gossamer crawl and the files that its --skipped wrote.");
  table
      .words(options::texts(questions.words, "DIR|FILE... URL"),
             "crawl directories or result files, then URLs; - is standard input")
      .kind = options::Kind::file;
}

// Returns an exit code if the words are wrong.
std::optional<int> sort_questions(Questions& questions) {
  for (const std::string& word : questions.words) {
    if (questions.urls.empty() && is_file(word)) {
      questions.files.push_back(word);
      continue;
    }
    auto url = crawler::parse_root(word);
    if (!url) return usage_error(kWhyCommand, url.error().detail());
    questions.urls.push_back(std::move(*url));
  }
  if (questions.files.empty())
    return usage_error(kWhyCommand, "no crawl given; usage: gossamer job why DIR URL");
  if (questions.urls.empty())
    return usage_error(kWhyCommand, "no URL given; usage: gossamer job why DIR URL");
  return std::nullopt;
}

Result<void> take_job(const std::string& folder, report::Collector& collector, report::Why& why) {
  const auto stored = store::StoredCrawl::open(folder);
  if (!stored) return fail(stored.error().copy());
  auto read = stored->for_each_page([&](const crawler::FetchRecord& record) {
    collector.add(record);
    why.add(record);
    return true;
  });
  if (!read) return read;
  return stored->for_each_skip([&](const store::StoredSkip& skip) {
    why.skip({.url = skip.url,
              .reason = skip.reason,
              .via = skip.via,
              .depth = skip.depth,
              .detail = skip.detail});
    return true;
  });
}

// Reads all lines of a file. Returns how many are not results of a crawl.
std::uint64_t take_lines(std::istream& file, report::Collector& collector, report::Why& why) {
  std::uint64_t strange = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const report::ResultLine read(line);
    if (read.record()) {
      collector.add(*read.record());
      why.add(*read.record());
    } else if (read.skipped()) {
      why.skip(*read.skipped());
    } else {
      ++strange;
    }
  }
  return strange;
}

int run_why(Questions& questions) {
  if (const auto exit_code = sort_questions(questions)) return *exit_code;
  const url::IdentityRules rules = crawler::Settings().identity;
  report::Collector collector(rules, run::random_salt(), {});
  report::Why why(rules);
  for (const url::Url& url : questions.urls) why.ask(url);
  for (const std::string& path : questions.files) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
      if (auto taken = take_job(path, collector, why); !taken) {
        return job_error(kWhyCommand, taken.error());
      }
      continue;
    }
    std::ifstream opened;
    if (path != "-") opened.open(path, std::ios::binary);
    std::istream& file = path == "-" ? std::cin : opened;
    if (!file) {
      static_cast<void>(usage_error(kWhyCommand, cannot_read(path)));
      return kFileFailed;
    }
    const std::uint64_t strange = take_lines(file, collector, why);
    if (strange > 0) {
      static_cast<void>(
          usage_error(kWhyCommand, fmt::format("{}: ignored {} without a JSON result of a crawl",
                                               path, base::counted(strange, "line"))));
    }
  }
  terminal::print_out("{}", why.answers(collector.graph()));
  return why.has_met_all() ? kOk : kFailed;
}

}  // namespace

constinit const Command why_command = command_of<declare_why, run_why>(
    kWhyCommand, "DIR|RESULTS.jsonl... URL...", "explain why a crawl did or did not fetch a URL");

}  // namespace gossamer::cli
