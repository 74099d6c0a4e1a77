#include "site/page_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <vector>

#include "base/escape.h"
#include "site/links.h"
#include "site/spelling.h"
#include "site/words.h"

namespace gossamer::site {
namespace {

constexpr std::uint64_t kWriting = 200;  // the purpose of our draws
constexpr std::size_t kNavigationLinks = 6;
constexpr std::size_t kLinksPerBlock = 4;
constexpr std::string_view kBase = "/help/";  // of pages with <base>

Script script_of(PageEncoding encoding) {
  switch (encoding) {
    case PageEncoding::windows_1251: return Script::cyrillic;
    case PageEncoding::shift_jis: return Script::hiragana;
    case PageEncoding::utf_8:
    case PageEncoding::utf_16: return Script::latin;
  }
  return Script::latin;
}

std::string_view label_of(PageEncoding encoding) {
  switch (encoding) {
    case PageEncoding::utf_8: return "utf-8";
    case PageEncoding::windows_1251: return "windows-1251";
    case PageEncoding::shift_jis: return "shift_jis";
    case PageEncoding::utf_16: return "utf-16";
  }
  return {};
}

// Converts ASCII to UTF-16, little-endian, with a byte order mark.
std::string widened(std::string_view ascii) {
  std::string out;
  out.reserve(ascii.size() * 2 + 2);
  out += "\xFF\xFE";
  for (const char c : ascii) {
    out += c;
    out += '\0';
  }
  return out;
}

class PageText {
 public:
  PageText(const Layout& layout, const Resource& page)
      : layout_(layout),
        page_(page),
        traits_(layout.traits(page)),
        links_(links_of(layout, page)),
        script_(script_of(traits_.encoding)),
        target_(layout.target(page)),
        random_(layout.random(page, kWriting)) {
    const std::string_view path = std::string_view(target_).substr(0, target_.find('?'));
    place_ = {.host = layout.options().hosts[page.host],
              .base = traits_.has_base ? kBase : path.substr(0, path.rfind('/') + 1),
              .is_utf_8 = traits_.encoding == PageEncoding::utf_8,
              .odd_spellings = layout.options().odd_spellings};
  }

  std::string make() && {
    out_.reserve(traits_.bytes + 4096);
    write_head();
    const auto first = std::find_if(links_.begin(), links_.end(), is_in_body);
    write_body(std::span<const Link>(first, links_.end()));
    return traits_.encoding == PageEncoding::utf_16 ? widened(out_) : std::move(out_);
  }

 private:
  static bool is_in_body(const Link& link) { return link.role != LinkRole::style; }

  std::string address(const Link& link) {
    if (link.role == LinkRole::external || link.role == LinkRole::trap) return link.other;
    return spell(place_, layout_.options().hosts[link.to.host], layout_.target(link.to), random_);
  }

  void write_head() {
    out_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n";
    // UTF-16 cannot be declared this way: a reader of the declaration would already know the
    // encoding.
    if (traits_.declares_in_meta && traits_.encoding != PageEncoding::utf_16) {
      out_ += fmt::format("<meta charset=\"{}\">\n", label_of(traits_.encoding));
    }
    out_ += "<title>";
    append_phrase(out_, script_, random_);
    out_ += fmt::format(" {}</title>\n", page_.number);
    if (traits_.has_base) out_ += fmt::format("<base href=\"{}\">\n", kBase);
    if (traits_.nofollow == PageNofollow::meta) {
      out_ += "<meta name=\"robots\" content=\"nofollow\">\n";
    }
    out_ += fmt::format("<link rel=\"canonical\" href=\"http://{}", place_.host);
    out_ += base::escape_attribute(target_) + "\">\n";
    for (const Link& link : links_) {
      if (link.role != LinkRole::style) continue;
      out_ += fmt::format("<link rel=\"stylesheet\" href=\"{}\">\n", address(link));
    }
    out_ += "</head>\n";
  }

  void write_body(std::span<const Link> links) {
    out_ += "<body>\n<nav>\n<ul>\n";
    std::size_t done = 0;
    for (; done < std::min(kNavigationLinks, links.size()); ++done) {
      out_ += "<li>";
      write_link(links[done]);
      out_ += "</li>\n";
    }
    out_ += "</ul>\n</nav>\n<main>\n<h1>";
    append_phrase(out_, script_, random_);
    out_ += "</h1>\n";
    if (place_.is_utf_8) out_ += "<p>Na\xC3\xAFve caf\xC3\xA9s &amp; r\xC3\xA9sum\xC3\xA9s.</p>\n";
    // The remaining links and bytes, in equal blocks; text is surrounded by a little markup.
    const std::size_t blocks = (links.size() - done) / kLinksPerBlock + 1;
    for (std::size_t left = blocks; left > 0; --left) {
      const std::size_t share = (links.size() - done) / left;
      const std::size_t bytes = room() / left;
      const std::span<const Link> mine = links.subspan(done, share);
      left % 5 == 2 ? write_table(mine, bytes) : write_paragraph(mine, bytes);
      done += share;
    }
    out_ += "</main>\n<footer><p>";
    append_phrase(out_, script_, random_);
    out_ += "</p></footer>\n</body>\n</html>\n";
  }

  std::size_t room() const { return out_.size() < traits_.bytes ? traits_.bytes - out_.size() : 0; }

  void write_link(const Link& link) {
    if (link.role == LinkRole::image) {
      out_ += "<img alt=\"\" src=\"";
      out_ += address(link);
      out_ += "\">";
      return;
    }
    out_ += link.is_nofollow ? "<a rel=\"nofollow\" href=\"" : "<a href=\"";
    out_ += address(link);
    out_ += "\">";
    append_phrase(out_, script_, random_);
    out_ += "</a>";
  }

  void write_paragraph(std::span<const Link> links, std::size_t bytes) {
    out_ += "<p>";
    const std::size_t end = out_.size() + bytes;
    for (const Link& link : links) {
      const std::size_t left = end > out_.size() ? end - out_.size() : 0;
      append_sentences(out_, script_, left / (links.size() + 1), random_);
      write_link(link);
      out_ += ' ';
    }
    if (end > out_.size()) append_sentences(out_, script_, end - out_.size(), random_);
    out_ += "</p>\n";
  }

  void write_table(std::span<const Link> links, std::size_t bytes) {
    out_ += "<table class=\"facts\">\n";
    const std::size_t end = out_.size() + bytes;
    for (const Link& link : links) {
      out_ += "<tr><th>";
      append_phrase(out_, script_, random_);
      out_ += "</th><td>";
      write_link(link);
      out_ += "</td></tr>\n";
    }
    while (out_.size() < end) {
      out_ += "<tr><th>";
      append_phrase(out_, script_, random_);
      out_ += fmt::format("</th><td>{}</td></tr>\n", random_.below(100'000));
    }
    out_ += "</table>\n";
  }

  const Layout& layout_;
  const Resource page_;
  const PageTraits traits_;
  const std::vector<Link> links_;
  const Script script_;
  const std::string target_;
  SpellingPlace place_;
  base::Random random_;
  std::string out_;
};

constexpr std::string_view kCalendar = "/calendar/";

// The previous and next months, and a few days. `date` begins with year and month: "2024/05/".
template <class Add>
void append_calendar_links(std::string_view date, Add& add) {
  unsigned year = 0;
  unsigned month = 0;
  const char* const end = date.data() + date.size();
  const auto [stop, error] = std::from_chars(date.data(), end, year);
  if (stop != end) std::from_chars(stop + 1, end, month);
  year = std::clamp(year, 1000U, 9999U);
  month = std::clamp(month, 1U, 12U);
  const unsigned months = year * 12 + month - 1;
  for (const unsigned near : {months + 1, months - 1}) {
    add(fmt::format("{}{}/{:02}/", kCalendar, near / 12, near % 12 + 1));
  }
  for (unsigned day = 1; day <= 28; day += 9) {
    add(fmt::format("{}{}/{:02}/{:02}", kCalendar, year, month, day));
  }
}

}  // namespace

std::string write_page(const Layout& layout, const Resource& resource) {
  return PageText(layout, {resource.host, Kind::page, resource.number}).make();
}

std::string content_type_of(const PageTraits& traits) {
  std::string type = "text/html";
  // UTF-16 is declared by its byte order mark.
  if (!traits.declares_in_meta) type += fmt::format("; charset={}", label_of(traits.encoding));
  return type;
}

std::string write_notice(std::string_view title) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<title>{0}</title></head>\n<body>\n<h1>{0}</h1>\n<p><a href=\"/\">Home</a></p>\n"
      "</body>\n</html>\n",
      title);
}

std::string write_redirect(std::string_view location) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>Moved</title></head>\n<body>\n"
      "<p>It is <a href=\"{}\">here</a> now.</p>\n</body>\n</html>\n",
      base::escape_attribute(location));
}

std::string write_trap(std::string_view target, std::uint64_t seed) {
  std::string links;
  const auto add = [&links](std::string_view address) {
    links += fmt::format("<li><a href=\"{0}\">{0}</a></li>\n", address);
  };
  base::Random random(seed);
  if (target.starts_with(kCalendar)) {
    append_calendar_links(target.substr(kCalendar.size()), add);
  } else if (target.starts_with("/maze/")) {
    add("left/");
    add("right/");
  } else {
    for (int i = 0; i < 3; ++i) {
      add(fmt::format("/shop/?item={}&amp;sid={:016x}", random.below(1000), random.next()));
    }
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>More</title></head>\n<body>\n"
      "<p><a href=\"/\">Home</a></p>\n<ul>\n{}</ul>\n<p>{}</p>\n</body>\n</html>\n",
      links, seed);
}

}  // namespace gossamer::site
