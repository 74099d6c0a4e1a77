#include "warc/arc_head.h"

#include <charconv>
#include <span>
#include <string>
#include <vector>

namespace gossamer::warc {
namespace {

constexpr std::string_view kNames1[] = {"ip-address", "archive-date", "content-type", "length"};
constexpr std::string_view kNames2[] = {"ip-address",  "archive-date", "content-type",
                                        "result-code", "checksum",     "location",
                                        "offset",      "filename",     "length"};

bool is_address(std::string_view word) {
  return word.find_first_of(".:") != std::string_view::npos &&
         word.find_first_not_of("0123456789abcdefABCDEF.:[]%") == std::string_view::npos;
}

bool is_date(std::string_view word) {
  return word.size() >= 8 && word.size() <= 20 &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

// Reads the last words of the line, one per name; the URL is the text before them.
std::optional<Fields> read_words(std::string_view line, std::span<const std::string_view> names) {
  std::vector<std::string_view> words(names.size());
  for (std::size_t i = names.size(); i-- > 0;) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank == 0) return std::nullopt;
    words[i] = line.substr(blank + 1);
    line = line.substr(0, blank);
  }
  if (!is_address(words[0]) || !is_date(words[1])) return std::nullopt;
  if (line.find(':') == std::string_view::npos) return std::nullopt;
  Fields fields;
  fields.append("uri", std::string(line));
  for (std::size_t i = 0; i < names.size(); ++i) {
    fields.append(std::string(names[i]), std::string(words[i]));
  }
  return fields;
}

}  // namespace

std::optional<RecordHead> parse_arc_line(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  RecordHead head;
  head.format = RecordFormat::arc;
  head.version = "ARC/1";
  auto fields = read_words(line, kNames1);
  if (!fields) {
    fields = read_words(line, kNames2);
    head.version = "ARC/2";
  }
  if (!fields) return std::nullopt;
  head.fields = std::move(*fields);
  head.type = line.starts_with("filedesc:") ? RecordType::arc_header : RecordType::response;
  const std::string_view length = *head.fields.find("length");
  std::uint64_t bytes = 0;
  const auto [end, failure] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  if (failure == std::errc() && end == length.data() + length.size()) head.block_bytes = bytes;
  return head;
}

}  // namespace gossamer::warc
