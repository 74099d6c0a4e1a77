// Reads what our index has written.
#pragma once

#include <string>
#include <string_view>

#include "base/json_value.h"
#include "base/result.h"
#include "warc/cdxj.h"

namespace gossamer::warc {

// Fails with Errc::malformed. Unknown members are ignored.
inline Result<CdxjEntry> read_cdxj_line(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t key_end = line.find(' ');
  const std::size_t time_end = key_end == line.npos ? line.npos : line.find(' ', key_end + 1);
  if (time_end == line.npos) return fail(Errc::malformed, "an index line must have three parts");
  CdxjEntry entry;
  entry.key = line.substr(0, key_end);
  entry.timestamp = line.substr(key_end + 1, time_end - key_end - 1);
  if (entry.timestamp.empty() ||
      entry.timestamp.find_first_not_of("0123456789") != std::string::npos) {
    return fail(Errc::malformed, "the time of an index line must be digits");
  }
  const auto json = base::parse_json(line.substr(time_end + 1));
  if (!json || json->kind != base::JsonValue::Kind::object) {
    return fail(Errc::malformed, "an index line must end with a JSON object");
  }
  const auto number = [&json](std::string_view name) {
    const base::JsonValue* const value = json->find(name);
    return value == nullptr ? 0 : value->as_number().value_or(0);
  };
  entry.url = json->text_of("url");
  entry.mime = json->text_of("mime");
  entry.status = json->text_of("status");
  entry.digest = json->text_of("digest");
  entry.length = number("length");
  entry.offset = number("offset");
  entry.filename = json->text_of("filename");
  return entry;
}

}  // namespace gossamer::warc
