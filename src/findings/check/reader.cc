#include "check/reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/bytes.h"
#include "check/mail_address.h"
#include "check/plain_text.h"
#include "check/scheme.h"
#include "html/encoding/encoder.h"
#include "html/encoding/stream.h"
#include "html/link_list.h"

namespace gossamer::check {
namespace {

html::DocumentKind sniffed_as(DocumentType type) {
  switch (type) {
    case DocumentType::html: return html::DocumentKind::html;
    case DocumentType::xml: return html::DocumentKind::xml;
    case DocumentType::css: return html::DocumentKind::css;
    default: return html::DocumentKind::text;
  }
}

Answer fault(Answer::Kind kind, std::string cause, std::string detail) {
  return {.kind = kind,
          .status = std::nullopt,
          .cause = std::move(cause),
          .detail = std::move(detail),
          .next = {}};
}

}  // namespace

DocumentType type_of_mime(std::string_view mime) noexcept {
  if (mime == "text/html" || mime == "application/xhtml+xml") return DocumentType::html;
  if (mime == "text/css") return DocumentType::css;
  if (mime == "text/xml" || mime == "application/xml") return DocumentType::xml;
  if (mime.ends_with("+xml") && mime != "image/svg+xml") return DocumentType::xml;
  return DocumentType::opaque;
}

DocumentType type_of_file(std::string_view name, std::string_view beginning) noexcept {
  struct Ending {
    std::string_view text;
    DocumentType type;
  };
  static constexpr auto kEndings = std::to_array<Ending>({
      {".md", DocumentType::markdown},
      {".markdown", DocumentType::markdown},
      {".mdown", DocumentType::markdown},
      {".mkd", DocumentType::markdown},
      {".mdx", DocumentType::markdown},
      {".qmd", DocumentType::markdown},
      {".rmd", DocumentType::markdown},
      {".rst", DocumentType::restructured_text},
      {".html", DocumentType::html},
      {".htm", DocumentType::html},
      {".xhtml", DocumentType::html},
      {".xml", DocumentType::xml},
      {".rss", DocumentType::xml},
      {".atom", DocumentType::xml},
      {".css", DocumentType::css},
      {".txt", DocumentType::url_list},
  });
  for (const Ending& ending : kEndings) {
    const std::size_t size = ending.text.size();
    if (name.size() > size &&
        base::equals_ignoring_case(name.substr(name.size() - size), ending.text)) {
      const bool is_prose = ending.type == DocumentType::url_list && !looks_like_list(beginning);
      return is_prose ? DocumentType::plain_text : ending.type;
    }
  }
  const std::string_view begun = base::trimmed(beginning, " \t\r\n");
  if (begun.starts_with("<?xml")) return DocumentType::xml;
  if (begun.starts_with('<')) return DocumentType::html;
  const bool is_text = !name.empty() && !begun.empty() && looks_like_text(beginning);
  return is_text ? DocumentType::plain_text : DocumentType::opaque;
}

DocumentReading::DocumentReading(DocumentType type, std::string_view bytes,
                                 std::string_view charset, const MarkdownRules& markdown,
                                 Words words)
    : type_(type),
      markdown_(markdown),
      words_(words),
      bytes_(bytes),
      decoder_({.kind = sniffed_as(type), .transport = html::encoding_from_label(charset)}) {}

bool DocumentReading::read_some() {
  if (steps_) return steps_->read_some(kDocumentStepBytes);
  const std::size_t expected = text_.size() + bytes_.size();
  const std::string_view piece = bytes_.substr(0, kDocumentStepBytes);
  append_large(text_, decoder_.decode(piece, scratch_), expected);
  bytes_.remove_prefix(piece.size());
  if (!bytes_.empty()) return false;
  text_ += decoder_.finish(scratch_);
  begin_reading();
  return steps_ == nullptr;
}

void DocumentReading::begin_reading() {
  switch (type_) {
    case DocumentType::html: steps_ = html_steps(text_, words_); return;
    case DocumentType::xml: steps_ = xml_steps(text_); return;
    case DocumentType::css: steps_ = css_steps(text_); return;
    case DocumentType::markdown: document_ = read_markdown(text_, markdown_); return;
    case DocumentType::restructured_text: document_ = read_restructured_text(text_); return;
    case DocumentType::url_list: document_ = read_url_list(text_); return;
    case DocumentType::plain_text: document_ = read_plain_text(text_); return;
    case DocumentType::opaque: return;
  }
}

ReadDocument DocumentReading::take() {
  ReadDocument read;
  read.document = steps_ ? steps_->take() : std::move(document_);
  if (decoder_.sniffed()) read.encoding = decoder_.sniffed()->encoding;
  return read;
}

ReadDocument read_document(DocumentType type, std::string_view bytes, std::string_view charset,
                           const MarkdownRules& markdown, Words words) {
  DocumentReading reading(type, bytes, charset, markdown, words);
  while (!reading.read_some()) {
  }
  return reading.take();
}

DocumentEntering::DocumentEntering(const DocumentPlace& place, const ReadDocument& read,
                                   const FileRules& rules, LinkUse& use, LinkBook& book)
    : links_(read.document.links),
      base_(html::document_base(place.url, read.document.base)),
      rules_(rules),
      use_(use),
      book_(book),
      page_(book.add_page(place.shown, place.url.scheme_kind() == url::SchemeKind::https)) {
  if (read.encoding) encoder_.emplace(*read.encoding);
}

bool DocumentEntering::enter_some() {
  const std::size_t stop = std::min(next_ + kStepLinks, links_.size());
  for (; next_ < stop; ++next_) enter(links_[next_]);
  return next_ == links_.size();
}

void DocumentEntering::enter(const LinkPlace& link) {
  const bool is_page = link.kind == html::LinkKind::page;
  const std::string_view text = base::trimmed(link.url, " \t\r\n\f");
  if (text.empty() && !is_page) return;  // <img src=""> loads nothing
  const bool is_of_file = base_.scheme_kind() == url::SchemeKind::file;
  if (is_of_file && text.starts_with('/')) return enter_rooted(link, text);
  resolve(link, text, base_);
}

void DocumentEntering::enter_rooted(const LinkPlace& link, std::string_view text) {
  if (text.starts_with("//")) return resolve(link, "https:" + std::string(text), base_);
  if (rules_.root) return resolve(link, "." + std::string(text), *rules_.root);
  if (rules_.base_url) return resolve(link, text, *rules_.base_url);
  add_faulty_link(link, fault(Answer::Kind::unchecked, "root_relative",
                              "it begins with /: set a root folder or a base URL"));
}

void DocumentEntering::resolve(const LinkPlace& link, std::string_view text, const url::Url& base) {
  const auto failure = target_.assign(text, &base, encoder_ ? &*encoder_ : nullptr);
  if (failure != url::UrlFailure::none) {
    return add_faulty_link(
        link, fault(Answer::Kind::broken, "bad_url", std::string(url::describe(failure))));
  }
  if (!rules_.remaps.empty() && !remap_target()) {
    return add_faulty_link(
        link, fault(Answer::Kind::broken, "bad_url", "a remapping makes an invalid URL of it"));
  }
  if (target_.is_http_or_https()) {
    if (use_.on_web) use_.on_web(target_);
    return book_.add_link(page_, link, target_);
  }
  if (target_.scheme_kind() == url::SchemeKind::file && use_.on_file) {
    use_.on_file(target_);
    return book_.add_link(page_, link, target_, use_.show(target_));
  }
  enter_foreign(link);
}

bool DocumentEntering::remap_target() {
  const auto other = rules_.remaps.apply(target_.href());
  return !other || target_.assign(*other) == url::UrlFailure::none;
}

void DocumentEntering::enter_foreign(const LinkPlace& link) {
  const SchemeVerdict verdict = judge_scheme(target_.scheme());
  if (use_.checks_mail && target_.scheme() == "mailto") {
    const std::string_view wrong = fault_of_mail(target_.pathname());
    if (wrong.empty()) return;
    return add_faulty_link(link, fault(Answer::Kind::broken, "bad_mail", std::string(wrong)));
  }
  if (verdict.fate == SchemeFate::harmless) return;
  if (verdict.fate == SchemeFate::misspelt) {
    return add_faulty_link(link, fault(Answer::Kind::broken, "bad_scheme",
                                       "did you mean " + std::string(verdict.meant) + "?"));
  }
  add_faulty_link(link, fault(Answer::Kind::unchecked, "scheme",
                              std::string(target_.scheme()) + ": links are not checked"));
}

void DocumentEntering::add_faulty_link(const LinkPlace& link, Answer answer) {
  const bool is_excluded = use_.is_excluded && use_.is_excluded(link.url);
  if (is_excluded)
    answer = fault(Answer::Kind::unchecked, "excluded", "an exclude pattern matches");
  book_.add_faulty_link(page_, link, std::move(answer));
}

void enter_document(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
                    LinkUse& use, LinkBook& book) {
  DocumentEntering entering(place, read, rules, use, book);
  while (!entering.enter_some()) {
  }
}

}  // namespace gossamer::check
