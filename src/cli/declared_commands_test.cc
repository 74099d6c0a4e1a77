#include "cli/declared_commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/completion_script.h"
#include "cli/config_file.h"
#include "cli/config_text.h"
#include "cli/man_page.h"

namespace gossamer::cli {
namespace {

const Command& command_called(std::string_view name) {
  return *std::ranges::find(commands(), name, &Command::name);
}

DeclaredCommand crawl_table() { return declarations_of(command_called("crawl")).at(0); }

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// As a manual page spells it.
std::string in_troff(std::string_view name) {
  std::string out;
  for (const char c : name) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

TEST(DeclaredCommandsTest, EveryCommandAndActionDeclaresItself) {
  for (const Command& command : commands()) {
    const auto tables = declarations_of(command);
    const auto actions = actions_of(command);
    ASSERT_EQ(tables.size(), std::max<std::size_t>(actions.size(), 1)) << command.name;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const std::string name(command.name);
      EXPECT_EQ(tables[i].name, actions.empty() ? name : name + " " + actions[i]);
      EXPECT_FALSE(tables[i].summary.empty());
      for (const DeclaredOption& option : tables[i].options) EXPECT_FALSE(option.help.empty());
    }
  }
}

TEST(DeclaredCommandsTest, EveryOptionIsInTheCompletionsAndTheManualPage) {
  const std::string bash = bash_completion();
  const std::string zsh = zsh_completion();
  const std::string fish = fish_completion();
  for (const Command& command : commands()) {
    const std::string man = man_page(command);
    EXPECT_TRUE(holds(man_page(), "gossamer\\-" + in_troff(command.name))) << command.name;
    for (const DeclaredCommand& table : declarations_of(command)) {
      for (const DeclaredOption& option : table.options) {
        for (const std::string& name : option.names) {
          EXPECT_TRUE(holds(man, in_troff(name))) << table.name << " " << name;
          EXPECT_TRUE(holds(bash, name)) << table.name << " " << name;
          EXPECT_TRUE(holds(zsh, name)) << table.name << " " << name;
          const bool is_long = name.starts_with("--");
          const std::string in_fish = is_long ? "-l " + name.substr(2) : "-s " + name.substr(1);
          EXPECT_TRUE(holds(fish, in_fish)) << table.name << " " << name;
        }
      }
    }
  }
}

TEST(DeclaredCommandsTest, EveryOptionOfACrawlHasAKeyOfItsOwn) {
  std::vector<std::string> keys;
  for (const DeclaredOption& option : crawl_table().options) {
    const bool has_key = !option.key.empty();
    const bool is_about_configuration = option.group == "Configuration";
    EXPECT_EQ(has_key, option.kind != OptionKind::action && !is_about_configuration) << option.help;
    if (has_key) keys.push_back(option.key);
  }
  EXPECT_GT(keys.size(), 40u);
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(DeclaredCommandsTest, TheCommentedFileHasEveryKey) {
  const DeclaredCommand table = crawl_table();
  const std::string text = commented_configuration({&table, 1});
  for (const DeclaredOption& option : table.options) {
    if (option.key.empty()) continue;
    EXPECT_TRUE(holds(text, "\n#" + option.key + " = ")) << option.key;
    EXPECT_TRUE(holds(text, option.help)) << option.key;
  }
  const auto entries = parse_config(text, "gossamer.toml", "crawl");
  ASSERT_TRUE(entries) << entries.error().detail();
  EXPECT_TRUE(entries->empty()) << "it changes nothing";
}

TEST(DeclaredCommandsTest, TheCommentedFileIsTomlWithoutItsCommentSigns) {
  const DeclaredCommand table = crawl_table();
  std::string text = commented_configuration({&table, 1});
  std::size_t keys = 0;
  for (const DeclaredOption& option : table.options) {
    if (option.key.empty()) continue;
    text.erase(text.find("\n#" + option.key + " = ") + 1, 1);
    ++keys;
  }
  const auto entries = parse_config(text, "gossamer.toml", "crawl");
  ASSERT_TRUE(entries) << entries.error().detail();
  EXPECT_EQ(entries->size(), keys);
}

TEST(DeclaredOptionTest, FindsTheDefaultInTheHelp) {
  const auto option = [](std::string placeholder, std::string help) {
    return DeclaredOption{
        .placeholder = std::move(placeholder), .help = std::move(help), .kind = OptionKind::single};
  };
  EXPECT_EQ(option("N", "links to follow [64]").standard(), "64");
  EXPECT_TRUE(option("N", "links to follow [64]").has_usable_standard());
  EXPECT_TRUE(option("N|inf", "links to follow [inf]").has_usable_standard());
  EXPECT_FALSE(option("FILE", "goes there [stdout]").has_usable_standard());
  EXPECT_FALSE(option("TIME", "between two [1s to 30s; own: none]").has_usable_standard());
  EXPECT_EQ(option("TIME", "begins [30s] and goes on [20s]").standard(), "");
  EXPECT_EQ(option("N", "no default").standard(), "");
}

TEST(DeclaredOptionTest, KnowsTheWordsAmongWhichOneChooses) {
  EXPECT_EQ((DeclaredOption{.placeholder = "auto|io_uring|epoll"}).choices(),
            (std::vector<std::string>{"auto", "io_uring", "epoll"}));
  EXPECT_EQ((DeclaredOption{.placeholder = "N|inf"}).choices(), std::vector<std::string>{"inf"});
  EXPECT_TRUE((DeclaredOption{.placeholder = "URL|MAIL"}).choices().empty());
  EXPECT_TRUE((DeclaredOption{.placeholder = "FILE"}).choices().empty());
}

}  // namespace
}  // namespace gossamer::cli
