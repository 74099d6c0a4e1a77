#include "serve/api_parameters.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "serve/replay.h"
#include "warc/record.h"

namespace gossamer::serve {

std::string ApiParameters::text(std::string_view name) {
  auto value = request_.parameter(name);
  if (!value) {
    reject(std::string(value.error().detail()));
    return {};
  }
  return value->value_or("");
}

std::uint64_t ApiParameters::number(std::string_view name, std::uint64_t fallback,
                                    std::uint64_t most) {
  const std::string digits = text(name);
  if (digits.empty()) return fallback;
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value > most) {
    reject(fmt::format("{} must be a number from 0 to {}", name, most));
    return fallback;
  }
  return value;
}

std::optional<std::uint32_t> ApiParameters::archive(const captures::Collection& collection) {
  if (text("archive").empty()) return {};
  const std::uint64_t number = this->number("archive", 0, UINT32_MAX);
  const std::size_t count =
      collection.read([](const auto& archives, const auto&) { return archives.size(); });
  if (number >= count) reject("there is no such archive");
  return static_cast<std::uint32_t>(number);
}

std::optional<WallTime> ApiParameters::time(std::string_view name) {
  const std::string digits = text(name);
  if (digits.empty() || digits == "latest") return {};
  auto time = parse_capture_time(digits);
  if (!time) reject(fmt::format("{} must have 4 to 14 digits: 20260131120000", name));
  return time;
}

void add_text_or_null(base::JsonLine& line, std::string_view name, std::string_view text) {
  if (text.empty()) {
    line.null(name);
  } else {
    line.text(name, text);
  }
}

void add_time_or_null(base::JsonLine& line, std::string_view name, std::optional<WallTime> time) {
  if (time) {
    line.text(name, warc::timestamp14(*time));
  } else {
    line.null(name);
  }
}

std::string text_array(const std::vector<std::string>& texts) {
  JsonArray array;
  for (const std::string& text : texts) {
    std::string json;
    base::append_json_string(json, text);
    array.add(json);
  }
  return array.finish();
}

}  // namespace gossamer::serve
