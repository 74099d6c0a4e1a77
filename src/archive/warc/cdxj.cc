#include "warc/cdxj.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/json.h"
#include "url/surt.h"
#include "url/url.h"
#include "warc/record_writer.h"

namespace gossamer::warc {
namespace {

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
  if (!url) return base::lower_case(escaped_uri(address));
  const bool is_hostless_path = url->hostname().empty() && url->pathname().starts_with('/');
  if (!is_hostless_path) return escaped_uri(url::cdx_key(*url));
  return base::lower_case(std::string(url->protocol()) + std::string(url->pathname()) +
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

}  // namespace gossamer::warc
