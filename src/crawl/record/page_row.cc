#include "record/page_row.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/errc.h"
#include "base/packing.h"
#include "content/metadata.h"
#include "content/text_sketch.h"
#include "record/outcome.h"

// A row begins with the version of its layout. Older layouts stay readable; newer ones are
// rejected.
namespace gossamer::store {
namespace {

constexpr std::uint64_t kVersion = 1;
// Version 1 has no count of truncated bodies.
constexpr std::uint64_t kStatisticsVersion = 3;

enum PageFlag : std::uint64_t {
  kHasStatus = 1,
  kHasDigest = 2,
  kHasArchive = 4,
  kHasFacts = 8,
  kPageIsRequisite = 16,
  kIsTruncated = 32,
  kPageIsLeaf = 64,
  kIsReused = 128,
  kIsTls = 256,
  kIsConfirmed = 512,
  kHasTextDigest = 1024,
  kHasExtracted = 2048,
  kIsExtractTruncated = 4096,
  kHasRobots = 65536,
  kHasMetadata = 131072,
  kHasSketch = 262144,
  kIsGuess = 524288,
  kHasNewerMetadata = 1048576,
};
constexpr std::uint64_t kKnownFlags =
    kHasStatus | kHasDigest | kHasArchive | kHasFacts | kPageIsRequisite | kIsTruncated |
    kPageIsLeaf | kIsReused | kIsTls | kIsConfirmed | kHasTextDigest | kHasExtracted |
    kIsExtractTruncated | kHasRobots | kHasMetadata | kHasSketch | kIsGuess | kHasNewerMetadata;

// Codes in records are views of strings with static lifetime.
std::string_view error_named(std::string_view name) {
  if (name.empty()) return {};
  for (const std::string_view known : {crawler::kTooManyRedirects, crawler::kRedirectLoop,
                                       crawler::kBadRedirect, crawler::kUnwantedType}) {
    if (name == known) return known;
  }
  for (std::size_t i = 0; i < base::kErrcCount; ++i) {
    const std::string_view known = base::name(static_cast<Errc>(i));
    if (name == known) return known;
  }
  return base::name(Errc::internal);
}

std::string_view protocol_named(std::string_view name) {
  for (const std::string_view known : {"HTTP/1.1", "HTTP/1.0", "HTTP/2"}) {
    if (name == known) return known;
  }
  return {};
}

void pack_facts(Packer& packer, const http::ExchangeFacts& facts) {
  packer.text(facts.connection.remote.to_string());
  packer.text(facts.protocol);
  for (const Duration part : {facts.connection.dns, facts.connection.connect,
                              facts.connection.handshake, facts.first_byte, facts.total}) {
    packer.signed_number(part.count());
  }
  packer.number(facts.bytes_sent);
  packer.number(facts.bytes_received);
}

http::ExchangeFacts unpack_facts(Unpacker& from) {
  http::ExchangeFacts facts;
  if (auto remote = async::Endpoint::parse(from.text())) facts.connection.remote = *remote;
  facts.protocol = protocol_named(from.text());
  for (Duration* const part : {&facts.connection.dns, &facts.connection.connect,
                               &facts.connection.handshake, &facts.first_byte, &facts.total}) {
    *part = Duration(from.signed_number());
  }
  facts.bytes_sent = from.number();
  facts.bytes_received = from.number();
  return facts;
}

void pack_extracted(Packer& packer, const crawler::FetchRecord& record) {
  packer.number(record.extracted.size());
  for (const auto& field : record.extracted) {
    packer.text(field.name);
    packer.number(field.is_list ? 1 : 0);
    packer.number(field.values.size());
    for (const std::string& value : field.values) packer.text(value);
  }
}

void unpack_extracted(Unpacker& from, crawler::FetchRecord& record) {
  for (std::uint64_t fields = from.number(); fields > 0 && from.is_good(); --fields) {
    auto& field = record.extracted.emplace_back();
    field.name = from.text();
    field.is_list = from.number() != 0;
    for (std::uint64_t values = from.number(); values > 0 && from.is_good(); --values) {
      field.values.emplace_back(from.text());
    }
  }
}

// The texts and numbers of metadata, in order.
template <class Metadata, class OnText, class OnNumber>
void for_each_value(Metadata& metadata, OnText on_text, OnNumber on_number) {
  for (auto* const text : {&metadata.language, &metadata.detected_language, &metadata.canonical,
                           &metadata.description, &metadata.author, &metadata.published,
                           &metadata.modified, &metadata.json_ld, &metadata.microdata}) {
    on_text(*text);
  }
  for (auto* const number : {&metadata.json_ld_faults, &metadata.words, &metadata.images,
                             &metadata.images_without_alt, &metadata.scripts}) {
    on_number(*number);
  }
}

// The texts that earlier rows do not have. Later ones may have more.
template <class Metadata>
auto newer_texts(Metadata& metadata) {
  return std::array{&metadata.headline};
}

void pack_newer_metadata(Packer& packer, const content::Metadata& metadata) {
  const auto texts = newer_texts(metadata);
  packer.number(texts.size());
  for (const std::string* const text : texts) packer.text(*text);
}

void unpack_newer_metadata(Unpacker& from, content::Metadata& metadata) {
  const auto texts = newer_texts(metadata);
  const std::uint64_t count = from.number();
  for (std::uint64_t i = 0; i < count && from.is_good(); ++i) {
    const std::string_view text = from.text();
    if (i < texts.size()) *texts[i] = text;
  }
}

void pack_metadata(Packer& packer, const content::Metadata& metadata) {
  for_each_value(
      metadata, [&](const std::string& text) { packer.text(text); },
      [&](std::uint64_t number) { packer.number(number); });
  packer.number(metadata.translations.size());
  for (const auto& one : metadata.translations) {
    packer.text(one.language);
    packer.text(one.url);
  }
  for (const auto* const list : {&metadata.open_graph, &metadata.twitter}) {
    packer.number(list->size());
    for (const auto& property : *list) {
      packer.text(property.name);
      packer.text(property.value);
    }
  }
  packer.number(metadata.headings.size());
  for (const auto& heading : metadata.headings) {
    packer.number(heading.level);
    packer.text(heading.text);
  }
}

content::Metadata unpack_metadata(Unpacker& from) {
  content::Metadata metadata;
  for_each_value(
      metadata, [&](std::string& text) { text = from.text(); },
      [&](std::uint64_t& number) { number = from.number(); });
  for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
    auto& one = metadata.translations.emplace_back();
    one.language = from.text();
    one.url = from.text();
  }
  for (auto* const list : {&metadata.open_graph, &metadata.twitter}) {
    for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
      auto& property = list->emplace_back();
      property.name = from.text();
      property.value = from.text();
    }
  }
  for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
    auto& heading = metadata.headings.emplace_back();
    heading.level = from.number();
    heading.text = from.text();
  }
  return metadata;
}

void pack_sketch(Packer& packer, const crawler::FetchRecord& record) {
  const content::TextSketch& sketch = *record.sketch;
  packer.fixed64(sketch.digest);
  packer.text(as_text(std::as_bytes(std::span(sketch.values))));
  packer.text(record.similar_to);
}

void unpack_sketch(Unpacker& from, crawler::FetchRecord& record) {
  content::TextSketch sketch = {.digest = from.fixed64()};
  const Bytes values = as_bytes(from.text());
  std::ranges::copy(values.first(std::min(values.size(), sketch.values.size())),
                    std::as_writable_bytes(std::span(sketch.values)).begin());
  record.similar_to = from.text();
  record.sketch = std::make_shared<const content::TextSketch>(sketch);
}

std::uint64_t flags_of(const crawler::FetchRecord& record) {
  return (record.status ? kHasStatus : 0U) | (record.digest ? kHasDigest : 0U) |
         (record.archive ? kHasArchive : 0U) | (record.status ? kHasFacts : 0U) |
         (record.is_requisite ? kPageIsRequisite : 0U) | (record.is_truncated ? kIsTruncated : 0U) |
         (record.is_leaf ? kPageIsLeaf : 0U) | (record.facts.reused ? kIsReused : 0U) |
         (record.facts.connection.is_tls ? kIsTls : 0U) | (record.confirmed ? kIsConfirmed : 0U) |
         (record.text_digest ? kHasTextDigest : 0U) |
         (record.extracted.empty() ? 0U : kHasExtracted) |
         (record.is_extract_truncated ? kIsExtractTruncated : 0U) |
         (record.robots.empty() ? 0U : kHasRobots) | (record.metadata ? kHasMetadata : 0U) |
         (record.sketch ? kHasSketch : 0U) | (record.is_guess ? kIsGuess : 0U) |
         (record.metadata ? kHasNewerMetadata : 0U);
}

// The texts of a record, in order.
template <class Record, class Use>
void for_each_text(Record& record, Use use) {
  for (auto* const text :
       {&record.url, &record.next_url, &record.error_detail, &record.mime, &record.charset,
        &record.via, &record.duplicate_of, &record.title, &record.etag, &record.last_modified}) {
    use(*text);
  }
}

crawler::SkipReason reason_named(std::string_view name) {
  for (std::size_t i = 0; i < crawler::kSkipReasons; ++i) {
    const auto reason = static_cast<crawler::SkipReason>(i);
    if (crawler::name(reason) == name) return reason;
  }
  return crawler::SkipReason::none;
}

using crawler::Outcome;

// Redirects and errors were there before the others.
constexpr auto kOtherOutcomes =
    std::to_array({Outcome::page, Outcome::truncated, Outcome::unwanted});

template <class Statistics>
auto& outcome_in(Statistics& statistics, Outcome outcome) {
  return statistics.outcomes[static_cast<std::size_t>(outcome)];
}

// Earlier versions counted only redirects and failed responses, not statuses.
void count_outcomes_of_statuses(crawler::Statistics& statistics) {
  for (const std::string_view name : {crawler::kUnwantedType, base::name(Errc::cancelled)}) {
    auto moved = statistics.by_error.extract(std::string(name));
    if (!moved.empty()) statistics.by_unwanted.insert(std::move(moved));
  }
  for (const auto& [status, count] : statistics.by_status) {
    if (status >= 400) statistics.by_error[std::to_string(status)] += count;
  }
  const auto cut = statistics.by_error.extract(std::string(base::name(Errc::over_limit)));
  std::uint64_t left = statistics.pages;
  const auto take = [&](Outcome outcome, std::uint64_t count) {
    outcome_in(statistics, outcome) = std::min(count, left);
    left -= std::min(count, left);
  };
  const auto sum = [](const auto& counts) {
    std::uint64_t all = 0;
    for (const auto& [name, count] : counts) all += count;
    return all;
  };
  take(Outcome::redirect, outcome_in(statistics, Outcome::redirect));
  take(Outcome::truncated, cut.empty() ? 0 : cut.mapped());
  take(Outcome::error, sum(statistics.by_error));
  take(Outcome::unwanted, sum(statistics.by_unwanted));
  take(Outcome::page, left);
}

template <class Statistics>
auto numbers_of(Statistics& statistics) {
  return std::array{&statistics.pages,
                    &statistics.answered,
                    &outcome_in(statistics, Outcome::redirect),
                    &outcome_in(statistics, Outcome::error),
                    &statistics.retries,
                    &statistics.duplicates,
                    &statistics.bytes,
                    &statistics.wire_bytes,
                    &statistics.links_found,
                    &statistics.links_new};
}

}  // namespace

std::string pack_page(const crawler::FetchRecord& record) {
  Packer packer;
  packer.number(kVersion);
  packer.number(flags_of(record));
  packer.signed_number(record.ts.seconds);
  packer.number(record.ts.nanoseconds);
  packer.text(record.error);
  for_each_text(record, [&](const std::string& text) { packer.text(text); });
  for (const std::uint64_t number :
       {record.bytes, record.wire_bytes, std::uint64_t{record.depth},
        std::uint64_t{record.links_found}, std::uint64_t{record.links_new},
        std::uint64_t{record.tries}}) {
    packer.number(number);
  }
  if (record.confirmed) packer.signed_number(record.confirmed->seconds);
  if (record.status) packer.signed_number(*record.status);
  if (record.digest) packer.fixed64(*record.digest);
  if (record.archive) {
    packer.text(record.archive->file);
    packer.number(record.archive->offset);
    packer.number(record.archive->length);
  }
  if (record.status) pack_facts(packer, record.facts);
  if (record.text_digest) packer.fixed64(*record.text_digest);
  if (!record.extracted.empty()) pack_extracted(packer, record);
  if (!record.robots.empty()) packer.text(record.robots);
  if (record.metadata) pack_metadata(packer, *record.metadata);
  if (record.sketch) pack_sketch(packer, record);
  if (record.metadata) pack_newer_metadata(packer, *record.metadata);
  return std::move(packer).take();
}

Result<crawler::FetchRecord> unpack_page(std::string_view row) {
  Unpacker from(row);
  if (from.number() != kVersion)
    return fail(Errc::malformed, "the row of a page has another version");
  crawler::FetchRecord record;
  const std::uint64_t flags = from.number();
  // What it announces would be read as something else.
  if ((flags & ~kKnownFlags) != 0) return fail(Errc::malformed, "the row of a page is newer");
  record.ts.seconds = from.signed_number();
  record.ts.nanoseconds = static_cast<std::uint32_t>(from.number());
  record.error = error_named(from.text());
  for_each_text(record, [&](std::string& text) { text = from.text(); });
  record.bytes = from.number();
  record.wire_bytes = from.number();
  for (std::uint32_t* const number :
       {&record.depth, &record.links_found, &record.links_new, &record.tries}) {
    *number = static_cast<std::uint32_t>(from.number());
  }
  if ((flags & kIsConfirmed) != 0) record.confirmed = WallTime{.seconds = from.signed_number()};
  if ((flags & kHasStatus) != 0) record.status = static_cast<int>(from.signed_number());
  if ((flags & kHasDigest) != 0) record.digest = from.fixed64();
  if ((flags & kHasArchive) != 0) {
    record.archive.emplace();
    record.archive->file = from.text();
    record.archive->offset = from.number();
    record.archive->length = from.number();
  }
  if ((flags & kHasFacts) != 0) record.facts = unpack_facts(from);
  if ((flags & kHasTextDigest) != 0) record.text_digest = from.fixed64();
  if ((flags & kHasExtracted) != 0) unpack_extracted(from, record);
  if ((flags & kHasRobots) != 0) record.robots = from.text();
  std::shared_ptr<content::Metadata> metadata;
  if ((flags & kHasMetadata) != 0) {
    metadata = std::make_shared<content::Metadata>(unpack_metadata(from));
  }
  if ((flags & kHasSketch) != 0) unpack_sketch(from, record);
  if ((flags & kHasNewerMetadata) != 0 && metadata) unpack_newer_metadata(from, *metadata);
  record.metadata = std::move(metadata);
  record.is_extract_truncated = (flags & kIsExtractTruncated) != 0;
  record.facts.reused = (flags & kIsReused) != 0;
  record.facts.connection.is_tls = (flags & kIsTls) != 0;
  record.is_requisite = (flags & kPageIsRequisite) != 0;
  record.is_truncated = (flags & kIsTruncated) != 0;
  record.is_leaf = (flags & kPageIsLeaf) != 0;
  record.is_guess = (flags & kIsGuess) != 0;
  if (!from.is_good() || !from.is_at_end()) return fail(Errc::malformed, "invalid row of a page");
  return record;
}

void pack_skip(std::string& row, const crawler::SkippedUrl& skipped) {
  Packer packer;
  packer.text(skipped.url);
  packer.text(crawler::name(skipped.reason));
  packer.text(skipped.via);
  packer.number(skipped.depth);
  packer.text(skipped.detail);
  row += std::move(packer).take();
}

Result<std::vector<StoredSkip>> unpack_skips(std::string_view row) {
  Unpacker from(row);
  std::vector<StoredSkip> skips;
  while (from.is_good() && !from.is_at_end()) {
    StoredSkip skip;
    skip.url = from.text();
    skip.reason = reason_named(from.text());
    skip.via = from.text();
    skip.depth = static_cast<std::uint32_t>(from.number());
    skip.detail = from.text();
    skips.push_back(std::move(skip));
  }
  if (!from.is_good()) return fail(Errc::malformed, "invalid row of skipped URLs");
  return skips;
}

std::string pack_statistics(const crawler::Statistics& statistics) {
  Packer packer;
  packer.number(kStatisticsVersion);
  for (const std::uint64_t* const number : numbers_of(statistics)) packer.number(*number);
  packer.number(statistics.truncated);
  for (const Outcome outcome : kOtherOutcomes) packer.number(outcome_in(statistics, outcome));
  packer.number(statistics.by_status.size());
  for (const auto& [status, count] : statistics.by_status) {
    packer.signed_number(status);
    packer.number(count);
  }
  for (const auto* const map :
       {&statistics.by_type, &statistics.by_error, &statistics.by_unwanted}) {
    packer.number(map->size());
    for (const auto& [name, count] : *map) {
      packer.text(name);
      packer.number(count);
    }
  }
  for (std::size_t i = 0; i < crawler::kSkipReasons; ++i) {
    if (statistics.skipped[i] == 0) continue;
    packer.text(crawler::name(static_cast<crawler::SkipReason>(i)));
    packer.number(statistics.skipped[i]);
  }
  return std::move(packer).take();
}

Result<crawler::Statistics> unpack_statistics(std::string_view row) {
  Unpacker from(row);
  const std::uint64_t version = from.number();
  if (version == 0 || version > kStatisticsVersion)
    return fail(Errc::malformed, "the statistics have another version");
  crawler::Statistics statistics;
  for (std::uint64_t* const number : numbers_of(statistics)) *number = from.number();
  if (version > 1) statistics.truncated = from.number();
  for (const Outcome outcome : kOtherOutcomes) {
    if (version > 2) outcome_in(statistics, outcome) = from.number();
  }
  for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
    const int status = static_cast<int>(from.signed_number());
    statistics.by_status[status] = from.number();
  }
  for (auto* const map : {&statistics.by_type, &statistics.by_error, &statistics.by_unwanted}) {
    if (map == &statistics.by_unwanted && version < 3) break;
    for (std::uint64_t left = from.number(); left > 0 && from.is_good(); --left) {
      std::string name(from.text());
      (*map)[std::move(name)] = from.number();
    }
  }
  while (from.is_good() && !from.is_at_end()) {
    const crawler::SkipReason reason = reason_named(from.text());
    statistics.add(reason, from.number());
  }
  if (!from.is_good()) return fail(Errc::malformed, "invalid statistics");
  if (version < 3) count_outcomes_of_statuses(statistics);
  return statistics;
}

}  // namespace gossamer::store
