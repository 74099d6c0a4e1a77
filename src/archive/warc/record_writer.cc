#include "warc/record_writer.h"

#include <libdeflate.h>

#include <algorithm>
#include <new>

#include "base/check.h"
#include "wire/text.h"

namespace gossamer::warc {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

void append_escape(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

void append_field(std::string& out, std::string_view name, std::string_view value) {
  CHECK(wire::is_token(name), "`{}` is not a field name", name);
  out += name;
  out += ": ";
  for (const char c : value) {
    is_control(c) ? append_escape(out, c) : out.push_back(c);
  }
  out += "\r\n";
}

std::string escaped_uri(std::string_view uri) {
  std::string out;
  for (const char c : uri) {
    is_control(c) || c == ' ' ? append_escape(out, c) : out.push_back(c);
  }
  return out;
}

BlockFacts facts_of(const Block& block, DigestAlgorithm algorithm) {
  Digester digester(algorithm);
  digester.update(as_bytes(block.head));
  digester.update(block.body);
  digester.update(as_bytes(block.tail));
  return {.bytes = block.bytes(), .digest = digester.digest()};
}

std::string record_head(const RecordDraft& draft, const BlockFacts& facts) {
  CHECK(draft.type != RecordType::unknown && draft.type != RecordType::arc_header);
  std::string head = "WARC/1.1\r\n";
  append_field(head, "WARC-Type", name(draft.type));
  append_field(head, "WARC-Record-ID", draft.id.text());
  append_field(head, "WARC-Date", base::to_rfc3339(draft.date, draft.date_digits));
  if (!draft.target_uri.empty()) {
    append_field(head, "WARC-Target-URI", escaped_uri(draft.target_uri));
  }
  for (const Fields::Field& field : draft.fields) append_field(head, field.name, field.value);
  if (draft.payload_digest) {
    append_field(head, "WARC-Payload-Digest", draft.payload_digest->to_string());
  }
  append_field(head, "WARC-Block-Digest", facts.digest.to_string());
  if (!draft.content_type.empty()) append_field(head, "Content-Type", draft.content_type);
  append_field(head, "Content-Length", std::to_string(facts.bytes));
  return head += "\r\n";
}

void RecordWriter::Deleter::operator()(libdeflate_compressor* compressor) const noexcept {
  libdeflate_free_compressor(compressor);
}

RecordWriter::RecordWriter(const WriterOptions& options) : options_(options) {
  CHECK(options.level >= 1 && options.level <= 12);
  if (!options.compress) return;
  compressor_.reset(libdeflate_alloc_compressor(options.level));
  if (compressor_ == nullptr) throw std::bad_alloc();
}

RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;
RecordWriter::~RecordWriter() = default;

void RecordWriter::append(const RecordDraft& draft, std::string& out) {
  // zlib's overhead per member is so large that compressing less than this is faster.
  constexpr std::size_t kStoredBytesMin = 2048;
  const bool stores_body = draft.block.is_body_packed && draft.block.body.size() >= kStoredBytesMin;
  if (options_.compress && stores_body) {
    return append_with_stored_body(record_head(draft, facts_of(draft.block, options_.digest)),
                                   draft.block, out);
  }
  std::string& plain = options_.compress ? plain_ : out;
  if (options_.compress) plain_.clear();
  plain += record_head(draft, facts_of(draft.block, options_.digest));
  plain += draft.block.head;
  plain += as_text(draft.block.body);
  plain += draft.block.tail;
  plain += kRecordEnd;
  if (!options_.compress) return;
  const std::size_t before = out.size();
  const std::size_t bound = libdeflate_gzip_compress_bound(compressor_.get(), plain_.size());
  out.resize_and_overwrite(before + bound, [&](char* data, std::size_t size) {
    const std::size_t written = libdeflate_gzip_compress(
        compressor_.get(), plain_.data(), plain_.size(), data + before, size - before);
    CHECK(written > 0);  // the bound is sufficient
    return before + written;
  });
}

void RecordWriter::append_with_stored_body(const std::string& head, const Block& block,
                                           std::string& out) {
  constexpr int kZlibLevelMax = 9;
  if (!member_) member_ = std::make_unique<MemberWriter>(std::min(options_.level, kZlibLevelMax));
  plain_.assign(head).append(block.head);
  member_->write(as_bytes(plain_), out);
  member_->store(block.body, out);
  member_->store(as_bytes(block.tail), out);
  member_->store(as_bytes(kRecordEnd), out);
  member_->finish(out);
}

}  // namespace gossamer::warc
