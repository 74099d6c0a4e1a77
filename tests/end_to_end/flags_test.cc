// Runs every flag of every command at least once: flags.txt has a row for each, with an effect that
// appears with the flag and not without it.
//
// Help texts are compared with files in golden/. After an intended change:
//   GOSSAMER_UPDATE_GOLDEN=1 ctest -R end_to_end_flags

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/version.h"
#include "cli/command.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using support::CommandRun;
using support::file_content;
using support::has;

const std::string kGolden = support::source_path("tests/end_to_end/golden");
constexpr int kRunsAtOnce = 4;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + separator.size();
  }
  return parts;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words = split(text, " ");
  std::erase_if(words, [](const std::string& word) { return word.empty() || word == "-"; });
  for (std::string& word : words) std::ranges::replace(word, '~', ' ');
  return words;
}

// --- help texts

std::string with_version_hidden(std::string text) {
  const std::string version = base::kVersion;
  for (std::size_t at = 0; (at = text.find(version, at)) != std::string::npos;) {
    text.replace(at, version.size(), "VERSION");
  }
  return text;
}

// The first lines that differ, as a diff shows them.
std::string difference(const std::string& wanted, const std::string& got) {
  const std::vector<std::string> before = support::lines_of(wanted);
  const std::vector<std::string> after = support::lines_of(got);
  std::string shown;
  std::size_t lines = 0;
  const std::set<std::string> old(before.begin(), before.end());
  const std::set<std::string> fresh(after.begin(), after.end());
  for (const std::string& line : before) {
    if (!fresh.contains(line) && ++lines < 20) shown += "- " + line + "\n";
  }
  for (const std::string& line : after) {
    if (!old.contains(line) && ++lines < 20) shown += "+ " + line + "\n";
  }
  return shown.empty() ? "the same lines in another order\n" : shown;
}

// Of all commands, and of all actions of groups.
void add_helps(CommandList list, std::vector<std::vector<std::string>>& helps) {
  for (const Command* command : list) {
    helps.push_back(words_of("help " + std::string(command->name)));
    add_helps(command->actions, helps);
  }
}

TEST(HelpTest, IsWhatTheFilesSay) {
  std::vector<std::vector<std::string>> helps = {{"help"}};
  add_helps(commands(), helps);
  const bool is_update = std::getenv("GOSSAMER_UPDATE_GOLDEN") != nullptr;
  if (is_update) std::filesystem::create_directories(kGolden);
  std::set<std::string> names;
  for (const std::vector<std::string>& words : helps) {
    CommandRun run(words);
    EXPECT_EQ(run.wait(), 0) << run.err();
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : "_") + word;
    names.insert(name + ".txt");
    const std::string path = kGolden + "/" + name + ".txt";
    const std::string got = with_version_hidden(run.out());
    if (is_update) std::ofstream(path) << got;
    const std::string wanted = file_content(path);
    EXPECT_TRUE(got == wanted) << "the help of '" << name << "' is not that of " << path << ":\n"
                               << difference(wanted, got)
                               << "If that is meant: GOSSAMER_UPDATE_GOLDEN=1 ctest -R "
                                  "end_to_end_flags, and look at the diff.";
  }
  for (const auto& file : std::filesystem::directory_iterator(kGolden)) {
    const std::string name = file.path().filename().string();
    if (is_update && !names.contains(name)) std::filesystem::remove(file.path());
    EXPECT_TRUE(names.contains(name) || is_update) << name << " is the help of no command";
  }
}

TEST(HelpTest, IsTheSameBehindTheCommand) {
  for (const char* name : {"crawl", "fetch", "init"}) {
    CommandRun one({"help", name});
    CommandRun other({name, "--help"});
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(other.wait(), 0);
    EXPECT_EQ(one.out(), other.out());
  }
  CommandRun unknown({"help", "crwal"});
  EXPECT_EQ(unknown.wait(), 2);
  EXPECT_TRUE(has(unknown.err(), "did you mean 'crawl'?")) << unknown.err();
}

// --- the table

// COMMAND[,COMMAND...] | FLAG | WORDS | WORDS OF THE FLAG | WHAT HOLDS
struct FlagRow {
  std::string command;
  std::string flag;
  std::vector<std::string> words;
  std::vector<std::string> flag_words;
  std::vector<std::string> holds;  // "out", "has", "text"
  std::string line;
};

std::vector<FlagRow> read_rows() {
  std::vector<FlagRow> rows;
  for (const std::string& line :
       support::lines_of(file_content(support::source_path("tests/end_to_end/flags.txt")))) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string> columns = split(line, " | ");
    EXPECT_EQ(columns.size(), 5u) << "flags.txt: " << line;
    if (columns.size() != 5) continue;
    for (const std::string& command : split(columns[0], ",")) {
      rows.push_back({command, columns[1], words_of(columns[2]), words_of(columns[3]),
                      words_of(columns[4]), line});
    }
  }
  return rows;
}

TEST(FlagsTest, EveryFlagHasARow) {
  std::set<std::pair<std::string, std::string>> known;
  for (const FlagRow& row : read_rows()) known.emplace(row.command, row.flag);
  std::set<std::pair<std::string, std::string>> declared;
  for (const Command* command : commands()) {
    for (const options::CommandTable& table : tables_of(*command)) {
      for (const options::Option& option : table.options) {
        if (option.is_word()) continue;
        bool is_known = false;
        for (const std::string& name : option.names) {
          declared.emplace(table.name, name);
          is_known = is_known || known.contains({table.name, name});
        }
        EXPECT_TRUE(is_known) << "flag " << option.names.back() << " of " << table.name
                              << " has no row in tests/end_to_end/flags.txt";
      }
    }
  }
  for (const auto& [command, flag] : known) {
    EXPECT_TRUE(declared.contains({command, flag}))
        << "tests/end_to_end/flags.txt: " << command << " has no flag " << flag;
  }
}

class FlagsRunTest : public testing::Test {
 protected:
  struct Outcome {
    int exit_code = -1;
    std::string out;
    std::string err;
    std::string screen;
    std::filesystem::path folder;
    std::string run;  // its name in the paths of the site
  };

  void SetUp() override {
    if (!support::is_installed(support::kPython) || !support::is_installed(support::kOpenssl)) {
      GTEST_SKIP() << "python3 and openssl are not installed";
    }
    make_certificate();
    port_ = support::free_port();
    tls_port_ = support::free_port();
    mutual_port_ = support::free_port();
    http2_port_ = support::free_port();
    site_ = std::make_unique<support::Program>(
        std::vector<std::string>{
            support::kPython, support::source_path("tests/end_to_end/flag_site.py"),
            data_.file("heard"), std::to_string(port_), std::to_string(tls_port_),
            std::to_string(mutual_port_), data_.file("cert.pem"), data_.file("key.pem"),
            std::to_string(http2_port_)},
        data_.file("site.err"));
    ASSERT_TRUE(site_->wait_until_listening(port_));
    ASSERT_TRUE(site_->wait_until_listening(mutual_port_));
    ASSERT_TRUE(site_->wait_until_listening(http2_port_));
    write_data();
    control_ = std::make_unique<support::Program>(
        std::vector<std::string>{support::gossamer_program(), "crawl", "--no-config", "--no-proxy",
                                 "-q", "--no-robots", site("control") + "/hang", "--read-timeout",
                                 "1h", "--control", data_.file("control")},
        data_.file("control.err"));
    support::wait_until([&] { return has(heard_of("control"), "hang"); });
  }

  // What the rows use, beside the site.
  void write_data() const {
    data_.write("page.html",
                "<title>T</title><meta name=description content=D><p>x<a href=u rel=next>t</a>"
                "<img src=i><script>var u='/from/script.html'</script>");
    data_.write("fields.toml", "[extract]\nkind = 'title'\n");
    std::string paragraph = "<p>A sentence, with commas, and <a href=/more>a link</a> in it, ";
    for (int i = 0; i < 10; ++i) paragraph += "and more words, ";
    data_.write("article.html", "<nav>Menu</nav><article><h2>Heading</h2>" + paragraph + "</p>" +
                                    paragraph + "<img src=kettle.png alt=Kettle></p></article>");
    data_.write("table.html", "<article>" + paragraph + "</p>" + paragraph +
                                  "<table><tr><th>a<th>b<tr><td>c<td><pre>d\ne</pre></table>");
    data_.write("latin.html", "<a href='?\xE4'>\xE4</a><h1>\xE4</h1>");
    data_.write("linked.html", "<link rel=canonical href=c>");
    data_.write("robots.txt", "User-agent: other\nDisallow: /\n");
    data_.write("urls.txt", site("list") + "/a.html\n");
    data_.write("netrc", "machine 127.0.0.1 login jan password hunter2\n");
    data_.write(".netrc", "machine 127.0.0.1 login jan password hunter2\n");
    data_.write("cookies.txt", "127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t7\n");
    data_.write("config.toml",
                "[crawl]\nuser-agent = \"ByFile/1\"\n[check]\nuser-agent = "
                "\"ByFile/1\"\n");
    data_.write("token", std::string(32, 'a'));
    data_.write("marked.md",
                "[m](mailto:nobody) [[Not here]] `https://code.invalid/` "
                "[r](https://remapped.invalid/b.html)\n");
    data_.write("broken.md", "[a](missing.md)\n");
    data_.write("known.json",
                "{\"schema\": 1, \"findings\": [\n{\"kind\": \"broken\", \"url\": \"" +
                    data_.file("missing.md") + "\"}\n]}\n");
    data_.write("rooted.html", "<a href=/page.html>x</a>");
    CommandRun archive({"crawl", "--no-config", "--no-proxy", "-q", site("archive") + "/gz",
                        "--warc-file", data_.file("w")});
    EXPECT_EQ(archive.wait(), 0) << archive.err();
    CommandRun job({"crawl", "--no-config", "--no-proxy", "-q", site("job") + "/small", "--job",
                    data_.file("job")});
    EXPECT_EQ(job.wait(), 0) << job.err();
    std::vector<std::string> words = {"crawl", "--no-config",           "--no-proxy",       "-q",
                                      "--job", data_.file("refreshed"), site("job") + "/ad"};
    CommandRun first(words);
    EXPECT_EQ(first.wait(), 0) << first.err();
    words.push_back("--refresh");
    CommandRun second(words);
    EXPECT_EQ(second.wait(), 0) << second.err();
    for (const char* const name : {"job", "refreshed"}) {
      CommandRun index({"index", data_.file(name)});
      EXPECT_EQ(index.wait(), 0) << index.err();
    }
  }

  void make_certificate() const {
    support::Program made(
        {support::kOpenssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-keyout", data_.file("key.pem"), "-out", data_.file("cert.pem"),
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"},
        data_.file("openssl.err"));
    EXPECT_EQ(made.wait_for_end(), 0) << file_content(data_.file("openssl.err"));
  }

  std::string site(const std::string& run) const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/" + run;
  }

  std::filesystem::path folder_of(const std::string& run) const {
    return data_.path() / ("run_" + run);
  }

  std::string filled_in(std::string word, const std::string& run) const {
    const std::map<std::string, std::string> places = {
        {"{site}", site(run)},
        {"{data}", data_.path().string()},
        {"{port}", std::to_string(port_)},
        {"{run}", run},
        {"{finished}", (folder_of(run) / "finished").string()},
        {"{tls}", "https://127.0.0.1:" + std::to_string(tls_port_) + "/" + run},
        {"{mutual}", "https://127.0.0.1:" + std::to_string(mutual_port_) + "/" + run},
        {"{http2}", "https://127.0.0.1:" + std::to_string(http2_port_) + "/" + run}};
    for (const auto& [name, value] : places) {
      for (std::size_t at = 0; (at = word.find(name)) != std::string::npos;) {
        word.replace(at, name.size(), value);
      }
    }
    return word;
  }

  Outcome run(const FlagRow& row, const std::string& name, bool has_flag) const {
    Outcome outcome;
    outcome.run = name;
    outcome.folder = folder_of(name);
    std::filesystem::create_directories(outcome.folder);
    std::vector<std::string> words = words_of(row.command);
    for (const std::string& word : row.words) words.push_back(filled_in(word, name));
    for (const std::string& word : row.flag_words) {
      if (has_flag) words.push_back(filled_in(word, name));
    }
    if (has(row.line, "{finished}")) {
      std::filesystem::copy(data_.file("job"), outcome.folder / "finished",
                            std::filesystem::copy_options::recursive);
    }
    if (row.holds.at(0) == "screen") {
      outcome.screen = on_a_terminal(words, outcome.folder, filled_in(row.holds.at(2), name));
      return outcome;
    }
    CommandRun program(words, CommandRun::Streams(),
                       {.folder = outcome.folder.string(),
                        .environment = {"HOME=" + data_.path().string(), "FLAG_SECRET=hunter2",
                                        "http_proxy=", "https_proxy=", "all_proxy="}});
    outcome.exit_code = program.wait();
    outcome.out = program.out();
    outcome.err = program.err();
    return outcome;
  }

  // What the program writes there until it has written that text, or ends. It runs in the
  // foreground, whatever shell `script` starts: a terminal stops background processes that change
  // its settings.
  static std::string on_a_terminal(const std::vector<std::string>& words,
                                   const std::filesystem::path& folder, const std::string& text) {
    std::string line = "TERM=xterm exec " + support::gossamer_program();
    for (const std::string& word : words) line += " '" + word + "'";
    const std::string written = (folder / "screen").string();
    CommandRun terminal({"-qefc", "cd " + folder.string() + "; " + line, written},
                        CommandRun::Streams(), {.program = "/usr/bin/script"});
    support::wait_until([&] { return terminal.has_ended() || has(file_content(written), text); });
    return file_content(written);
  }

  // The records of the archive that a run made.
  static std::string records_in(const std::filesystem::path& folder) {
    CommandRun list({"warc", "ls", (folder / "w-00001.warc.gz").string()});
    list.wait();
    return list.out();
  }

  // The requests of one run.
  std::string heard_of(const std::string& run) const {
    std::string heard;
    for (const std::string& line : support::lines_of(file_content(data_.file("heard")))) {
      if (has(line, "/" + run + "/") || has(line, "/" + run + "\"")) heard += line + "\n";
    }
    return heard;
  }

  bool holds(const std::vector<std::string>& wanted, const Outcome& outcome) const {
    const std::string& what = wanted.at(0);
    if (what == "exit") return std::to_string(outcome.exit_code) == wanted.at(1);
    if (what == "lines") {
      return std::to_string(support::lines_of(outcome.out).size()) == wanted.at(1);
    }
    std::size_t at = 1;
    std::string text;
    if (what == "out") text = outcome.out;
    if (what == "err") text = outcome.err;
    if (what == "screen") text = outcome.screen;
    if (what == "heard") text = heard_of(outcome.run);
    if (what == "warc") text = records_in(outcome.folder);
    if (what == "file") {
      const std::filesystem::path path = outcome.folder / filled_in(wanted.at(at++), outcome.run);
      if (wanted.at(at) == "exists") return std::filesystem::exists(path);
      text = file_content(path.string());
    }
    const bool is_there = has(text, filled_in(wanted.at(at + 1), outcome.run));
    return wanted.at(at) == "has" ? is_there : !is_there;
  }

  // What is wrong with a row; empty: nothing.
  std::string check(const FlagRow& row, std::size_t number) const {
    const std::vector<std::string>& wanted = row.holds;
    const Outcome with = run(row, "w" + std::to_string(number), true);
    if (!holds(wanted, with)) {
      return "does not hold:\n  " + row.command + " | " + row.line + "\n  exit code " +
             std::to_string(with.exit_code) + "\n" + with.err.substr(0, 600) + "\n" +
             with.out.substr(0, 600);
    }
    const Outcome without = run(row, "n" + std::to_string(number), false);
    if (!holds(wanted, without)) return {};
    return "holds without the flag, too:\n  " + row.command + " | " + row.line + "\n";
  }

  support::TestFolder data_;
  std::uint16_t port_ = 0;
  std::uint16_t tls_port_ = 0;
  std::uint16_t mutual_port_ = 0;
  std::uint16_t http2_port_ = 0;
  std::unique_ptr<support::Program> site_;
  std::unique_ptr<support::Program> control_;
};

// --- the commands of the README

// Commands of the script ./gossamer, not of the program.
bool is_of_script(const std::string& word) {
  static const std::set<std::string> kWords = {"test",   "bench",   "fuzz",  "train",  "build",
                                               "format", "package", "wheel", "release"};
  return kWords.contains(word);
}

// The text after each "gossamer " or "./gossamer " in back quotes.
std::vector<std::string> readme_commands() {
  std::vector<std::string> found;
  for (const std::string& line :
       support::lines_of(file_content(support::source_path("README.md")))) {
    for (const std::string start : {"`gossamer ", "`./gossamer "}) {
      for (std::size_t at = 0; (at = line.find(start, at)) != std::string::npos;) {
        at += start.size();
        found.push_back(trimmed(line.substr(at, std::min(line.find('`', at), line.size()) - at)));
      }
    }
  }
  return found;
}

TEST(ReadmeTest, SpeaksOfCommandsThatThereAre) {
  std::set<std::string> names = {"help", "version"};
  for (const Command* command : commands()) names.emplace(command->name);
  for (const std::string& text : readme_commands()) {
    const std::string name = words_of(text).at(0);
    EXPECT_TRUE(names.contains(name) || is_of_script(name)) << "README.md: ./gossamer " << text;
  }
}

TEST_F(FlagsRunTest, EveryRowHoldsBecauseOfItsFlag) {
  std::vector<FlagRow> rows = read_rows();
  // For those who work on one: GOSSAMER_FLAG=--depth.
  if (const char* const only = std::getenv("GOSSAMER_FLAG")) {
    std::erase_if(rows, [only](const FlagRow& row) { return row.flag != only; });
  }
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::vector<std::string> problems;
  std::vector<std::thread> threads;
  for (int i = 0; i < kRunsAtOnce; ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = 0; (at = next++) < rows.size();) {
        const std::string problem = check(rows[at], at);
        const std::scoped_lock lock(mutex);
        if (!problem.empty()) problems.push_back(problem);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& problem : problems) ADD_FAILURE() << problem;
}

}  // namespace
}  // namespace gossamer::cli
