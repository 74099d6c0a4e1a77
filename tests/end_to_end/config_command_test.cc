// Tests configuration files, completions and manual pages.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"
#include "tests/end_to_end/crawl_run.h"
#include "tests/support/server_program.h"

namespace gossamer::cli {
namespace {

struct ConfigOutput {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class ConfigCommandTest : public testing::Test {
 protected:
  ConfigOutput run(const std::vector<std::string>& words,
                   const std::vector<std::string>& environment = {}) const {
    CommandRun program(words, CommandRun::Streams(),
                       {.folder = folder_.path().string(), .environment = environment});
    const int exit_code = program.wait();
    return {exit_code, program.out(), program.err()};
  }

  support::TestFolder folder_;
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ConfigCommandTest, ACrawlIsWhatTheFileOfItsFolderSays) {
  SiteThread thread(plain_site(8));
  folder_.write("gossamer.toml", "[crawl]\nurl = \"" + thread.url("/") +
                                     "\"\nlimit = 3\nformat = \"urls\"\nno-proxy = true\n"
                                     "quiet = true\n");
  const ConfigOutput all = run({"crawl", "--trust"});
  EXPECT_EQ(all.exit_code, kOk) << all.err;
  EXPECT_EQ(support::lines_of(all.out).size(), 3u) << all.out;
  EXPECT_EQ(support::lines_of(run({"crawl", "--trust"}, {"GOSSAMER_LIMIT=2"}).out).size(), 2u);
  EXPECT_EQ(
      support::lines_of(run({"crawl", "--trust", "--limit", "1"}, {"GOSSAMER_LIMIT=2"}).out).size(),
      1u);
}

TEST_F(ConfigCommandTest, TheUsersFileIsFoundWhereXdgSays) {
  std::filesystem::create_directory(folder_.path() / "gossamer");
  const std::string file = folder_.write("gossamer/config.toml", "[crawl]\ndelay = \"2s\"\n");
  const ConfigOutput by_xdg =
      run({"crawl", "--print-config"}, {"XDG_CONFIG_HOME=" + folder_.path().string()});
  EXPECT_EQ(by_xdg.exit_code, kOk) << by_xdg.err;
  EXPECT_TRUE(holds(by_xdg.out, "\ndelay = \"2s\"  # " + file + ":2\n")) << by_xdg.out;
  EXPECT_TRUE(holds(run({"crawl", "--print-config"}).out, "\n#delay =  # default: "));
}

TEST_F(ConfigCommandTest, AWrongFileStartsNothing) {
  folder_.write("gossamer.toml", "[crawl]\nformat = \"urls\"\ndealy = 1\n");
  const ConfigOutput said = run({"crawl", "http://127.0.0.1:1/", "-o", "results"});
  EXPECT_EQ(said.exit_code, kUsage);
  EXPECT_EQ(said.err,
            "gossamer crawl: ./gossamer.toml:3: unknown key 'dealy' in [crawl]; did you mean "
            "delay?\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.file("results")));
}

TEST_F(ConfigCommandTest, InitWritesAFileThatChangesNothing) {
  const std::string before = run({"crawl", "--print-config"}).out;
  EXPECT_EQ(run({"init"}).exit_code, kOk);
  EXPECT_TRUE(std::filesystem::exists(folder_.file("gossamer.toml")));
  EXPECT_EQ(run({"crawl", "--print-config"}).out, before);
}

TEST_F(ConfigCommandTest, InitDoesNotOverwriteUnlessForced) {
  folder_.write("gossamer.toml", "mine");
  const ConfigOutput refused = run({"init"});
  EXPECT_EQ(refused.exit_code, kUsage);
  EXPECT_TRUE(holds(refused.err, "--force")) << refused.err;
  EXPECT_EQ(support::file_content(folder_.file("gossamer.toml")), "mine");
  EXPECT_EQ(run({"init", "--force"}).exit_code, kOk);
  EXPECT_TRUE(holds(support::file_content(folder_.file("gossamer.toml")), "[crawl]"));
}

TEST_F(ConfigCommandTest, EveryDefaultThatInitShowsCanBeGiven) {
  ASSERT_EQ(run({"init"}).exit_code, kOk);
  std::string text;
  std::size_t given = 0;
  for (const std::string& line :
       support::lines_of(support::file_content(folder_.file("gossamer.toml")))) {
    const bool is_key = line.starts_with("#") && !line.starts_with("# ") && line.find(" = ") < 30;
    const std::string value = is_key ? line.substr(line.find(" = ") + 3) : "";
    // A placeholder is in capitals; everything else is the default itself.
    const bool is_placeholder = value.starts_with("\"") && (value[1] < '0' || value[1] > '9') &&
                                (value[1] < 'a' || value[1] > 'z');
    const bool is_default = is_key && !is_placeholder && !value.starts_with("\"page|");
    text += (is_default ? line.substr(1) : line) + "\n";
    given += is_default ? 1 : 0;
  }
  EXPECT_GT(given, 20u);
  folder_.write("gossamer.toml", text);
  const ConfigOutput said = run({"crawl", "--print-config"});
  EXPECT_EQ(said.exit_code, kOk) << said.err;
}

TEST_F(ConfigCommandTest, WhatIsPrintedCanBeSavedAndPrintsTheSame) {
  const std::vector<std::string> words = {"crawl",
                                          "--print-config",
                                          "--depth",
                                          "3",
                                          "--include",
                                          "a\"b\\d",
                                          "--rate",
                                          "0.5",
                                          "--quota",
                                          "10M",
                                          "--max-time",
                                          "10m",
                                          "--fields",
                                          "url,status",
                                          "-v",
                                          "--no-robots",
                                          "http://a.example/"};
  const ConfigOutput first = run(words);
  ASSERT_EQ(first.exit_code, kOk) << first.err;
  folder_.write("gossamer.toml", first.out);
  std::string second = run({"crawl", "--print-config"}).out;
  // Only the origins are others.
  const auto without_origins = [](const std::string& text) {
    std::string lines;
    for (const std::string& line : support::lines_of(text)) {
      lines += line.substr(0, line.find("  # ")) + "\n";
    }
    return lines;
  };
  EXPECT_EQ(without_origins(second), without_origins(first.out));
  EXPECT_TRUE(holds(second, "depth = 3  # ./gossamer.toml:")) << second;
}

// Runs the function of the script as bash does when the user presses Tab.
std::string completed(const std::string& folder, const std::string& words) {
  const std::string command =
      "bash -c '. " + folder + "/script; COMP_WORDS=(" + words +
      "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gossamer; echo \"${COMPREPLY[*]}\"' > " + folder +
      "/reply";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return support::file_content(folder + "/reply");
}

TEST_F(ConfigCommandTest, BashCompletesCommandsOptionsAndValues) {
  folder_.write("script", run({"completions", "bash"}).out);
  const std::string folder = folder_.path().string();
  EXPECT_EQ(completed(folder, "gossamer cr"), "crawl\n");
  EXPECT_EQ(completed(folder, "gossamer crawl --max-t"), "--max-time --max-tries\n");
  EXPECT_EQ(completed(folder, "gossamer crawl --scope d"), "domain\n");
  EXPECT_EQ(completed(folder, "gossamer crawl --scope = p"), "page prefix\n");
  EXPECT_EQ(completed(folder, "gossamer crawl --config " + folder + "/scr"), folder + "/script\n");
  EXPECT_EQ(completed(folder, "gossamer warc e"), "extract\n");
  EXPECT_EQ(completed(folder, "gossamer warc ls --js"), "--json\n");
  EXPECT_EQ(completed(folder, "gossamer completions z"), "zsh\n");
}

TEST_F(ConfigCommandTest, ZshReadsItsScript) {
  if (!support::is_installed("/usr/bin/zsh")) GTEST_SKIP() << "zsh is not installed";
  const std::string script = folder_.write("zsh", run({"completions", "zsh"}).out);
  EXPECT_EQ(std::system(("/usr/bin/zsh -n " + script).c_str()), 0);
}

TEST_F(ConfigCommandTest, FishReadsItsScriptAndCompletes) {
  if (!support::is_installed("/usr/bin/fish")) GTEST_SKIP() << "fish is not installed";
  const std::string script = folder_.write("fish", run({"completions", "fish"}).out);
  EXPECT_EQ(std::system(("/usr/bin/fish -n " + script).c_str()), 0);
  const std::string command =
      "cd " + folder_.path().string() +
      " && /usr/bin/fish --no-config -c 'source fish; complete -C \"gossamer "
      "crawl --scope pr\"' > reply";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_TRUE(holds(support::file_content(folder_.file("reply")), "prefix"));
}

// The editor is only there on a terminal, so the test has one of its own.
TEST_F(ConfigCommandTest, ElvishReadsItsScriptAndCompletes) {
  if (!support::is_installed("/usr/bin/elvish")) GTEST_SKIP() << "elvish is not installed";
  const std::string editor =
      "var edit: = (ns [&complete-filename~={|seed| put file:$seed }"
      " &complex-candidate~={|word &display=''| put $word }"
      " &completion:=(ns [&arg-completer=[&]])])\n";
  const std::string calls =
      "var complete = $edit:completion:arg-completer[gossamer]\n"
      "$complete gossamer wa; $complete gossamer warc l; $complete gossamer crawl --scope p\n"
      "$complete gossamer warc ls --js; $complete gossamer completions z\n"
      "$complete gossamer crawl -o x\n";
  const std::string script =
      folder_.write("elvish", editor + run({"completions", "elvish"}).out + calls);
  EXPECT_EQ(std::system(("/usr/bin/elvish " + script + " > " + folder_.file("reply")).c_str()), 0);
  const std::string reply = support::file_content(folder_.file("reply"));
  for (const char* word : {"warc", "ls", "prefix", "--json", "zsh", "file:x"}) {
    EXPECT_TRUE(holds(reply, word)) << word << " in " << reply;
  }
}

TEST_F(ConfigCommandTest, ManualPagesAreSetWithoutComplaint) {
  if (!support::is_installed("/usr/bin/groff")) GTEST_SKIP() << "groff is not installed";
  ASSERT_EQ(run({"man", "--into", "."}).exit_code, kOk);
  std::size_t pages = 0;
  for (const auto& page : std::filesystem::directory_iterator(folder_.path())) {
    const std::string complaints = folder_.file("complaints");
    const std::string command =
        "groff -man -Tascii -ww -z " + page.path().string() + " 2> " + complaints;
    if (page.path().extension() != ".1") continue;
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(support::file_content(complaints), "") << page.path();
    ++pages;
  }
  EXPECT_EQ(pages, commands().size() + 1);
}

TEST_F(ConfigCommandTest, AnUnknownManualPageIsAnsweredWithTheNearest) {
  const ConfigOutput said = run({"man", "crawk"});
  EXPECT_EQ(said.exit_code, kUsage);
  EXPECT_TRUE(holds(said.err, "did you mean crawl?")) << said.err;
}

}  // namespace
}  // namespace gossamer::cli
