// Tests every command with a standard output that cannot be written: a full disk, a closed pipe,
// and none at all. Each ends with exit code 3 and says why.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "tests/support/command_run.h"
#include "tests/support/patience.h"
#include "tests/support/places.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

using support::CommandRun;
using support::TestFolder;

using Words = std::vector<std::string>;

// A descriptor that is closed at the end.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { close(descriptor_); }

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

int open_full() { return open("/dev/full", O_WRONLY | O_CLOEXEC); }

int open_unread_pipe() {
  int ends[2] = {};
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  return ends[1];
}

// Opened for reading only: as if it were closed, for what is written to it.
int open_closed() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

// "WARC/1.1" with one record.
std::string archive() {
  return "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\n"
         "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
         "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: text/plain\r\n"
         "Content-Length: 5\r\n\r\nhello\r\n\r\n";
}

// A site, a crawl of it, and files.
class Subjects {
 public:
  Subjects() {
    folder_.write("page.html", "<title>a</title><a href=#b>b</a><p id=b>");
    folder_.write("robots.txt", "User-agent: *\nDisallow: /no\n");
    folder_.write("a.warc", archive());
    support::wait_until([this] { return server_.out().contains(" ("); });
    const std::string line = server_.out();
    const std::size_t begin = line.find("http://");
    site_ = line.substr(begin, line.find(' ', begin) - begin);
    CommandRun crawl(
        {"crawl", site_, "-j", job(), "-o", folder_.file("r.jsonl"), "-q", "--limit", "3"});
    EXPECT_GE(crawl.wait(), 0) << crawl.err();
  }

  std::string job() const { return folder_.file("job"); }

  // At least one line for every command, and for every action of one.
  std::vector<Words> command_lines() const {
    const std::string page = folder_.file("page.html");
    const std::string robots = folder_.file("robots.txt");
    const std::string results = folder_.file("r.jsonl");
    const std::string warc = folder_.file("a.warc");
    return {{"crawl", site_, "-q"},
            {"crawl", "--list-fields"},
            {"crawl", "--print-config", site_},
            {"check", "-q", page},
            {"check", "--format", "json", page},
            {"demo", "--pages", "30"},
            {"serve", "--help"},
            {"mirror", site_, folder_.file("copy")},
            {"job", "status", job()},
            {"job", "status", job(), "--json"},
            {"resume", "--help"},
            {"job", "list", job()},
            {"job", "changes", job()},
            {"job", "changes", "--help"},
            {"job", "export", job(), "--jsonl", "-"},
            {"job", "export", "--help"},
            {"job", "why", results, site_},
            {"job", "repair", job()},
            {"fetch", site_},
            {"fetch", site_, "-i"},
            {"fetch", site_, "--json"},
            {"inspect", "links", page},
            {"inspect", "links", page, "--json"},
            {"inspect", "text", page},
            {"inspect", "text", page, "--facts"},
            {"inspect", "extract", page, "title=title"},
            {"inspect", "metadata", page},
            {"inspect", "url", "parse", "http://a/"},
            {"inspect", "url", "join", "http://a/", "b"},
            {"inspect", "url", "canon", "http://a/"},
            {"inspect", "robots", robots},
            {"inspect", "robots", robots, "http://a/no"},
            {"index", warc},
            {"search", folder_.path().string(), "hello"},
            {"search", folder_.path().string(), "hello", "--json"},
            {"warc", "ls", warc},
            {"warc", "ls", "--json", warc},
            {"warc", "cat", warc},
            {"warc", "check", warc},
            {"warc", "index", warc},
            {"warc", "extract", warc, "-o", folder_.file("extracted")},
            {"warc", "--help"},
            {"init", "-"},
            {"doctor"},
            {"completions", "bash"},
            {"man"},
            {"man", "crawl"},
            {"top", "--help"},
            {"cluster", "doctor", "--help"},
            {"cluster", "status", "--help"},
            {"cluster", "pause", "--help"},
            {"cluster", "resume", "--help"},
            {"cluster", "stop", "--help"},
            {"cluster", "add", "--help"},
            {"cluster", "block", "--help"},
            {"cluster", "unblock", "--help"},
            {"cluster", "purge", "--help"},
            {"cluster", "accept", "--help"},
            {"cluster", "export", "--help"},
            {"help"},
            {"help", "crawl"},
            {"help", "warc"},
            {"version"}};
  }

 private:
  TestFolder folder_;
  CommandRun server_{{"--pages", "10"}, {}, {.program = support::site_server_program()}};
  std::string site_;
};

std::string in_words(const Words& words) {
  std::string line = "gossamer";
  for (const std::string& word : words) line += " " + word;
  return line;
}

void expect_all_fail(int (*open_output)(), const std::string& reason) {
  const Subjects subjects;
  for (const Words& words : subjects.command_lines()) {
    const Output output(open_output());
    CommandRun run(words, {.output_descriptor = output.get()});
    EXPECT_EQ(run.wait(), 3) << in_words(words) << "\n" << run.err();
    EXPECT_TRUE(run.err().contains(reason)) << in_words(words) << "\n" << run.err();
  }
}

TEST(StandardOutput, FailsEveryCommandWhenTheDiskIsFull) {
  expect_all_fail(open_full, "No space left on device");
}

TEST(StandardOutput, FailsEveryCommandWhenNobodyReadsThePipe) {
  expect_all_fail(open_unread_pipe, "Broken pipe");
}

TEST(StandardOutput, FailsEveryCommandWhenItIsClosed) {
  expect_all_fail(open_closed, "Bad file descriptor");
}

void expect_tested(const Command& command, const std::set<const Command*>& tested) {
  for (const Command* action : command.actions) expect_tested(*action, tested);
  EXPECT_TRUE(!command.actions.empty() || tested.contains(&command)) << command.name;
}

TEST(StandardOutput, IsTestedForEveryCommand) {
  std::set<const Command*> tested;
  for (const Words& words : Subjects().command_lines()) {
    tested.insert(find_command(words).command);
  }
  for (const Command* command : commands()) expect_tested(*command, tested);
}

// The failure cannot be reported anywhere, so the command ends normally.
TEST(StandardError, MayBeFull) {
  const std::string program = support::gossamer_program();
  for (const std::string words : {"links missing.html", "url parse nonsense", "warc ls missing",
                                  "robots missing", "no-such-command", "demo --pages 5"}) {
    const int status = std::system((program + " " + words + " >/dev/null 2>/dev/full").c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) < 128) << words;
  }
}

// A long list ends with the reader, not with the last record.
TEST(StandardOutput, EndsACommandThatHasMuchLeftToPrint) {
  std::string urls;
  for (int i = 0; i < 200'000; ++i) urls += "http://a/" + std::to_string(i) + "\n";
  const Output output(open_unread_pipe());
  CommandRun run({"inspect", "url", "canon", "-"},
                 {.input = urls, .output_descriptor = output.get()});
  EXPECT_EQ(run.wait(), 3) << run.err();
}

}  // namespace
}  // namespace gossamer::cli
