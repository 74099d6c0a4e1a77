#include "site/site.h"

#include "base/hash.h"
#include "site/compression.h"
#include "site/documents.h"
#include "site/page_writer.h"

namespace gossamer::site {
namespace {

enum : std::uint64_t { kPace = 300, kPicture, kLocation };  // the purposes of our draws
constexpr std::string_view kHtml = "text/html; charset=utf-8";

void set_body(Answer& answer, std::string_view type, std::string body) {
  answer.fields.emplace_back("Content-Type", type);
  answer.body = std::move(body);
}

// Makes the response late, or sends it in small pieces.
void slow_down(Answer& answer, Duration about, base::Random random) {
  const auto drawn = std::chrono::duration_cast<Duration>(about * (0.5 + random.unit()));
  if (random.chance(0.5)) {
    answer.pace.delay += drawn;
  } else {
    answer.pace.piece_bytes = answer.body.size() / 8 + 1;
    answer.pace.between = drawn / 8;
  }
}

}  // namespace

Answer Site::answer(const Question& question) const {
  const auto host = layout_.find_host(question.host);
  Answer answer;
  if (!host) {
    answer.status = 421;
    set_body(answer, kHtml, write_notice("Misdirected"));
    return answer;
  }
  answer.pace.delay = options().delay;
  const Resource resource = layout_.find(*host, question.target);
  switch (resource.kind) {
    case Kind::page:
    case Kind::copy: add_page(answer, resource, question.accepts_gzip); break;
    case Kind::document:
      set_body(answer, "application/pdf", write_document(resource.number));
      break;
    case Kind::style: set_body(answer, "text/css", write_style(layout_, resource.number)); break;
    case Kind::image: {
      base::Random random = layout_.random(resource, kPicture);
      const auto side = static_cast<std::uint32_t>(random.between(8, 64));
      set_body(answer, "image/png", write_png(side, random.next()));
      break;
    }
    case Kind::robots: set_body(answer, "text/plain", write_robots(layout_, *host)); break;
    case Kind::sitemap:
      set_body(answer, "application/xml", write_sitemap(layout_, *host, resource.number));
      break;
    case Kind::trap:
      set_body(answer, kHtml,
               write_trap(question.target, base::hash64(question.target, options().seed)));
      break;
    case Kind::moved:
    case Kind::redirect:
    case Kind::missing:
    case Kind::error:
    case Kind::nothing: break;
  }
  add_outcome(answer, resource, question.attempt);
  return answer;
}

void Site::add_page(Answer& answer, const Resource& resource, bool accepts_gzip) const {
  const PageTraits traits = layout_.traits(resource);
  set_body(answer, content_type_of(traits), write_page(layout_, resource));
  answer.is_chunked = traits.is_chunked;
  if (traits.nofollow == PageNofollow::header) {
    answer.fields.emplace_back("X-Robots-Tag", "nofollow");
  }
  if (traits.is_gzipped) answer.fields.emplace_back("Vary", "Accept-Encoding");
  if (traits.is_gzipped && accepts_gzip) {
    answer.fields.emplace_back("Content-Encoding", "gzip");
    answer.body = gzip(answer.body);
  }
  if (traits.is_slow) slow_down(answer, options().slow_delay, layout_.random(resource, kPace));
}

void Site::add_outcome(Answer& answer, const Resource& resource, std::uint32_t attempt) const {
  const Outcome outcome = layout_.outcome(resource);
  answer.status = outcome.status;
  answer.is_steady = outcome.failures == 0;
  const bool fails = attempt < outcome.failures;
  if (outcome.status == 0) {
    answer.pace.bytes_max = 0;
  } else if (fails && outcome.failing_status == 0) {
    answer.pace.bytes_max = layout_.random(resource, kPace).below(answer.body.size() + 200);
  } else if (fails) {
    answer.status = outcome.failing_status;
    answer.fields.emplace_back("Retry-After", "1");
    set_body(answer, kHtml, write_notice("Not now"));
  } else if (outcome.is_redirect()) {
    const bool is_relative = outcome.to && outcome.to->host == resource.host &&
                             layout_.random(resource, kLocation).chance(0.5);
    std::string location = outcome.external;
    if (outcome.to) {
      location = is_relative ? layout_.target(*outcome.to) : layout_.url(*outcome.to);
    }
    set_body(answer, kHtml, write_redirect(location));
    answer.fields.emplace_back("Location", std::move(location));
  } else if (answer.body.empty()) {
    const bool is_well = outcome.status == 200 && resource.kind == Kind::error;
    const std::string title = is_well ? "Well again" : "There is nothing here";
    set_body(answer, kHtml, write_notice(title));
  }
}

}  // namespace gossamer::site
