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

// "tls_failed: certificate expired, while connecting to a.example": the part in the middle.
std::string reason_in(const crawler::FetchRecord& record) {
  std::string_view detail = record.error_detail;
  const std::string code = std::string(record.error) + ": ";
  if (detail.starts_with(code)) detail.remove_prefix(code.size());
  detail = detail.substr(0, detail.find(", while "));
  return std::string(detail.empty() ? record.error : detail);
}

std::string why_no_address(const crawler::FetchRecord& record) {
  const auto url = url::Url::parse(record.url);
  const std::string host(url ? url->hostname() : std::string_view(record.url));
  if (record.error_detail.contains("no address") || record.error_detail.contains("NXDOMAIN")) {
    return "there is no host named " + host + ". Check the spelling";
  }
  return "the name server gave no answer for " + host + " (" + reason_in(record) +
         "). Check the network, or use --dns-servers";
}

std::string why_denied(const crawler::FetchRecord& record) {
  const std::string& detail = record.error_detail;
  const bool is_private =
      detail.contains("is a special address") || detail.contains("is a name of the local network");
  if (!is_private) return reason_in(record);
  return reason_in(record) + ". Use --allow-private to crawl private addresses";
}

// An option helps only if there is a certificate.
std::string why_no_tls(const crawler::FetchRecord& record) {
  constexpr std::string_view kTls = "https";
  if (record.error_detail.contains("does not speak TLS") && record.url.starts_with(kTls)) {
    return "the server does not speak TLS on this port. Try http" + record.url.substr(kTls.size());
  }
  return reason_in(record) + ". Use --cacert FILE to trust its certificate, or -k to accept any";
}

std::string why_failed(const crawler::FetchRecord& record) {
  const auto is = [&record](Errc code) { return record.error == base::name(code); };
  if (is(Errc::dns_failed)) return why_no_address(record);
  if (is(Errc::denied)) return why_denied(record);
  if (is(Errc::refused)) {
    return "connection refused. Check that the server is running and that the port is right";
  }
  if (is(Errc::unreachable)) return "the network does not reach it. Check the connection";
  if (is(Errc::timed_out)) return reason_in(record) + ". Use --timeout to wait longer";
  if (is(Errc::tls_failed)) return why_no_tls(record);
  return reason_in(record);
}

std::string why_skipped(const crawler::SkippedUrl& skipped) {
  switch (skipped.reason) {
    case crawler::SkipReason::robots:
      return "robots.txt disallows it. Use --no-robots if you may ignore that";
    case crawler::SkipReason::robots_unreachable:
      return "robots.txt could not be fetched" +
             (skipped.detail.empty() ? "" : " (" + skipped.detail + ")") +
             ", so the site was skipped. Use --no-robots if you may crawl without it";
    default: return std::string(crawler::describe(skipped.reason));
  }
}

}  // namespace

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
  add(record.url, why_failed(record));
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
