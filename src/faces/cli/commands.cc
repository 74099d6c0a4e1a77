#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/edit_distance.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::array kUrlActions = {&url_parse_command, &url_join_command, &url_canon_command};
constexpr Command kUrlGroup = {.name = "inspect url",
                               .arguments = "parse|join|canon URL...",
                               .summary = "parse, join and normalise URLs",
                               .actions = kUrlActions};

constexpr std::array kInspectActions = {&kUrlGroup,       &links_command,    &text_command,
                                        &extract_command, &metadata_command, &robots_command};
constexpr Command kInspectGroup = {.name = "inspect",
                                   .arguments = "url|links|text|extract|metadata|robots ...",
                                   .summary = "read URLs, pages and robots.txt without a network",
                                   .actions = kInspectActions};

constexpr std::array kJobActions = {&status_command, &list_command, &changes_command,
                                    &export_command, &why_command,  &repair_command};
constexpr Command kJobGroup = {.name = "job",
                               .arguments = "status|list|export|repair|why ...",
                               .summary = "show and export the contents of a crawl directory",
                               .actions = kJobActions};

constexpr std::array kClusterActions = {
    &cluster_status_command,  &cluster_pause_command,  &cluster_resume_command,
    &cluster_stop_command,    &cluster_add_command,    &cluster_block_command,
    &cluster_unblock_command, &cluster_accept_command, &cluster_purge_command,
    &cluster_export_command,  &cluster_doctor_command};
constexpr Command kClusterGroup = {.name = "cluster",
                                   .arguments = "status|pause|add|doctor URL ...",
                                   .summary = "watch, steer and check a crawl of several machines",
                                   .actions = kClusterActions};

constexpr std::array kWarcActions = {&warc_ls_command, &warc_cat_command, &warc_check_command,
                                     &warc_index_command, &warc_extract_command};
constexpr Command kWarcGroup = {.name = "warc",
                                .arguments = "ls|cat|check|index|extract FILE...",
                                .summary = "read archives: WARC, ARC, WACZ",
                                .actions = kWarcActions};

constexpr std::array kCommands = {
    &crawl_command,  &resume_command,      &check_command,  &mirror_command, &fetch_command,
    &kJobGroup,      &index_command,       &search_command, &serve_command,  &top_command,
    &kInspectGroup,  &kWarcGroup,          &kClusterGroup,  &demo_command,   &init_command,
    &doctor_command, &completions_command, &man_command};

const Command* find_in(CommandList list, std::string_view word) {
  const auto found =
      std::ranges::find_if(list, [&](const Command* one) { return one->last_word() == word; });
  return found == list.end() ? nullptr : *found;
}

void add_tables(const Command& command, std::vector<options::CommandTable>& tables) {
  if (command.actions.empty()) tables.push_back(command.declared(command));
  for (const Command* action : command.actions) add_tables(*action, tables);
}

std::string group_help(const Command& group) {
  std::string text =
      fmt::format("{}.\nUsage: gossamer {} ACTION ...\n\nActions:\n", group.summary, group.name);
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  for (const Command* action : group.actions) {
    const std::string left = fmt::format("{} {}", action->last_word(), action->arguments);
    text += fmt::format("  {:<40} {}\n", left, action->summary);
  }
  return text + fmt::format("\nSee also: gossamer help {} ACTION\n", group.name);
}

// Runs a group whose next word is not one of its actions.
int run_group(const Command& group, const std::vector<std::string>& words) {
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
    terminal::standard_output().write(group_help(group));
    return kOk;
  }
  std::vector<std::string_view> names;
  for (const Command* action : group.actions) names.push_back(action->last_word());
  if (words.empty()) {
    return usage_error(group.name, fmt::format("requires an action: {}", fmt::join(names, ", ")));
  }
  const std::string_view near = base::nearest(words[0], names);
  if (!near.empty()) {
    return usage_error(group.name,
                       fmt::format("unknown action '{}'; did you mean {}?", words[0], near));
  }
  return usage_error(group.name, fmt::format("unknown action '{}'; the actions are {}", words[0],
                                             fmt::join(names, ", ")));
}

}  // namespace

CommandList commands() { return kCommands; }

FoundCommand find_command(std::vector<std::string> words) {
  if (words.empty()) return {};
  FoundCommand found;
  CommandList list = commands();
  std::size_t used = 0;
  while (used < words.size()) {
    const Command* const command = find_in(list, words[used]);
    if (command == nullptr) break;
    found.command = command;
    list = command->actions;
    ++used;
  }
  found.words.assign(words.begin() + static_cast<std::ptrdiff_t>(used), words.end());
  return found;
}

int run_command(const Command& command, const std::vector<std::string>& words) {
  return command.actions.empty() ? command.run(command, words) : run_group(command, words);
}

std::vector<options::CommandTable> tables_of(const Command& command) {
  std::vector<options::CommandTable> tables;
  add_tables(command, tables);
  return tables;
}

options::Program program() {
  options::Program program;
  for (const Command* command : commands()) {
    program.push_back({std::string(command->name), std::string(command->arguments),
                       std::string(command->summary), tables_of(*command)});
  }
  return program;
}

options::ConfigWorld world_of_this_process() {
  options::ConfigWorld world = options::ConfigWorld::of_this_process();
  for (const Command* command : commands()) {
    if (command->is_configurable) world.other_tables.emplace_back(command->name);
  }
  return world;
}

}  // namespace gossamer::cli
