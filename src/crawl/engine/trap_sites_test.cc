// Tests sites that generate endless URLs: how many pages of each a crawl fetches.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace gossamer::crawler {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

std::string link_to(std::string_view place) {
  return fmt::format("<a href=\"{}\">more</a>\n", place);
}

// 3 KiB that are the same on all pages.
std::string filler() {
  std::string text;
  while (text.size() < 3072) text += "<p>Events of our town, and how to reach us.</p>\n";
  return text;
}

// Returns the number after a name in a URL; 0: there is none.
int number_after(std::string_view url, std::string_view name) {
  const std::size_t at = url.find(name);
  if (at == std::string_view::npos) return 0;
  int number = 0;
  for (const char c : url.substr(at + name.size())) {
    if (c < '0' || c > '9') break;
    number = number * 10 + (c - '0');
  }
  return number;
}

class Tokens {
 public:
  std::string decimal(int bytes) {
    std::string token;
    for (int i = 0; i < bytes; ++i) token += static_cast<char>('1' + random_.below(9));
    return token;
  }

 private:
  base::Random random_{1};
};

struct TrapSite {
  std::string_view name;
  std::string_view start;
  std::string (*page)(const std::string& url, Tokens& tokens);
  // BOUND: fetched pages. No guard may let more of this site through.
  std::size_t pages_max;
};

// --- the sites

enum class Days : std::uint8_t { none, all, grid };

std::string month_page(int year, int month, bool named, Days days) {
  std::string text = filler();
  const std::string_view name = kMonths.at(static_cast<std::size_t>(month - 1));
  text += named ? fmt::format("<h1>{} {}</h1>", name, year)
                : fmt::format("<h1>{}/{}</h1>", month, year);
  constexpr std::array kLengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int length = kLengths.at(static_cast<std::size_t>(month - 1));
  for (int day = 1; days == Days::all && day <= length; ++day)
    text += fmt::format("<td>{}</td>", day);
  const int first = (year * 12 + month) * 3 % 7;
  for (int cell = 0; days == Days::grid && cell < 42; ++cell) {
    text += fmt::format("<td>{}</td>", (cell - first + length) % length + 1);
  }
  const int months = year * 12 + month - 1;
  for (const int near : {months + 1, months - 1}) {
    text += link_to(fmt::format("/cal?y={}&m={}", near / 12, near % 12 + 1));
  }
  return text;
}

std::string calendar(const std::string& url, bool named, Days days) {
  return month_page(std::max(1, number_after(url, "y=")), std::max(1, number_after(url, "m=")),
                    named, days);
}

std::string offsets(const std::string& url) {
  return filler() + link_to(fmt::format("/calendar?offset={}", number_after(url, "offset=") + 1));
}

std::string sessions(Tokens& tokens) {
  std::string text;
  for (int i = 1; i <= 20; ++i) text += link_to(fmt::format("/s/{}/page{}", tokens.decimal(32), i));
  return text;
}

std::string views(const std::string& url) {
  std::string text = fmt::format("<p>List {}</p>", number_after(url, "/list/"));
  for (int list = 1; list <= 30; ++list) {
    for (const char* sort : {"asc", "desc"}) {
      for (const char* view : {"list", "grid"}) {
        for (const int size : {10, 20, 50}) {
          text +=
              link_to(fmt::format("/list/{}?sort={}&view={}&perpage={}", list, sort, view, size));
        }
      }
    }
  }
  return text;
}

std::string unknown_page(Tokens& tokens) {
  std::string text = "<p>This page was not found.</p>";
  for (int i = 0; i < 30; ++i) text += link_to("/" + tokens.decimal(8));
  return text;
}

std::vector<TrapSite> trap_sites() {
  using Url = const std::string&;
  return {
      {"calendar", "/cal?y=1970&m=3",
       [](Url url, Tokens&) { return calendar(url, false, Days::none); }, 103},
      {"calendar by offset", "/calendar?offset=0", [](Url url, Tokens&) { return offsets(url); },
       103},
      {"calendar with names", "/cal?y=1970&m=3",
       [](Url url, Tokens&) { return calendar(url, true, Days::none); }, 1513},
      {"calendar with days", "/cal?y=1970&m=3",
       [](Url url, Tokens&) { return calendar(url, false, Days::all); }, 1513},
      {"calendar with a grid", "/cal?y=1970&m=3",
       [](Url url, Tokens&) { return calendar(url, false, Days::grid); }, 103},
      {"session-id-path", "/s/12345678901234567890123456789012/page1",
       [](Url, Tokens& tokens) { return sessions(tokens); }, 2002},
      {"path-repetition", "/a/", [](Url, Tokens&) { return link_to("b/c/"); }, 5},
      {"growing-path", "/g/",
       [](Url, Tokens& tokens) { return link_to("./" + tokens.decimal(8) + "/"); }, 21},
      {"sort-and-view", "/list/1", [](Url url, Tokens&) { return views(url); }, 362},
      {"soft-404", "/1", [](Url, Tokens& tokens) { return unknown_page(tokens); }, 3002},
  };
}

TEST(TrapSites, EndWithinTheirPages) {
  for (const TrapSite& site : trap_sites()) {
    TestWeb web;
    Tokens tokens;
    web.at(kRoot, Reply{.body = link_to(site.start)});
    web.decide = [&](const std::string& url, Instant) -> std::optional<Reply> {
      if (url == kRoot || url.contains("robots.txt")) return std::nullopt;
      return Reply{.body = site.page(url, tokens)};
    };
    Options options = from_root();
    options.pages_max = 4'000;
    const Crawled crawled = web.crawl(std::move(options));
    EXPECT_LE(crawled.records.size(), site.pages_max) << site.name;
  }
}

}  // namespace
}  // namespace gossamer::crawler
