#include "site/documents.h"

#include <fmt/format.h>

#include <vector>

#include "base/escape.h"
#include "base/time.h"
#include "site/links.h"
#include "site/words.h"

namespace gossamer::site {
namespace {

constexpr std::string_view kXml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr std::string_view kNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

}  // namespace

std::string write_robots(const Layout& layout, std::uint32_t host) {
  std::string out = "# What crawlers are asked to leave alone.\n";
  out += "User-agent: greedybot\nDisallow: /\n\nUser-agent: *\n";
  out += fmt::format("Disallow: {}\nAllow: {}\n", Layout::kDisallowed, Layout::kOpen);
  if (const Duration delay = layout.options().crawl_delay; delay > Duration::zero()) {
    out += fmt::format("Crawl-delay: {}\n",
                       std::chrono::duration_cast<std::chrono::duration<double>>(delay).count());
  }
  if (layout.options().has_sitemap) {
    out += fmt::format("\nSitemap: {}/sitemap.xml\n", layout.origin(host));
  }
  return out;
}

std::string write_sitemap(const Layout& layout, std::uint32_t host, std::uint64_t number) {
  std::string out(kXml);
  if (number == 0) {
    out += fmt::format("<sitemapindex xmlns=\"{}\">\n", kNamespace);
    for (std::uint64_t i = 1; i < layout.count(Kind::sitemap); ++i) {
      out +=
          fmt::format("<sitemap><loc>{}</loc></sitemap>\n", layout.url({host, Kind::sitemap, i}));
    }
    return out + "</sitemapindex>\n";
  }
  out += fmt::format("<urlset xmlns=\"{}\">\n", kNamespace);
  const auto [first, last] = sitemap_pages(layout, number);
  for (std::uint64_t i = first; i < last; ++i) {
    const Resource page = {host, Kind::page, i};
    if (!layout.is_allowed(page)) continue;
    out += fmt::format("<url><loc>{}</loc><lastmod>2024-{:02}-{:02}</lastmod></url>\n",
                       base::escape_attribute(layout.url(page)), 1 + i % 12, 1 + i % 28);
  }
  return out + "</urlset>\n";
}

std::string write_style(const Layout& layout, std::uint64_t number) {
  std::string out =
      fmt::format("/* sheet {} */\nbody {{ margin: 2em auto; max-width: 50em; }}\n", number);
  if (layout.count(Kind::image) > 0) {
    out += "nav { background: url(\"image-0.png\") repeat; }\n";
  }
  out += "table.facts th { text-align: left; padding-right: 1em; }\n";
  return out;
}

std::string write_document(std::uint64_t number) {
  const std::string text =
      fmt::format("BT /F1 24 Tf 72 720 Td (Report {} on {}) Tj ET", number, word(number));
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
      "/Resources << /Font << /F1 5 0 R >> >> >>",
      fmt::format("<< /Length {} >>\nstream\n{}\nendstream", text.size(), text),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
  std::string out = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    table += fmt::format("{:010} 00000 n \n", out.size());
    out += fmt::format("{} 0 obj\n{}\nendobj\n", i + 1, objects[i]);
  }
  const std::size_t start = out.size();
  out += table;
  out += fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n",
                     objects.size() + 1, start);
  return out;
}

}  // namespace gossamer::site
