#include "cli/root_list.h"

#include <fstream>
#include <iostream>
#include <istream>
#include <string_view>

#include "base/ascii.h"

namespace gossamer::cli {

Result<void> read_roots(const std::string& path,
                        std::move_only_function<Result<void>(std::string root)> take) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& input = path == "-" ? std::cin : file;
  if (!input) return fail(Errc::invalid_argument, "cannot read " + path);
  const std::string name = path == "-" ? "standard input" : path;
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    const std::string_view text = base::trimmed(line, " \t\r");
    if (text.empty() || text.starts_with('#')) continue;
    if (auto taken = take(std::string(text)); !taken) {
      return fail(taken.error().code(), std::string(taken.error().detail()) + " (line " +
                                            std::to_string(number) + " of " + name + ")");
    }
  }
  if (input.bad()) return fail(Errc::invalid_argument, "cannot read " + path);
  return {};
}

}  // namespace gossamer::cli
