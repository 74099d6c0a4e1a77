#include "settings/crawl_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/version.h"
#include "engine/page/similar_pages.h"
#include "wire/content_coding.h"

namespace gossamer::run {
namespace {

// Hosts take turns. With many hosts a connection is idle until its host's next turn, and a new TLS
// connection costs more than the page itself.
constexpr std::size_t kConnectionsKept = 1024;
// The tables are slow with less.
constexpr std::uint64_t kMemoryMin = 8 * 1024 * 1024;
constexpr std::uint64_t kHostBytes = 1500;  // of memory, about
constexpr std::uint64_t kNamesMin = 1000;   // in the DNS cache
constexpr std::uint32_t kStreamWindowMin = 16 * 1024;

// The user agent; a header field of the user wins.
void set_user_agent(CrawlSettings& settings) {
  std::string& agent = settings.user_agent;
  std::vector<http::Field>& fields = settings.own_identity.fields;
  const auto given = std::ranges::find_if(fields, [](const http::Field& field) {
    return base::equals_ignoring_case(field.name, "User-Agent");
  });
  if (given != fields.end()) {
    agent = given->value;
    fields.erase(given);
  }
  if (agent.empty()) agent = own_user_agent();
  const std::string contact = std::exchange(settings.own_identity.contact, {});
  if (!contact.empty()) agent += " (+" + contact + ")";
}

// Returns one root per origin, if passwords must be found for them. There may be a million roots.
std::vector<url::Url> roots_with_passwords(const CrawlSettings& settings) {
  std::vector<url::Url> roots;
  if (!settings.own_identity.may_have_passwords()) return roots;
  std::unordered_set<std::string> origins;
  for (const std::string& text : settings.roots) {
    auto root = crawler::parse_root(text);
    if (root && origins.insert(root->origin()).second) roots.push_back(std::move(*root));
  }
  return roots;
}

// Resolves host tables, passwords and logins.
Result<void> complete_identity(CrawlSettings& settings) {
  if (!settings.fields) {
    auto fields = CrawlFields::make(settings.own_identity.fields);
    if (!fields) return fail(std::move(fields).error());
    settings.fields = std::make_shared<CrawlFields>(std::move(*fields));
  } else if (!settings.own_identity.fields.empty()) {
    return fail(Errc::invalid_argument, "use only one of `fields` and `own_identity.fields`");
  } else {
    // Other crawls may share these fields, but the passwords added below belong to this crawl.
    settings.fields = std::make_shared<CrawlFields>(*settings.fields);
  }
  auto identity =
      resolve_identity(settings.own_identity, roots_with_passwords(settings), *settings.fields);
  if (!identity) return fail(std::move(identity).error());
  std::ranges::move(identity->hosts, std::back_inserter(settings.hosts));
  std::ranges::move(identity->logins, std::back_inserter(settings.logins));
  // The user's cookies count as a session, too.
  const bool has_session = !settings.logins.empty() || !settings.cookies.load.empty();
  if (has_session && !settings.own_identity.follows_logout) settings.avoids_logout = true;
  return crawler::validate(settings.hosts);
}

Result<void> complete_fields(CrawlSettings& settings) {
  set_user_agent(settings);
  settings.agent = product_token(settings.user_agent);
  if (settings.agent.empty()) {
    return fail(Errc::invalid_argument,
                "the user agent must begin with a name for robots.txt, such as MyBot/1.0");
  }
  if (auto done = complete_identity(settings); !done) return done;
  WebOptions& web = settings.web;
  for (const std::string& text : settings.roots) {
    const auto root = crawler::parse_root(text);
    if (auto added = settings.fields->add_root(*root); !added) return added;
    // The user typed this address, so it is allowed. Most lists have the URLs of a host together.
    std::vector<std::string>& hosts = web.guard.allowed_hosts;
    if (hosts.empty() || hosts.back() != root->hostname()) hosts.emplace_back(root->hostname());
  }
  for (const crawler::LoginOptions& login : settings.logins) {
    web.guard.allowed_hosts.emplace_back(crawler::parse_root(login.url)->hostname());
  }
  web.client.fields = {
      {"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"},
      {"Accept-Encoding", std::string(wire::kAcceptEncoding)},
      {"User-Agent", settings.user_agent}};
  for (const http::Field& field : settings.fields->open()) {
    std::erase_if(web.client.fields, [&field](const http::Field& known) {
      return base::equals_ignoring_case(known.name, field.name);
    });
    web.client.fields.push_back(field);
  }
  return {};
}

// All loops together must not exceed the concurrency.
void share_out(CrawlSettings& settings) {
  settings.threads = std::min(settings.threads, settings.concurrency);
  settings.concurrency /= settings.threads;
  http::PoolOptions& pool = settings.web.client.pool;
  pool.exchanges_per_origin_max = settings.concurrency;
  pool.idle_per_origin_max = settings.concurrency;
  pool.connections_max =
      std::max(kConnectionsKept, settings.concurrency + settings.concurrency / 4 + std::size_t{64});
  const std::uint64_t for_streams = memory_share(settings.job) / 4;
  std::uint32_t& window = settings.web.client.stream_window;
  window = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(for_streams / settings.threads / settings.concurrency,
                                kStreamWindowMin, std::max(window, kStreamWindowMin)));
  if (!settings.control_socket.empty()) {  // `gossamer top` may raise the concurrency
    pool.exchanges_per_origin_max = kConcurrencyMax;
    pool.connections_max = kConcurrencyMax;
  }
}

// Rejects settings that have no effect without others.
Result<void> check_job(const JobSettings& job) {
  if (job.older_than > Duration::zero() && !job.refreshes) {
    return fail(Errc::invalid_argument, "`older-than` requires `refresh`");
  }
  if (!job.folder.empty() || !(job.changes_settings || job.refreshes)) return {};
  return fail(Errc::invalid_argument, fmt::format("`{}` requires a crawl directory; add `job` DIR",
                                                  job.refreshes ? "refresh" : "change-settings"));
}

Result<void> complete_job(CrawlSettings& settings) {
  JobSettings& job = settings.job;
  if (auto good = check_job(job); !good) return good;
  if (job.memory_bytes < kMemoryMin) {
    return fail(Errc::invalid_argument, "the memory of a crawl must be at least 8M");
  }
  // Bodies have two of six shares. Without a directory, hosts have the others.
  const std::uint64_t for_hosts = memory_share(job) * (job.folder.empty() ? 4 : 1);
  settings.host_bytes_max = for_hosts / settings.threads;
  settings.body_memory_max = 2 * memory_share(job) / settings.threads;
  // Roughly one name per host that fits into memory.
  const std::uint64_t names = std::max(kNamesMin, settings.host_bytes_max / kHostBytes);
  settings.web.dns_names_max = std::min<std::uint64_t>(settings.web.dns_names_max, names);
  if (job.folder.empty()) return {};
  while (job.folder.size() > 1 && job.folder.ends_with('/')) job.folder.pop_back();
  settings.keeps_validators = true;
  job.is_provisional = settings.cluster.is_shared();
  if (job.configuration.empty()) job.configuration = configuration_of(settings.roots);
  if (settings.cluster.agreed.empty()) settings.cluster.agreed = agreement_of(settings.roots);
  if (job.has_archive && settings.archive.file.empty()) {
    settings.archive.file = job.folder + "/archive/crawl";
  }
  return {};
}

// Users often type the full file name.
std::string without_extension(std::string name) {
  for (const std::string_view extension : {".gz", ".warc"}) {
    if (name.ends_with(extension)) name.resize(name.size() - extension.size());
  }
  return name;
}

// Rejects settings that have no effect without an archive.
Result<void> check_without_archive(const CrawlSettings& settings) {
  const ArchiveSettings& archive = settings.archive;
  if (settings.builds_index) {
    return fail(Errc::invalid_argument, "`index` requires `job` DIR or `warc-file` NAME");
  }
  std::string_view given;
  if (!archive.about.empty()) given = "warc-header";
  if (archive.lists_links) given = "warc-metadata";
  if (archive.drops_copies) given = "warc-dedup";
  if (archive.has_package) given = "wacz";
  if (archive.has_index) given = "warc-cdx";
  if (given.empty()) return {};
  return fail(Errc::invalid_argument, fmt::format("`{}` requires `warc-file` NAME", given));
}

Result<void> complete_archive(CrawlSettings& settings) {
  ArchiveSettings& archive = settings.archive;
  if (!archive.is_wanted()) return check_without_archive(settings);
  archive.file = without_extension(std::move(archive.file));
  if (archive.file.empty() || archive.file.ends_with('/')) {
    return fail(Errc::invalid_argument, "`warc-file` requires a file name, without .warc.gz");
  }
  settings.keeps_captures = true;
  settings.keeps_outlinks = settings.keeps_outlinks || settings.archive.lists_links;
  settings.web.client.keep_request = true;
  return {};
}

Result<void> check_rendering(const CrawlSettings& settings) {
  const bool has_wishes = !settings.render_wait_for.empty() || settings.render_scrolls > 0;
  const bool is_off = settings.renders == crawler::RenderMode::never;
  if (has_wishes && is_off) {
    return fail(Errc::invalid_argument, "`wait-for` and `scroll` require `render`");
  }
  if (is_off && !settings.render_with.empty()) {
    return fail(Errc::invalid_argument, "`render-with` requires `render`");
  }
  return {};
}

}  // namespace

std::string own_user_agent() { return std::string("gossamer/") + base::kVersion; }

Result<void> complete(CrawlSettings& settings) {
  if (auto good = crawler::validate(settings); !good) return good;
  if (settings.threads == 0 || settings.threads > kThreadsMax) {
    return fail(Errc::invalid_argument,
                fmt::format("the number of threads must be from 1 to {}, not {}", kThreadsMax,
                            settings.threads));
  }
  if (auto good = check_rendering(settings); !good) return good;
  if (auto good = validate_cluster(settings); !good) return good;
  if (auto done = complete_fields(settings); !done) return done;
  settings.web.client.body_bytes_max = settings.body_bytes_max.value_or(crawler::kAnyBodyBytes);
  settings.web.tls.alpn = http::alpn_of(settings.web.client.protocols);
  if (settings.finds_similar) {
    settings.job.similar_bytes =
        std::min<std::uint64_t>(crawler::SimilarPages::kMemoryBytes, settings.job.memory_bytes / 4);
  }
  share_out(settings);
  if (auto done = complete_job(settings); !done) return done;
  return complete_archive(settings);
}

}  // namespace gossamer::run
