#include "record/record_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <type_traits>

#include "base/json.h"

namespace gossamer::crawler {
namespace {

using Record = FetchRecord;
using Value = FieldValue;

constexpr std::string_view kExtractTruncatedField = "extract_truncated";

constexpr Value kNull = {.state = Value::State::null};
constexpr Value kAbsent = {.state = Value::State::absent};

Value milliseconds(const Record& record, Duration duration) {
  if (!record.status) return kAbsent;
  return Value::of_decimal(std::chrono::duration<double, std::milli>(duration).count());
}

// A reused connection took no time.
Value milliseconds_to_connect(const Record& record, Duration duration) {
  return milliseconds(record, record.facts.reused ? Duration::zero() : duration);
}

template <auto Member>
Value metadata_text(const Record& record, std::string&) {
  return record.metadata ? Value::of_text_or_null((*record.metadata).*Member) : kAbsent;
}

template <auto Member>
Value metadata_number(const Record& record, std::string&) {
  return record.metadata ? Value::of_number((*record.metadata).*Member) : kAbsent;
}

// Lists and objects; null if they are empty.
template <auto Member>
Value metadata_json(const Record& record, std::string& scratch) {
  if (!record.metadata) return kAbsent;
  const auto& value = (*record.metadata).*Member;
  if (value.empty()) return kNull;
  if constexpr (std::is_same_v<decltype(value), const std::string&>) {
    return Value::of_json(value);
  } else {
    scratch = content::to_json(value);
    return Value::of_json(scratch);
  }
}

using content::Metadata;

constexpr std::array kFields = std::to_array<RecordField>({
    {"ts", FieldKind::text, "time of the last request: RFC 3339, UTC",
     [](const Record& record, std::string& scratch) {
       scratch = base::to_rfc3339(record.ts, base::SecondDigits::milli);
       return Value::of_text(scratch);
     }},
    {"url", FieldKind::text, "the URL without its fragment",
     [](const Record& record, std::string&) { return Value::of_text(record.url); }},
    {"status", FieldKind::number, "status of the response; null if there was none",
     [](const Record& record, std::string&) {
       return record.status ? Value::of_number(static_cast<std::uint64_t>(*record.status)) : kNull;
     }},
    {"next_url", FieldKind::text, "target of a redirect, resolved; else null",
     [](const Record& record, std::string&) { return Value::of_text_or_null(record.next_url); }},
    {"error", FieldKind::text, "null, or a short stable code",
     [](const Record& record, std::string&) { return Value::of_text_or_null(record.error); }},
    {"error_detail", FieldKind::text, "null, or a sentence about the error",
     [](const Record& record, std::string&) {
       return Value::of_text_or_null(record.error_detail);
     }},
    {"bytes", FieldKind::number, "size of the decoded body",
     [](const Record& record, std::string&) { return Value::of_number(record.bytes); }},
    {"wire_bytes", FieldKind::number, "bytes received: head and encoded body",
     [](const Record& record, std::string&) { return Value::of_number(record.wire_bytes); }},
    {"mime", FieldKind::text, "content type: text/html; null if the server sent none",
     [](const Record& record, std::string&) { return Value::of_text_or_null(record.mime); }},
    {"charset", FieldKind::text, "encoding of the text; null if it was not read as text",
     [](const Record& record, std::string&) { return Value::of_text_or_null(record.charset); }},
    {"depth", FieldKind::number, "number of links from a root",
     [](const Record& record, std::string&) { return Value::of_number(record.depth); }},
    {"via", FieldKind::text, "page with the link, or URL that redirected here; null for a root",
     [](const Record& record, std::string&) { return Value::of_text_or_null(record.via); }},
    {"links_found", FieldKind::number, "distinct links of the crawl on the page",
     [](const Record& record, std::string&) { return Value::of_number(record.links_found); }},
    {"links_new", FieldKind::number, "new ones among these",
     [](const Record& record, std::string&) { return Value::of_number(record.links_new); }},
    {"tries", FieldKind::number, "number of attempts",
     [](const Record& record, std::string&) { return Value::of_number(record.tries); }},
    {"digest", FieldKind::text, "digest of the decoded body: xxh3:...; null if there is none",
     [](const Record& record, std::string& scratch) {
       if (!record.digest) return kNull;
       scratch = fmt::format("xxh3:{:016x}", *record.digest);
       return Value::of_text(scratch);
     }},
    {"duplicate_of", FieldKind::text, "first URL with the same body, or null",
     [](const Record& record, std::string&) {
       return Value::of_text_or_null(record.duplicate_of);
     }},
    {"similar_to", FieldKind::text,
     "first URL with nearly the same main text, or null; absent without --similar",
     [](const Record& record, std::string&) {
       return record.sketch ? Value::of_text_or_null(record.similar_to) : kAbsent;
     }},
    {"title", FieldKind::text, "title of the page, or null",
     [](const Record& record, std::string&) { return Value::of_text_or_null(record.title); }},
    {"truncated", FieldKind::boolean, "whether a part of the body is missing",
     [](const Record& record, std::string&) { return Value::of_boolean(record.is_truncated); }},
    {"truncated_by", FieldKind::text,
     "why: length (--max-size), time, disconnect or unspecified; absent if the body is whole",
     [](const Record& record, std::string&) {
       return record.is_truncated ? Value::of_text(truncation_of(record)) : kAbsent;
     }},
    {"guess", FieldKind::boolean,
     "true if the URL is a string in a script (--js-links); else absent",
     [](const Record& record, std::string&) {
       return record.is_guess ? Value::of_boolean(true) : kAbsent;
     }},
    {kExtractedField, FieldKind::text, "object with the fields of --extract; absent without them",
     [](const Record& record, std::string& scratch) {
       if (record.extracted.empty()) return kAbsent;
       scratch = content::to_json(record.extracted);
       return Value::of_json(scratch);
     }},
    {"text", FieldKind::text, "main text, with --content text; else absent",
     [](const Record& record, std::string&) {
       return record.text.empty() ? kAbsent : Value::of_text(record.text);
     },
     false},
    {"markdown", FieldKind::text, "main text as Markdown, with --content markdown; else absent",
     [](const Record& record, std::string&) {
       return record.markdown.empty() ? kAbsent : Value::of_text(record.markdown);
     },
     false},
    {kExtractTruncatedField, FieldKind::boolean,
     "whether the page was too large for --extract, --content or --metadata",
     [](const Record& record, std::string&) {
       const bool has_contents = !record.extracted.empty() || !record.text.empty() ||
                                 !record.markdown.empty() || record.metadata;
       return has_contents ? Value::of_boolean(record.is_extract_truncated) : kAbsent;
     }},
    {"metadata.language", FieldKind::text, "language that the page declares, with --metadata",
     metadata_text<&Metadata::language>},
    {"metadata.detected_language", FieldKind::text, "language of the text: en; or null",
     metadata_text<&Metadata::detected_language>},
    {"metadata.canonical", FieldKind::text, "canonical URL that the page names, or null",
     metadata_text<&Metadata::canonical>},
    {"metadata.description", FieldKind::text, "description of the page, or null",
     metadata_text<&Metadata::description>},
    {"metadata.headline", FieldKind::text, "headline of the text, without the site, or null",
     metadata_text<&Metadata::headline>},
    {"metadata.author", FieldKind::text, "names of the authors, or null",
     metadata_text<&Metadata::author>},
    {"metadata.published", FieldKind::text, "date of publication, or null",
     metadata_text<&Metadata::published>},
    {"metadata.modified", FieldKind::text, "date of the last change, or null",
     metadata_text<&Metadata::modified>},
    {"metadata.words", FieldKind::number, "words of the visible text",
     metadata_number<&Metadata::words>},
    {"metadata.headings", FieldKind::text, "list of headings: level and text",
     metadata_json<&Metadata::headings>},
    {"metadata.hreflang", FieldKind::text, "list of translations: language and url",
     metadata_json<&Metadata::translations>},
    {"metadata.open_graph", FieldKind::text, "object with the og: properties",
     metadata_json<&Metadata::open_graph>},
    {"metadata.twitter", FieldKind::text, "object with the twitter: properties",
     metadata_json<&Metadata::twitter>},
    {"metadata.json_ld", FieldKind::text, "list of the JSON-LD of the page",
     metadata_json<&Metadata::json_ld>},
    {"metadata.json_ld_faults", FieldKind::number, "JSON-LD scripts that could not be read",
     metadata_number<&Metadata::json_ld_faults>},
    {"metadata.microdata", FieldKind::text, "list of microdata, in the form of JSON-LD",
     metadata_json<&Metadata::microdata>},
    {"metadata.images", FieldKind::number, "number of images", metadata_number<&Metadata::images>},
    {"metadata.images_without_alt", FieldKind::number, "images without an alt text",
     metadata_number<&Metadata::images_without_alt>},
    {"metadata.scripts", FieldKind::number, "number of scripts",
     metadata_number<&Metadata::scripts>},
    {"robots", FieldKind::text, "what the page forbids: noindex, noarchive; absent if nothing",
     [](const Record& record, std::string&) {
       return record.robots.empty() ? kAbsent : Value::of_text(record.robots);
     }},
    {"ip", FieldKind::text, "address of the server or proxy; absent without a response",
     [](const Record& record, std::string& scratch) {
       if (!record.status) return kAbsent;
       scratch = record.facts.connection.remote.address_text();
       return Value::of_text(scratch);
     }},
    {"proto", FieldKind::text, "protocol: HTTP/1.1 or HTTP/2; absent without a response",
     [](const Record& record, std::string&) {
       return record.status ? Value::of_text(record.facts.protocol) : kAbsent;
     }},
    {"warc.file", FieldKind::text, "archive file with the response; absent if there is none",
     [](const Record& record, std::string&) {
       return record.archive ? Value::of_text(record.archive->file) : kAbsent;
     }},
    {"warc.offset", FieldKind::number, "offset of the record in that file",
     [](const Record& record, std::string&) {
       return record.archive ? Value::of_number(record.archive->offset) : kAbsent;
     }},
    {"warc.length", FieldKind::number, "compressed size of the record",
     [](const Record& record, std::string&) {
       return record.archive ? Value::of_number(record.archive->length) : kAbsent;
     }},
    {"timings.dns", FieldKind::decimal, "milliseconds to resolve the name",
     [](const Record& record, std::string&) {
       return milliseconds_to_connect(record, record.facts.connection.dns);
     }},
    {"timings.connect", FieldKind::decimal, "milliseconds to connect",
     [](const Record& record, std::string&) {
       return milliseconds_to_connect(record, record.facts.connection.connect);
     }},
    {"timings.tls", FieldKind::decimal, "milliseconds for TLS and the proxy",
     [](const Record& record, std::string&) {
       return milliseconds_to_connect(record, record.facts.connection.handshake);
     }},
    {"timings.ttfb", FieldKind::decimal, "milliseconds until the response began",
     [](const Record& record, std::string&) {
       return milliseconds(record, record.facts.first_byte);
     }},
    {"timings.total", FieldKind::decimal, "milliseconds until the response ended",
     [](const Record& record, std::string&) { return milliseconds(record, record.facts.total); }},
});

// Returns "timings" for "timings.total"; empty for a field outside an object.
std::string_view object_of(std::string_view name) {
  const std::size_t dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

// The object that the field is a member of; empty: none.
std::string_view group_of(const ChosenField& chosen) {
  return chosen.member.empty() ? object_of(chosen.field->name) : chosen.field->name;
}

void add_member(base::JsonLine& line, std::string_view name, FieldKind kind, const Value& value) {
  if (value.state == Value::State::absent) return;
  if (value.state == Value::State::null) {
    line.null(name);
    return;
  }
  if (value.is_json) {
    line.raw(name, value.text);
    return;
  }
  switch (kind) {
    case FieldKind::text: line.text(name, value.text); return;
    case FieldKind::number: line.number(name, value.number); return;
    case FieldKind::decimal: line.decimal(name, value.decimal, 3); return;
    case FieldKind::boolean: line.boolean(name, value.boolean); return;
  }
}

}  // namespace

std::string_view describe(FieldKind kind) noexcept {
  switch (kind) {
    case FieldKind::text: return "text";
    case FieldKind::number:
    case FieldKind::decimal: return "number";
    case FieldKind::boolean: return "true or false";
  }
  return {};
}

std::span<const RecordField> record_fields() { return kFields; }

std::string ChosenField::name() const {
  std::string name(field->name);
  if (!member.empty()) name.append(".").append(member);
  return name;
}

FieldValue ChosenField::value(const FetchRecord& record, std::string& scratch) const {
  if (member.empty()) return field->value(record, scratch);
  if (record.extracted.empty()) return kAbsent;
  const content::ExtractedField* const found = content::find_field(record.extracted, member);
  if (found == nullptr) return kNull;
  if (found->is_list) {
    scratch = content::value_json(*found);
    return Value::of_json(scratch);
  }
  return found->values.empty() ? kNull : Value::of_text(found->values.front());
}

FieldChoice all_record_fields() {
  FieldChoice all;
  for (const RecordField& field : kFields) all.push_back({.field = &field});
  return all;
}

FieldChoice flat_record_fields(const CrawlContents& contents) {
  FieldChoice flat;
  const bool has_contents = !contents.extracted.empty() || contents.has_metadata;
  for (const RecordField& field : kFields) {
    if (field.name == kExtractedField) {
      for (const std::string& member : contents.extracted) flat.push_back({&field, member});
      continue;
    }
    const bool is_wanted = (field.name != kExtractTruncatedField || has_contents) &&
                           (object_of(field.name) != kMetadataField || contents.has_metadata);
    if (field.is_stored && is_wanted) flat.push_back({.field = &field});
  }
  return flat;
}

bool choose_field(std::string_view name, FieldChoice& choice) {
  bool is_found = false;
  for (const RecordField& field : kFields) {
    if (field.name == kExtractedField && object_of(name) == kExtractedField) {
      choice.push_back({&field, std::string(name.substr(kExtractedField.size() + 1))});
      return true;
    }
    if (field.name != name && (name.empty() || object_of(field.name) != name)) continue;
    choice.push_back({.field = &field});
    is_found = true;
  }
  return is_found;
}

FieldChoice with_unique_keys(std::span<const ChosenField> fields) {
  FieldChoice unique;
  const auto key_of = [](const ChosenField& field) {
    return group_of(field).empty() ? field.field->name : group_of(field);
  };
  for (const ChosenField& first : fields) {
    const auto has_key = [&](const ChosenField& other) { return key_of(other) == key_of(first); };
    if (std::ranges::any_of(unique, has_key)) continue;
    const auto is_whole = [&](const ChosenField& other) {
      return has_key(other) && group_of(other).empty();
    };
    // The whole object has all its members.
    if (const auto whole = std::ranges::find_if(fields, is_whole); whole != fields.end()) {
      unique.push_back(*whole);
      continue;
    }
    for (const ChosenField& member : fields) {
      const auto is_same = [&](const ChosenField& other) { return other.name() == member.name(); };
      if (has_key(member) && std::ranges::none_of(unique, is_same)) unique.push_back(member);
    }
  }
  return unique;
}

std::string to_json(const FetchRecord& record, std::span<const ChosenField> fields) {
  base::JsonLine line;
  base::JsonLine object;
  std::string scratch;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const ChosenField& chosen = fields[i];
    const RecordField& field = *chosen.field;
    const Value value = chosen.value(record, scratch);
    const std::string_view group = group_of(chosen);
    if (group.empty()) {
      add_member(line, field.name, field.kind, value);
      continue;
    }
    const std::string_view member =
        chosen.member.empty() ? field.name.substr(group.size() + 1) : chosen.member;
    add_member(object, member, field.kind, value);
    const bool is_last = i + 1 == fields.size() || group_of(fields[i + 1]) != group;
    if (!is_last) continue;
    const std::string json = object.finish();
    if (value.state != Value::State::absent) line.raw(group, json);
  }
  return line.finish();
}

}  // namespace gossamer::crawler
