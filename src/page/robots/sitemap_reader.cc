#include "robots/sitemap_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "robots/gunzip.h"
#include "robots/sitemap_collector.h"
#include "robots/sitemap_text.h"
#include "robots/sitemap_xml.h"

namespace gossamer::robots {
namespace {

// The bounds are checked between pieces.
constexpr std::size_t kPieceBytes = 256 * 1024;

constexpr std::string_view kMark = "\xEF\xBB\xBF";
constexpr std::size_t kWideMarkBytes = 2;  // of UTF-16
constexpr std::string_view kSitemapBlanks = " \t\r\n\f\v";

std::string_view without_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kSitemapBlanks), text.size()));
}

}  // namespace

struct SitemapReader::State {
  State(const SitemapOptions& given, SitemapSink& sink) : options(given), collector(given, sink) {}

  void feed(std::string_view bytes);
  void unpack(std::string_view packed);
  void feed_plain(std::string_view bytes);
  void feed_form(std::string_view bytes, bool is_whole);
  void feed_piece(std::string_view bytes);
  bool choose_form(std::string_view& bytes, bool is_whole);
  void finish();

  void fail(Errc code, std::string detail) {
    if (!trouble) trouble.emplace(code, std::move(detail));
  }

  SitemapOptions options;
  SitemapCollector collector;
  std::optional<Error> trouble;
  std::size_t bytes_read = 0;  // unpacked
  std::string start;           // held until the format is known
  bool is_packing_known = false;
  bool is_unpacked = false;  // all members have ended
  std::unique_ptr<Gunzip> gunzip;
  std::unique_ptr<SitemapXml> xml;
  std::unique_ptr<SitemapText> text;
};

void SitemapReader::State::feed(std::string_view bytes) {
  if (trouble || bytes.empty()) return;
  if (is_packing_known) return gunzip ? unpack(bytes) : feed_plain(bytes);
  // Two bytes distinguish gzip from everything else.
  if (start.empty() && bytes.size() == 1) {
    start = bytes;
    return;
  }
  is_packing_known = true;
  std::string joined = std::exchange(start, {});
  if (!joined.empty()) bytes = joined.append(bytes);
  if (Gunzip::is_gzip(bytes)) gunzip = std::make_unique<Gunzip>();
  return gunzip ? unpack(bytes) : feed_plain(bytes);
}

void SitemapReader::State::unpack(std::string_view packed) {
  if (is_unpacked) return;
  std::string_view piece;
  gunzip->give(packed);
  Gunzip::Outcome outcome = gunzip->next(piece);
  for (; outcome == Gunzip::Outcome::piece && !trouble; outcome = gunzip->next(piece)) {
    feed_plain(piece);
  }
  is_unpacked = outcome == Gunzip::Outcome::done;
  if (outcome == Gunzip::Outcome::broken) {
    // Report it, but keep the entries read so far.
    if (xml) xml->finish();
    fail(Errc::malformed, "sitemap: the gzip data is damaged");
  }
}

void SitemapReader::State::feed_plain(std::string_view bytes) {
  const std::size_t room = options.bytes_max - bytes_read;
  const bool is_over = bytes.size() > room;
  bytes = bytes.substr(0, room);
  bytes_read += bytes.size();
  feed_form(bytes, /*is_whole=*/false);
  if (is_over)
    fail(Errc::over_limit, "sitemap: larger than " + std::to_string(options.bytes_max) + " bytes");
}

void SitemapReader::State::feed_form(std::string_view bytes, bool is_whole) {
  if (xml || text) return feed_piece(bytes);
  std::string joined = std::exchange(start, {});
  if (!joined.empty()) bytes = joined.append(bytes);
  if (choose_form(bytes, is_whole)) {
    feed_piece(bytes);
  } else {
    start = std::string(bytes);
  }
}

// Drops the byte order mark and white space at the start, since an XML declaration must come first,
// and then determines the format. Returns false if it is not known yet; `bytes` is then the part to
// keep.
bool SitemapReader::State::choose_form(std::string_view& bytes, bool is_whole) {
  std::string_view rest = without_blanks(bytes);
  if (rest.size() < kMark.size() && !is_whole) {
    bytes = rest;
    return false;
  }
  const std::string_view from_mark = rest;
  if (rest.starts_with(kMark)) rest = without_blanks(rest.substr(kMark.size()));
  if (rest.size() < kWideMarkBytes && !is_whole) {
    bytes = rest.empty() ? from_mark.substr(0, kMark.size()) : from_mark;
    return false;
  }
  const bool is_wide = rest.starts_with("\xFF\xFE") || rest.starts_with("\xFE\xFF") ||
                       rest.starts_with(std::string_view("\0<", 2));
  if (is_wide || rest.starts_with('<')) {
    xml = std::make_unique<SitemapXml>(options, collector);
  } else {
    text = std::make_unique<SitemapText>(collector);
  }
  bytes = rest;
  return true;
}

void SitemapReader::State::feed_piece(std::string_view bytes) {
  while (!bytes.empty() && !trouble) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    bytes.remove_prefix(piece.size());
    if (xml) xml->feed(piece);
    if (text) text->feed(piece);
    std::optional<Error>& found = xml ? xml->trouble() : text->trouble();
    if (found) trouble = std::move(found);
  }
}

void SitemapReader::State::finish() {
  if (trouble) return;
  feed_form({}, /*is_whole=*/true);
  if (trouble) return;
  if (xml) xml->finish();
  if (text) text->finish();
  std::optional<Error>& found = xml ? xml->trouble() : text->trouble();
  if (found) trouble = std::move(found);
  if (gunzip && !is_unpacked) fail(Errc::malformed, "sitemap: the gzip data is truncated");
}

SitemapReader::SitemapReader(const SitemapOptions& options, SitemapSink& sink)
    : state_(std::make_unique<State>(options, sink)) {}

SitemapReader::~SitemapReader() = default;

void SitemapReader::feed(std::string_view bytes) { state_->feed(bytes); }
void SitemapReader::finish() { state_->finish(); }

SitemapKind SitemapReader::kind() const {
  if (state_->xml) return state_->xml->kind();
  return state_->text && state_->text->has_urls() ? SitemapKind::text : SitemapKind::unknown;
}

std::optional<WallTime> SitemapReader::last_modified() const {
  return state_->xml ? state_->xml->last_modified() : std::nullopt;
}

std::size_t SitemapReader::entry_count() const { return state_->collector.count(); }
std::size_t SitemapReader::rejected() const { return state_->collector.rejected(); }
std::optional<Error>& SitemapReader::trouble() { return state_->trouble; }

}  // namespace gossamer::robots
