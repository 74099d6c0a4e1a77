#include "warc/cdxj.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/json.h"
#include "base/json_value.h"
#include "url/surt.h"
#include "url/url.h"
#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), base::to_lower);
  return text;
}

// Returns as many digits as there are, for invalid dates.
std::string timestamp_of(const RecordHead& head) {
  if (const auto date = head.date()) return timestamp14(*date);
  std::string digits;
  for (const char c : head.date_text()) {
    if (c >= '0' && c <= '9' && digits.size() < 14) digits.push_back(c);
  }
  digits.resize(14, '0');
  return digits;
}

std::string mime_of(const RecordHead& head, const Verifier& verifier) {
  if (head.type == RecordType::revisit) return "warc/revisit";
  if (verifier.http()) return std::string(verifier.http()->content_type());
  if (head.format == RecordFormat::arc || head.type == RecordType::response) return {};
  const std::string_view type = head.content_type();
  return std::string(type.substr(0, type.find_first_of("; \t")));
}

std::string digest_for(const RecordHead& head, const Verifier& verifier) {
  const auto declared = head.fields.find("WARC-Payload-Digest");
  if (declared && !declared->empty()) return std::string(*declared);
  return head.type == RecordType::revisit ? "" : verifier.stored_digest().to_string();
}

void append_member(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  if (out.back() != '{') out += ", ";
  base::append_json_string(out, name);
  out += ": ";
  base::append_json_string(out, value);
}

}  // namespace

std::string capture_key(std::string_view address) {
  const auto url = url::Url::parse(address);
  if (!url) return in_lower_case(escaped_uri(address));
  const bool is_hostless_path = url->hostname().empty() && url->pathname().starts_with('/');
  if (!is_hostless_path) return escaped_uri(url::cdx_key(*url));
  return in_lower_case(std::string(url->protocol()) + std::string(url->pathname()) +
                       std::string(url->search()));
}

std::string CdxjEntry::to_line() const {
  std::string line = escaped_uri(key) + ' ' + timestamp + " {";
  append_member(line, "url", url);
  append_member(line, "mime", mime);
  append_member(line, "status", status);
  append_member(line, "digest", digest);
  append_member(line, "length", std::to_string(length));
  append_member(line, "offset", std::to_string(offset));
  append_member(line, "filename", filename);
  return line += '}';
}

Result<CdxjEntry> CdxjEntry::parse(std::string_view line) {
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

bool is_indexed(const RecordHead& head) {
  switch (head.type) {
    case RecordType::response:
    case RecordType::revisit:
    case RecordType::resource: return !head.target_uri().empty();
    case RecordType::metadata: {
      const std::string_view type = head.content_type();
      return !head.target_uri().empty() &&
             !base::equals_ignoring_case(base::trimmed(type.substr(0, type.find(';')), " \t"),
                                         "application/warc-fields");
    }
    default: return false;
  }
}

CdxjEntry index_entry(const RecordHead& head, const Extent& extent, const Verifier& verifier,
                      std::string_view filename) {
  CdxjEntry entry;
  entry.url = head.target_uri();
  entry.key = capture_key(entry.url);
  entry.timestamp = timestamp_of(head);
  entry.mime = mime_of(head, verifier);
  const auto status = verifier.http() ? verifier.http()->status() : std::nullopt;
  if (status) entry.status = std::to_string(*status);
  entry.digest = digest_for(head, verifier);
  entry.length = extent.member_bytes;
  entry.offset = extent.member_offset;
  entry.filename = filename;
  return entry;
}

std::string sorted_lines(std::vector<std::string> lines) {
  // With line feeds, because `sort` puts a line before the longer lines that begin with it.
  for (std::string& line : lines) line += '\n';
  std::ranges::sort(lines);
  const auto repeated = std::ranges::unique(lines);
  lines.erase(repeated.begin(), repeated.end());
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

std::size_t CdxjIndex::lower_bound(std::string_view wanted) const noexcept {
  // INVARIANT: lines that begin before `low` precede `wanted`; those from `high` on do not.
  std::size_t low = 0, high = text_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::size_t feed = middle == 0 ? text_.npos : text_.rfind('\n', middle - 1);
    const std::size_t begin = feed == text_.npos ? 0 : std::max(feed + 1, low);
    const std::size_t end = std::min(text_.find('\n', begin), text_.size() - 1) + 1;
    if (text_.substr(begin, end - begin) < wanted) {
      low = end;
    } else {
      high = begin;
    }
  }
  return low;
}

std::string_view CdxjIndex::find_prefix(std::string_view prefix) const noexcept {
  const std::size_t begin = lower_bound(prefix);
  std::size_t end = begin;
  while (end < text_.size() && text_.substr(end).starts_with(prefix)) {
    end = std::min(text_.find('\n', end), text_.size() - 1) + 1;
  }
  return text_.substr(begin, end - begin);
}

std::string_view CdxjIndex::find(std::string_view key) const noexcept {
  return find_prefix(std::string(key) + ' ');
}

}  // namespace gossamer::warc
