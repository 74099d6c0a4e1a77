#include "options/config_file.h"

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/edit_distance.h"

namespace gossamer::options {
namespace {

constexpr std::string_view kHosts = "host";

class ConfigReader {
 public:
  ConfigReader(const std::string& path, std::string_view command,
               const std::vector<std::string>& others)
      : path_(path), command_(command), others_(others) {}

  Result<std::vector<ConfigEntry>> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::uint32_t line = key.source().begin.line;
      if (!node.is_table()) {
        return wrong(
            line, fmt::format("'{}' is outside a table; write [{}] above it", key.str(), command_));
      }
      if (key.str() == kHosts) {
        if (auto good = read_hosts(*node.as_table()); !good) return fail(std::move(good).error());
      } else if (key.str() != command_) {
        if (auto good = check_other_table(key.str(), line); !good) {
          return fail(std::move(good).error());
        }
      } else if (auto good = read_table(*node.as_table(), {}); !good) {
        return fail(std::move(good).error());
      }
    }
    // toml++ sorts by name, but messages must follow the order of the file.
    std::ranges::sort(entries_, {}, &ConfigEntry::line);
    return std::move(entries_);
  }

 private:
  std::unexpected<Error> wrong(std::uint32_t line, const std::string& problem) const {
    return fail(Errc::invalid_argument, fmt::format("{}:{}: {}", path_, line, problem));
  }

  // Other commands may have their tables in the same file.
  Result<void> check_other_table(std::string_view name, std::uint32_t line) const {
    if (std::ranges::count(others_, name) > 0) return {};
    std::vector<std::string_view> candidates(others_.begin(), others_.end());
    candidates.push_back(command_);
    candidates.push_back(kHosts);
    const std::string_view near = base::nearest(name, candidates);
    std::string problem = fmt::format("unknown table [{}]", name);
    if (!near.empty()) problem += fmt::format("; did you mean [{}]?", near);
    return wrong(line, problem);
  }

  Result<void> read_hosts(const toml::table& hosts) {
    for (const auto& [name, node] : hosts) {
      const toml::table* const table = node.as_table();
      const bool is_nested = table != nullptr && !table->empty() &&
                             table->begin()->second.is_table() &&
                             !table->begin()->second.as_table()->is_inline();
      if (table == nullptr || is_nested) {
        return wrong(
            name.source().begin.line,
            fmt::format("host tables require a quoted name: [{}.\"example.com\"]", kHosts));
      }
      if (auto good = read_table(*table, std::string(name.str())); !good) return good;
    }
    return {};
  }

  Result<void> read_table(const toml::table& table, const std::string& host) {
    for (const auto& [key, node] : table) {
      ConfigEntry entry = {.host = host,
                           .key = std::string(key.str()),
                           .values = {},
                           .is_array = node.is_array(),
                           .is_table = node.is_table(),
                           .line = key.source().begin.line};
      if (const toml::array* const array = node.as_array()) {
        for (const toml::node& element : *array) {
          auto text = text_of(element);
          if (!text) return about_type(entry, element);
          entry.values.push_back(std::move(*text));
        }
      } else if (const toml::table* const inner = node.as_table()) {
        for (const auto& [name, element] : *inner) {
          auto text = text_of(element);
          if (!text) return about_type(entry, element);
          entry.values.push_back(fmt::format("{}={}", name.str(), *text));
        }
      } else if (auto text = text_of(node)) {
        entry.values.push_back(std::move(*text));
      } else {
        return about_type(entry, node);
      }
      entries_.push_back(std::move(entry));
    }
    return {};
  }

  Result<void> about_type(const ConfigEntry& entry, const toml::node& node) const {
    return wrong(
        node.source().begin.line,
        fmt::format("{}: expected a text, a number, true, false or a list of these", entry.key));
  }

  static std::optional<std::string> text_of(const toml::node& node) {
    if (const auto* const text = node.as_string()) return text->get();
    if (const auto* const number = node.as_integer()) return fmt::format("{}", number->get());
    if (const auto* const number = node.as_floating_point()) {
      return fmt::format("{}", number->get());
    }
    if (const auto* const yes = node.as_boolean()) return yes->get() ? "true" : "false";
    return std::nullopt;
  }

  const std::string& path_;
  const std::string_view command_;
  const std::vector<std::string>& others_;
  std::vector<ConfigEntry> entries_;
};

}  // namespace

Result<std::vector<ConfigEntry>> parse_config(std::string_view text, const std::string& path,
                                              std::string_view command,
                                              const std::vector<std::string>& others) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return fail(Errc::invalid_argument,
                fmt::format("{}:{}: {}", path, error.source().begin.line, error.description()));
  }
  return ConfigReader(path, command, others).read(parsed.table());
}

std::string cannot_read(std::string_view file) {
  return fmt::format("cannot read {}: {}", file, std::strerror(errno));
}

}  // namespace gossamer::options
