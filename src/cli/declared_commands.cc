#include "cli/declared_commands.h"

#include <algorithm>
#include <utility>

#include "cli/arguments.h"

namespace gossamer::cli {

std::vector<std::string> actions_of(const Command& command) {
  std::vector<std::string> actions;
  for (std::size_t at = 0; at < command.actions.size();) {
    const std::size_t end = std::min(command.actions.find('|', at), command.actions.size());
    actions.emplace_back(command.actions.substr(at, end - at));
    at = end + 1;
  }
  return actions;
}

std::vector<DeclaredCommand> declarations_of(const Command& command) {
  std::vector<DeclaredCommand> declared;
  const auto add = [&](const std::vector<std::string>& words) {
    DeclarationCatcher catcher;
    static_cast<void>(command.run(words));
    if (auto caught = catcher.take()) declared.push_back(std::move(*caught));
  };
  const std::vector<std::string> actions = actions_of(command);
  if (actions.empty()) add({"--help"});
  for (const std::string& action : actions) add({action, "--help"});
  return declared;
}

std::vector<std::string> configurable_commands() {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    for (const DeclaredCommand& declared : declarations_of(command)) {
      if (declared.is_configurable) names.push_back(declared.name);
    }
  }
  return names;
}

}  // namespace gossamer::cli
