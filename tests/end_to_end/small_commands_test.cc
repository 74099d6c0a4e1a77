// Tests the messages and exit codes of the small commands.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/command_run.h"
#include "tests/support/server_program.h"

namespace gossamer::support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(LinksCommand, PrintsLinksAsTheyStandWithoutABase) {
  const TestFolder folder;
  const std::string page =
      folder.write("a.html", "<a href=#x></a><a href=b></a><a href=http://c.example></a>");
  CommandRun run({"inspect", "links", page});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_THAT(run.out_lines(), ElementsAre("page\ta.href\t#x", "page\ta.href\tb",
                                           "page\ta.href\thttp://c.example/"));
  CommandRun based({"inspect", "links", "-"},
                   {.input = "<base href=http://d.example/e/><a href=#x></a>"});
  EXPECT_EQ(based.wait(), 0);
  EXPECT_THAT(based.out_lines(), ElementsAre("page\ta.href\thttp://d.example/e/#x"));
}

TEST(RobotsCommand, FailsIfAUrlIsDisallowed) {
  const TestFolder folder;
  const std::string robots = folder.write("robots.txt", "User-agent: *\nDisallow: /no\n");
  EXPECT_EQ(CommandRun({"inspect", "robots", robots, "http://a.example/yes"}).wait(), 0);
  EXPECT_EQ(CommandRun({"inspect", "robots", robots, "http://a.example/yes", "http://a.example/no"})
                .wait(),
            1);
}

TEST(WarcCheck, FailsIfThereIsNoRecord) {
  const TestFolder folder;
  CommandRun run({"warc", "check", folder.write("empty.warc", "")});
  EXPECT_EQ(run.wait(), 1);
  EXPECT_THAT(run.err(), HasSubstr("the archive has no records"));
}

TEST(Doctor, SaysWhetherTheConnectionsArePossible) {
  CommandRun possible({"doctor", "10"});
  EXPECT_EQ(possible.wait(), 0);
  EXPECT_THAT(possible.out(), HasSubstr("10 connections are possible"));
  EXPECT_THAT(possible.out(), HasSubstr("\nrendering   "));
  CommandRun impossible({"doctor", "100000000000"});
  EXPECT_EQ(impossible.wait(), 1);
  EXPECT_THAT(impossible.out(), HasSubstr("were requested"));
}

TEST(Changes, SaysThatNothingWasRefreshed) {
  const TestFolder folder;
  const std::string job = folder.file("job");
  CommandRun crawl({"crawl", "http://127.0.0.1:1/", "-j", job, "-q", "-t", "1", "-o", "/dev/null"});
  crawl.wait();
  CommandRun run({"job", "changes", job});
  EXPECT_EQ(run.wait(), 0) << run.err();
  EXPECT_THAT(run.out(), HasSubstr("has not been refreshed yet"));
  CommandRun json({"job", "changes", job, "--json"});
  EXPECT_EQ(json.wait(), 0);
  EXPECT_EQ(json.out(), "");
}

TEST(Check, SaysThatAFolderDoesNotExist) {
  const TestFolder folder;
  CommandRun run({"check", "docs/"}, {}, {.folder = folder.path()});
  EXPECT_EQ(run.wait(), 1);
  EXPECT_EQ(run.err(),
            "gossamer check: docs/ does not exist; write http://docs/ if it is a host\n");
}

TEST(Help, OfHelpListsTheCommands) {
  CommandRun run({"help", "help"});
  EXPECT_EQ(run.wait(), 0);
  EXPECT_THAT(run.out(), HasSubstr("Usage: gossamer COMMAND"));
  CommandRun unknown({"help", "xylophone"});
  EXPECT_EQ(unknown.wait(), 2);
  EXPECT_THAT(unknown.err(), HasSubstr("gossamer: unknown command 'xylophone'"));
  CommandRun no_command({"http://127.0.0.1:1/"});
  EXPECT_EQ(no_command.wait(), 2);
  EXPECT_THAT(no_command.err(), HasSubstr("use `gossamer crawl http://127.0.0.1:1/`"));
  CommandRun only_flag({"-r"});
  EXPECT_EQ(only_flag.wait(), 2);
  EXPECT_THAT(only_flag.err(), HasSubstr("a command comes before -r"));
}

TEST(Option, IsSuggestedOnlyIfItIsLikeTheOneTyped) {
  CommandRun unlike({"crawl", "http://a.example/", "--foo"});
  EXPECT_EQ(unlike.wait(), 2);
  EXPECT_THAT(unlike.err(), Not(HasSubstr("did you mean")));
  CommandRun alike({"crawl", "http://a.example/", "--dpeth", "1"});
  EXPECT_EQ(alike.wait(), 2);
  EXPECT_THAT(alike.err(), HasSubstr("did you mean --depth?"));
}

}  // namespace
}  // namespace gossamer::support
