#include "check/reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "check/plain_text.h"
#include "check/scheme.h"
#include "html/encoding_encoder.h"
#include "html/encoding_stream.h"
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

Document read_as(DocumentType type, std::string_view text) {
  switch (type) {
    case DocumentType::html: return read_html(text);
    case DocumentType::xml: return read_xml(text);
    case DocumentType::css: return read_css(text);
    case DocumentType::markdown: return read_markdown(text);
    case DocumentType::restructured_text: return read_restructured_text(text);
    case DocumentType::url_list: return read_url_list(text);
    case DocumentType::plain_text: return read_plain_text(text);
    case DocumentType::opaque: break;
  }
  return {};
}

Answer fault(Answer::Kind kind, std::string cause, std::string detail) {
  return {.kind = kind,
          .status = std::nullopt,
          .cause = std::move(cause),
          .detail = std::move(detail),
          .next = {}};
}

// The links of one document, on their way into the ledger.
class Entering {
 public:
  Entering(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
           LinkUse& use, Ledger& ledger)
      : base_(html::document_base(place.url, read.document.base)),
        rules_(rules),
        use_(use),
        ledger_(ledger),
        page_(ledger.add_page(place.shown, place.url.scheme_kind() == url::SchemeKind::https)) {
    if (read.encoding) encoder_.emplace(*read.encoding);
  }

  void enter(const LinkPlace& link) {
    const bool is_page = link.kind == html::LinkKind::page;
    const std::string_view text = base::trimmed(link.url, " \t\r\n\f");
    if (text.empty() && !is_page) return;  // <img src=""> is a part that is left out
    const bool is_of_file = base_.scheme_kind() == url::SchemeKind::file;
    if (is_of_file && text.starts_with('/')) return enter_rooted(link, text);
    resolve(link, text, base_);
  }

 private:
  void enter_rooted(const LinkPlace& link, std::string_view text) {
    if (text.starts_with("//")) return resolve(link, "https:" + std::string(text), base_);
    if (rules_.root) return resolve(link, "." + std::string(text), *rules_.root);
    if (rules_.base_url) return resolve(link, text, *rules_.base_url);
    add_faulty_link(link, fault(Answer::Kind::unchecked, "root_relative",
                                "where / is, say --root-dir or --base-url"));
  }

  void resolve(const LinkPlace& link, std::string_view text, const url::Url& base) {
    const auto failure = target_.assign(text, &base, encoder_ ? &*encoder_ : nullptr);
    if (failure != url::UrlFailure::none) {
      return add_faulty_link(
          link, fault(Answer::Kind::broken, "bad_url", std::string(url::describe(failure))));
    }
    if (target_.is_http_or_https()) {
      if (use_.on_web) use_.on_web(target_);
      return ledger_.add_link(page_, link, target_);
    }
    if (target_.scheme_kind() == url::SchemeKind::file && use_.on_file) {
      use_.on_file(target_);
      return ledger_.add_link(page_, link, target_, use_.show(target_));
    }
    enter_foreign(link);
  }

  void enter_foreign(const LinkPlace& link) {
    const SchemeVerdict verdict = judge_scheme(target_.scheme());
    if (verdict.fate == SchemeFate::harmless) return;
    if (verdict.fate == SchemeFate::misspelt) {
      return add_faulty_link(link, fault(Answer::Kind::broken, "bad_scheme",
                                         "did you mean " + std::string(verdict.meant) + "?"));
    }
    add_faulty_link(link, fault(Answer::Kind::unchecked, "scheme",
                                std::string(target_.scheme()) + ": links are not checked"));
  }

  void add_faulty_link(const LinkPlace& link, Answer answer) {
    const bool is_excluded = use_.is_excluded && use_.is_excluded(link.url);
    if (is_excluded) answer = fault(Answer::Kind::unchecked, "excluded", "an --exclude matches");
    ledger_.add_faulty_link(page_, link, std::move(answer));
  }

  const url::Url base_;
  const FileRules& rules_;
  LinkUse& use_;
  Ledger& ledger_;
  const std::uint32_t page_;
  std::optional<html::Encoder> encoder_;
  url::Url target_;
};

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

ReadDocument read_document(DocumentType type, std::string_view bytes, std::string_view charset) {
  const bool is_page = type == DocumentType::html && !charset.empty();
  html::DecodingStream decoder(
      {.kind = sniffed_as(type),
       .transport = html::encoding_from_label(charset),
       .fallback = is_page ? html::Encoding::windows_1252 : html::Encoding::utf_8});
  std::string scratch;
  std::string text(decoder.decode(bytes, scratch));
  text += decoder.finish(scratch);
  ReadDocument read;
  read.document = read_as(type, text);
  if (decoder.sniffed()) read.encoding = decoder.sniffed()->encoding;
  return read;
}

void enter_document(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
                    LinkUse& use, Ledger& ledger) {
  Entering entering(place, read, rules, use, ledger);
  for (const LinkPlace& link : read.document.links) entering.enter(link);
}

}  // namespace gossamer::check
