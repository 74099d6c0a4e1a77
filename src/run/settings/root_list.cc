#include "settings/root_list.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>
#include <string_view>
#include <system_error>

#include "base/ascii.h"
#include "base/edit_distance.h"
#include "engine/setup/options.h"
#include "options/config_file.h"
#include "url/secrets.h"

namespace gossamer::settings {
namespace {

// Suggests "http://a.example" for "htp://a.example".
std::string about_scheme(const std::string& root) {
  constexpr std::array<std::string_view, 2> kSchemes = {"http", "https"};
  const std::size_t end = root.find("://");
  if (end == std::string::npos) return {};
  const std::string_view near = base::nearest(std::string_view(root).substr(0, end), kSchemes);
  if (near.empty() || root.substr(0, end) == near) return {};
  return fmt::format("; did you mean {}?",
                     url::without_secrets(std::string(near) + root.substr(end)));
}

bool is_file(const std::string& text) {
  std::error_code error;
  return text.find("://") == std::string::npos && std::filesystem::is_regular_file(text, error);
}

}  // namespace

Result<url::Url> parse_typed_url(const std::string& text) {
  if (is_file(text)) {
    return fail(
        Errc::invalid_argument,
        fmt::format(
            "'{0}' is a file: use `input-file` {0} to read URLs from it, or write http://{0} "
            "if it is a host",
            text));
  }
  auto url = crawler::parse_root(text);
  if (url) return url;
  return fail(Errc::invalid_argument, std::string(url.error().detail()) + about_scheme(text));
}

Result<void> read_roots(const std::string& path,
                        std::move_only_function<Result<void>(std::string root)> take) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& input = path == "-" ? std::cin : file;
  if (!input) return fail(Errc::invalid_argument, options::cannot_read(path));
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
  if (input.bad()) return fail(Errc::invalid_argument, options::cannot_read(name));
  return {};
}

}  // namespace gossamer::settings
