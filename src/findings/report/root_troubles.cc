#include "report/root_troubles.h"

#include <fmt/format.h>

#include <utility>

#include "base/errc.h"
#include "base/escape.h"
#include "base/figures.h"
#include "url/url.h"

namespace gossamer::report {
namespace {

constexpr std::size_t kSentencesMax = 5;

bool is_root(std::string_view via, std::uint32_t depth) { return via.empty() && depth == 0; }

std::string without_code(const FailedFetch& failed) {
  std::string_view detail = failed.detail;
  const std::string code = std::string(failed.error) + ": ";
  if (detail.starts_with(code)) detail.remove_prefix(code.size());
  return std::string(detail.empty() ? failed.error : detail);
}

// "tls_failed: certificate expired, while connecting to a.example": the part in the middle.
std::string reason_in(const FailedFetch& failed) {
  const std::string detail = without_code(failed);
  return detail.substr(0, detail.find(", while "));
}

// Returns the proxy that could not be reached, empty if it was not the cause.
std::string_view proxy_in(const FailedFetch& failed) {
  constexpr std::string_view kMark = ", while connecting to the proxy ";
  const std::size_t at = failed.detail.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = failed.detail.substr(at + kMark.size());
  return rest.substr(0, rest.find(", "));
}

std::string why_no_address(const FailedFetch& failed) {
  const auto url = url::Url::parse(failed.url);
  const std::string host(url ? url->hostname() : failed.url);
  if (failed.detail.contains("no address") || failed.detail.contains("NXDOMAIN")) {
    return "there is no host named " + host + ". Check the spelling";
  }
  return "the name server gave no answer for " + host + " (" + reason_in(failed) +
         "). Check the network, or use `dns-servers`";
}

std::string why_denied(const FailedFetch& failed) {
  const bool is_private = failed.detail.contains("is a special address") ||
                          failed.detail.contains("is a name of the local network");
  if (!is_private) return reason_in(failed);
  return reason_in(failed) + ". Use `allow-private` to fetch from private addresses";
}

// An option helps only if there is a certificate.
std::string why_no_tls(const FailedFetch& failed) {
  constexpr std::string_view kTls = "https";
  if (failed.detail.contains("does not speak TLS") && failed.url.starts_with(kTls)) {
    return fmt::format("the server does not speak TLS on this port. Try http{}",
                       failed.url.substr(kTls.size()));
  }
  return reason_in(failed) +
         ". Use `cacert` FILE to trust its certificate, or `insecure` to accept any";
}

std::string why_skipped(const crawler::SkippedUrl& skipped) {
  switch (skipped.reason) {
    case crawler::SkipReason::robots:
      return "robots.txt disallows it. Use `no-robots` if you may ignore that";
    case crawler::SkipReason::robots_unreachable:
      return "robots.txt could not be fetched" +
             (skipped.detail.empty() ? "" : " (" + skipped.detail + ")") +
             ", so the site was skipped. Use `no-robots` if you may crawl without it";
    default: return std::string(crawler::describe(skipped.reason));
  }
}

}  // namespace

std::string reason_and_remedy(const FailedFetch& failed) {
  const auto is = [&failed](Errc code) { return failed.error == base::name(code); };
  if (const std::string_view proxy = proxy_in(failed); !proxy.empty()) {
    return fmt::format("the proxy {} could not be reached ({}). Check `proxy` and http_proxy",
                       proxy, reason_in(failed));
  }
  if (is(Errc::dns_failed)) return why_no_address(failed);
  if (is(Errc::denied)) return why_denied(failed);
  if (is(Errc::refused)) {
    return "connection refused. Check that the server is running and that the port is right";
  }
  if (is(Errc::unreachable)) return "the network does not reach it. Check the connection";
  if (is(Errc::timed_out)) {
    return fmt::format("{}. Use {} to wait longer", reason_in(failed), failed.time_option);
  }
  if (is(Errc::tls_failed)) return why_no_tls(failed);
  return without_code(failed);
}

void RootTroubles::add(std::string_view url, std::string_view why) {
  if (sentences_.size() == kSentencesMax) {
    ++left_out_;
    return;
  }
  sentences_.push_back(fmt::format("{} could not be fetched: {}.", base::escape_for_terminal(url),
                                   base::escape_for_terminal(why)));
}

void RootTroubles::add(const crawler::FetchRecord& record) {
  if (!is_root(record.via, record.depth) || record.status || record.error.empty()) return;
  add(record.url, reason_and_remedy({record.url, record.error, record.error_detail}));
}

void RootTroubles::add(const crawler::SkippedUrl& skipped) {
  if (!is_root(skipped.via, skipped.depth)) return;
  add(skipped.url, why_skipped(skipped));
}

std::string RootTroubles::text(std::string_view command) const {
  std::string text;
  for (const std::string& sentence : sentences_) {
    text += fmt::format("gossamer {}: {}\n", command, sentence);
  }
  if (left_out_ > 0) {
    text += fmt::format("gossamer {}: {} could not be fetched either\n", command,
                        base::counted(left_out_, "more URL"));
  }
  return text;
}

}  // namespace gossamer::report
