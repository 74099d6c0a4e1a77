// Damages every file of a crawl directory and reads it with everything that reads one. A reader
// must return what it did before, or say that something is wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "captures/collection.h"
#include "cli/command.h"
#include "crawl_run.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

namespace gossamer::cli {
namespace {

namespace fs = std::filesystem;
using support::file_content;
using support::TestFolder;

// What a reader returned, and what it said.
struct DamageReading {
  int exit_code = 0;
  std::string result;
  std::set<std::string> said;  // lines

  bool is_silent_about(const DamageReading& whole) const {
    const bool has_said = exit_code != whole.exit_code && !said.empty();
    const bool is_new = !std::ranges::includes(whole.said, said);
    return result != whole.result && !has_said && !is_new;
  }
};

// The names and contents of all files in a folder.
std::string tree_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder)] = file_content(entry.path());
  }
  std::string text;
  for (const auto& [name, content] : files) text += name + "\n" + content + "\n";
  return text;
}

// Every row of the tables that have the contents of the crawl.
std::string rows_of(const std::string& path) {
  sqlite3* database = nullptr;
  std::string text;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    const auto add = [](void* into, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i) {
        static_cast<std::string*>(into)->append(values[i] == nullptr ? "-" : values[i]) += '\t';
      }
      *static_cast<std::string*>(into) += '\n';
      return 0;
    };
    for (const char* sql : {"SELECT * FROM pages ORDER BY url",
                            "SELECT * FROM links ORDER BY from_url, to_url, kind, text",
                            "SELECT * FROM skips ORDER BY url, reason"}) {
      sqlite3_exec(database, sql, add, &text, nullptr);
    }
  }
  sqlite3_close(database);
  return text;
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
  return text;
}

class CrawlDamageTest : public testing::Test {
 protected:
  CrawlDamageTest() : server_(site_options()) {
    const Outcome made = crawl(
        {"-j", job(), "-q", "--no-progress", "--assets", "-o", "/dev/null", server_.url("/")});
    EXPECT_TRUE(made.exit_code == 0 || made.exit_code == 8) << made.err;
    for (const auto& entry : fs::recursive_directory_iterator(job())) {
      if (entry.is_regular_file()) files_.push_back(fs::relative(entry.path(), job()));
    }
    std::ranges::sort(files_);
  }

  static site::SiteOptions site_options() {
    site::SiteOptions options = plain_site(30);
    options.missing = 0.1;
    options.redirects = 0.1;
    options.disallowed = 0.1;
    return options;
  }

  std::string job() const { return folder_.file("job"); }

  // Runs the program on a copy of the directory, which is called `copy`.
  DamageReading run(const std::vector<std::string>& words) const {
    CommandRun command(words);
    DamageReading reading = {.exit_code = command.wait(), .result = {}, .said = {}};
    EXPECT_NE(reading.exit_code, -1) << words[0] << " was killed: " << command.err();
    for (std::string line : support::lines_of(command.err())) {
      reading.said.insert(without(std::move(line), folder_.path().string()));
    }
    reading.result = command.out();
    return reading;
  }

  // Returns what each reader makes of the directory.
  std::map<std::string, DamageReading> read_all(const std::string& copy) const {
    std::map<std::string, DamageReading> readings;
    const auto out = [this](const std::string& name) { return folder_.file("out/" + name); };
    fs::remove_all(folder_.file("out"));
    fs::create_directories(folder_.file("out"));
    DamageReading& exported = readings["export"];
    exported = run({"job", "export", copy, "--jsonl", out("pages"), "--sqlite", out("db"),
                    "--markdown", out("markdown"), "--mirror", out("mirror")});
    exported.result = file_content(out("pages")) + rows_of(out("db")) + tree_of(out("markdown")) +
                      tree_of(out("mirror"));
    readings["list"] = run({"job", "list", copy});
    readings["status"] = run({"job", "status", "--json", copy});
    readings["index"] = run({"index", copy, "-o", out("search.db")});
    readings["serve"] = serve(copy);
    return readings;
  }

  // What the dashboard and the replay show.
  static DamageReading serve(const std::string& copy) {
    DamageReading reading;
    auto collection = captures::Collection::open({copy});
    if (!collection) {
      return {.exit_code = 1, .result = {}, .said = {collection.error().message()}};
    }
    (*collection)->update(true);
    std::vector<captures::Capture> captures;
    (*collection)->read([&](const auto& archives, const captures::CaptureIndex& index) {
      if (archives[0].damage + archives[0].job_damage > 0) reading.said.insert("damage");
      if (!archives[0].failure.empty()) reading.said.insert(archives[0].failure);
      reading.result = archives[0].state;
      for (const auto& [key, entry] : index.entries()) {
        reading.result += key + (entry.fetched ? entry.fetched->title : "") + "\n";
        captures.insert(captures.end(), entry.captures.begin(), entry.captures.end());
      }
      return 0;
    });
    for (const captures::Capture& capture : captures) {
      const auto answer = (*collection)->answer_of(capture);
      if (!answer || !answer->is_whole) reading.said.insert("broken " + capture.url);
      if (answer) reading.result += capture.url + "\n" + std::string(answer->body.text()) + "\n";
    }
    return reading;
  }

  // The URLs of the directory and how they ended, after a command that writes there. The command
  // must not lose one.
  DamageReading write(const std::vector<std::string>& words, const std::string& at) const {
    DamageReading reading = run(words);
    const DamageReading list = run({"job", "export", at, "--jsonl", "-"});
    std::set<std::string> pages;
    for (const std::string& line : support::lines_of(list.result)) {
      const Json record = Json::parse(line);
      pages.insert(record["url"].get<std::string>() + " " + record["status"].dump());
    }
    reading.result.clear();
    for (const std::string& page : pages) reading.result += page + "\n";
    if (list.exit_code != 0) reading.said.insert(list.said.begin(), list.said.end());
    return reading;
  }

  std::string fresh_copy(const std::string& name) const {
    const std::string copy = folder_.file(name);
    fs::remove_all(copy);
    fs::create_directories(copy);
    const std::string at = copy + "/.crawl";
    fs::copy(job(), at, fs::copy_options::recursive);
    fs::permissions(at + "/tables", fs::perms::owner_all);
    return at;
  }

  DamageReading resume(const std::string& at) const {
    return write({"resume", at, "--", "-o", "/dev/null"}, at);
  }
  DamageReading mirror(const std::string& at) const {
    return write({"mirror", server_.url("/"), fs::path(at).parent_path(), "--", "--no-proxy"}, at);
  }

  // Returns a description.
  std::string damage(const std::string& at, std::uint64_t number) {
    base::Random random(number);
    const std::string name = files_[number % files_.size()];
    const std::string path = at + "/" + name;
    std::string content = file_content(path);
    const std::size_t place = content.empty() ? 0 : random.below(content.size());
    std::string what;
    switch (number / files_.size() % 4) {
      case 0:
        what = "flip";
        if (!content.empty())
          content[place] = static_cast<char>(content[place] ^ (1 << random.below(8)));
        break;
      case 1:
        what = "cut";
        content.resize(place);
        break;
      case 2: fs::remove(path); return "delete " + name;
      default: {
        what = "zero";
        const std::size_t length = random.below(content.size() - place + 1);
        std::fill_n(content.begin() + static_cast<std::ptrdiff_t>(place), length, '\0');
      }
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
    return what + " " + name + " at " + std::to_string(place);
  }

  TestFolder folder_;
  SiteThread server_;
  std::vector<std::string> files_;
};

TEST_F(CrawlDamageTest, IsNeverSilent) {
  const std::string whole = fresh_copy("whole");
  const auto readings = read_all(whole);
  for (const auto& [name, reading] : readings) EXPECT_FALSE(reading.result.empty()) << name;
  const DamageReading resumed = resume(fresh_copy("resumed"));
  const DamageReading mirrored = mirror(fresh_copy("mirrored"));
  EXPECT_EQ(resumed.result, mirrored.result);
  const auto cases = static_cast<std::uint64_t>(
      number_or("GOSSAMER_DAMAGES", support::is_long_suite() ? 500 : 4 * files_.size()));
  std::size_t reported = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const std::string copy = fresh_copy("copy");
    const std::string what = "case " + std::to_string(i) + ": " + damage(copy, i);
    for (const auto& [name, reading] : read_all(copy)) {
      EXPECT_FALSE(reading.is_silent_about(readings.at(name))) << name << " after " << what;
      if (reading.exit_code == kDamaged) ++reported;
    }
    const std::string other = fresh_copy("other");
    damage(other, i);
    EXPECT_FALSE(resume(copy).is_silent_about(resumed)) << "resume after " << what;
    EXPECT_FALSE(mirror(other).is_silent_about(mirrored)) << "mirror after " << what;
  }
  EXPECT_GT(reported, cases / 4);
}

TEST_F(CrawlDamageTest, IsRepairedFromTheArchive) {
  const std::string copy = fresh_copy("repaired");
  const DamageReading whole = run({"job", "export", copy, "--jsonl", "-"});
  for (const auto& entry : fs::directory_iterator(copy + "/tables")) {
    if (entry.path().extension() == ".sst") fs::remove(entry.path());
  }
  EXPECT_EQ(run({"job", "export", copy, "--jsonl", "-"}).exit_code, kDamaged);
  EXPECT_EQ(run({"resume", copy}).exit_code, kDamaged);
  EXPECT_EQ(run({"job", "repair", copy}).exit_code, 1) << "the archive does not have everything";
  const DamageReading repaired = run({"job", "export", copy, "--jsonl", "-"});
  EXPECT_EQ(repaired.exit_code, 0);
  std::map<std::string, Json> before;
  for (const std::string& line : support::lines_of(whole.result)) {
    Json record = Json::parse(line);
    const std::string url = record["url"];
    before[url] = std::move(record);
  }
  std::size_t pages = 0;
  for (const std::string& line : support::lines_of(repaired.result)) {
    const Json record = Json::parse(line);
    const Json& same = before[record["url"]];
    for (const char* field :
         {"status", "mime", "charset", "bytes", "digest", "title", "next_url"}) {
      EXPECT_EQ(record[field], same[field]) << field << " of " << record["url"];
    }
    ++pages;
  }
  EXPECT_EQ(pages, before.size());
  EXPECT_EQ(run({"job", "repair", copy}).exit_code, 0) << "nothing is damaged any more";
  EXPECT_EQ(resume(copy).result, resume(fresh_copy("resumed")).result);
}

// A killed crawl has no seal.
class KilledCrawlDamageTest : public CrawlDamageTest {
 protected:
  KilledCrawlDamageTest() : slow_(plain_site(200, std::chrono::milliseconds(2))) {
    CommandRun crawl(words());
    wait_for_requests(slow_, 100);
    crawl.send_signal(SIGKILL);
    EXPECT_EQ(crawl.wait(), -1) << crawl.err();
    for (const auto& entry : fs::directory_iterator(killed() + "/tables")) {
      if (entry.path().extension() == ".log") log_ = entry.path();
    }
  }

  std::string killed() const { return folder_.file("killed"); }
  std::vector<std::string> words() const {
    return crawl_words({"-j", killed(), "-q", "--no-progress", "-o", "/dev/null", slow_.url("/")});
  }
  void cut_log(std::uint64_t per_cent) const {
    fs::resize_file(log_, fs::file_size(log_) * per_cent / 100);
  }
  DamageReading export_killed() const { return run({"job", "export", killed(), "--jsonl", "-"}); }

  SiteThread slow_;
  fs::path log_;
};

TEST_F(KilledCrawlDamageTest, TheEndOfTheLogIsMissed) {
  EXPECT_EQ(export_killed().exit_code, 0) << "a kill loses nothing";
  cut_log(80);
  for (const auto& [name, reading] : read_all(killed())) {
    if (name != "index") EXPECT_FALSE(reading.said.empty()) << name;
    if (name == "export" || name == "list" || name == "status") {
      EXPECT_EQ(reading.exit_code, kDamaged) << name;
    }
  }
  CommandRun again(words());
  EXPECT_EQ(again.wait() & ~8, 0);
  EXPECT_THAT(again.err(), testing::HasSubstr("tables have lost their last"));
  const DamageReading after = export_killed();
  EXPECT_EQ(after.exit_code, 0);
  EXPECT_EQ(support::lines_of(after.result).size(), 200U);
}

TEST_F(KilledCrawlDamageTest, TheEndOfTheLogIsRebuiltFromTheArchive) {
  const std::size_t pages = support::lines_of(export_killed().result).size();
  cut_log(30);
  EXPECT_EQ(run({"job", "repair", killed()}).exit_code, 1);
  const DamageReading after = export_killed();
  EXPECT_EQ(after.exit_code, 0);
  EXPECT_GE(support::lines_of(after.result).size(), pages);
}

// A change of the tables fails, each in turn.
TEST_F(CrawlDamageTest, AFailedWriteEndsTheCrawlAndTheNextRunFinishesIt) {
  if (support::kIsSanitized) GTEST_SKIP() << "the sanitizer must be the first library";
  const std::string at = folder_.file("failing");
  const std::vector<std::string> words =
      crawl_words({"-j", at, "-q", "--no-progress", "-o", "/dev/null", server_.url("/")});
  const auto crawl_with_failure = [&](std::uint64_t change, int error) {
    CommandRun run(
        words, {},
        {.environment = {"LD_PRELOAD=" + support::build_path("tests/end_to_end/libfailing_disk.so"),
                         "FAILING_PATH=/tables/", "FAILING_CHANGE=" + std::to_string(change),
                         "FAILING_ERRNO=" + std::to_string(error),
                         "FAILING_COUNT=" + folder_.file("count")}});
    const int exit_code = run.wait();
    EXPECT_NE(exit_code, -1) << "change " << change << ", error " << error << ": " << run.err();
    if (exit_code == 3) EXPECT_FALSE(run.err().empty());
    return exit_code;
  };
  const int whole = crawl_with_failure(0, 0);
  const auto changes = std::stoul(file_content(folder_.file("count")));
  EXPECT_GT(changes, 50);
  const DamageReading pages = run({"job", "export", at, "--jsonl", "-"});
  const std::uint64_t step = support::is_long_suite() ? 1 : 1 + changes / 12;
  for (const int error : {ENOSPC, EIO}) {
    for (std::uint64_t change = 1; change <= changes; change += step) {
      fs::remove_all(at);
      const int exit_code = crawl_with_failure(change, error);
      EXPECT_TRUE(exit_code == 3 || exit_code == whole) << change << ": " << exit_code;
      CommandRun again(words);
      EXPECT_EQ(again.wait(), whole) << change << ": " << again.err();
      const DamageReading after = run({"job", "export", at, "--jsonl", "-"});
      EXPECT_EQ(after.exit_code, 0) << change;
      EXPECT_EQ(support::lines_of(after.result).size(), support::lines_of(pages.result).size());
    }
  }
}

TEST_F(CrawlDamageTest, ALimitOfTheProcessEndsItWithAMessage) {
  if (support::kIsSanitized) GTEST_SKIP() << "sanitizers need the memory";
  for (const std::string limit : {"ulimit -f 1", "ulimit -v 150000", "ulimit -v 250000"}) {
    const std::string at = folder_.file("limited");
    fs::remove_all(at);
    const std::string command = limit + "; exec " + support::gossamer_program() +
                                " crawl --no-proxy -q -j " + at + " --no-progress -o /dev/null " +
                                server_.url("/");
    CommandRun limited({"-c", command}, {}, {.program = "/bin/bash"});
    const int exit_code = limited.wait();
    EXPECT_TRUE(exit_code > 0 && exit_code < 128) << limit << ": " << exit_code << limited.err();
    if (exit_code != 8) EXPECT_FALSE(limited.err().empty()) << limit;
    EXPECT_EQ(
        crawl({"-j", at, "-q", "--no-progress", "-o", "/dev/null", server_.url("/")}).exit_code, 8)
        << limit;
  }
}

}  // namespace
}  // namespace gossamer::cli
