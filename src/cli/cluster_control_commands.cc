// Commands that steer a shared crawl: they change its state in Redis, and the nodes follow.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escape.h"
#include "base/figures.h"
#include "cli/cluster_client.h"
#include "cli/commands.h"
#include "run/control_protocol.h"
#include "terminal/standard_output.h"
#include "url/url.h"

namespace gossamer::cli {
namespace {

using cluster::Control;

constexpr std::string_view kPauseCommand = "cluster pause";
constexpr std::string_view kResumeCommand = "cluster resume";
constexpr std::string_view kStopCommand = "cluster stop";
constexpr std::string_view kAddCommand = "cluster add";
constexpr std::string_view kBlockCommand = "cluster block";

class ControlWork final : public ClusterWork {
 public:
  explicit ControlWork(Control control) : control_(control) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto shared = co_await open_crawl(client, std::move(crawl));
    if (!shared) co_return fail(std::move(shared).error());
    const auto facts = co_await shared->facts();
    if (!facts) co_return fail(facts.error().copy());
    if (!facts->end.empty() && control_ != Control::stop) {
      co_return fail(Errc::closed, "the crawl has ended");
    }
    auto done = co_await shared->control(control_);
    if (!done) co_return fail(std::move(done).error());
    if (!*done) co_return fail(Errc::closed, "the crawl was stopped, which is final");
    co_return {};
  }

 private:
  const Control control_;
};

class OrderWork final : public ClusterWork {
 public:
  explicit OrderWork(std::vector<run::ControlRequest> requests) : requests_(std::move(requests)) {}

  // BORROWS: the client.
  async::Task<Result<void>> run(redis::Client& client, std::string crawl) override {
    auto shared = co_await open_crawl(client, std::move(crawl));
    if (!shared) co_return fail(std::move(shared).error());
    for (const run::ControlRequest& request : requests_) {
      auto given = co_await shared->order(run::to_json(request));
      if (!given) co_return fail(std::move(given).error());
      if (!*given) co_return fail(Errc::closed, "the crawl has ended or was stopped");
    }
    co_return {};
  }

 private:
  const std::vector<run::ControlRequest> requests_;
};

int finish(std::string_view command, const Result<void>& done, std::string_view text) {
  if (!done) return cluster_failed(command, done.error());
  terminal::print_out("{}\n", text);
  return kOk;
}

int set_control(std::string_view command, const ClusterArguments& arguments, Control control,
                std::string_view text) {
  ControlWork work(control);
  return finish(command, with_cluster(arguments, work), text);
}

void declare_pause(options::Table& table, ClusterArguments& arguments) {
  table.summary("Pause a shared crawl: nodes keep their hosts and send no requests.");
  declare_cluster(table, arguments);
}

int run_pause(ClusterArguments& arguments) {
  return set_control(kPauseCommand, arguments, Control::pause, "the crawl pauses");
}

void declare_resume(options::Table& table, ClusterArguments& arguments) {
  table.summary("Resume a shared crawl that was paused.");
  declare_cluster(table, arguments);
}

int run_resume(ClusterArguments& arguments) {
  return set_control(kResumeCommand, arguments, Control::run, "the crawl continues");
}

void declare_stop(options::Table& table, ClusterArguments& arguments) {
  table.summary("Stop a shared crawl on all nodes. This is final.");
  declare_cluster(table, arguments);
}

int run_stop(ClusterArguments& arguments) {
  return set_control(kStopCommand, arguments, Control::stop, "the crawl stops");
}

struct ClusterAddArguments : ClusterArguments {
  std::vector<std::string> pages;
};

void declare_add(options::Table& table, ClusterAddArguments& arguments) {
  table.summary("Add root URLs to a shared crawl that is running.");
  declare_cluster(table, arguments);
  table.words(options::texts(arguments.pages, "PAGE"), "the URLs, http or https");
}

int run_add(ClusterAddArguments& arguments) {
  std::vector<run::ControlRequest> requests;
  for (const std::string& page : arguments.pages) {
    const auto url = url::Url::parse(page);
    if (!url || !url->is_http_or_https()) {
      return usage_error(kAddCommand, base::escape_for_terminal(page) + " is not an http URL");
    }
    requests.push_back({.kind = run::ControlRequest::Kind::add, .text = std::string(url->href())});
  }
  OrderWork work(std::move(requests));
  return finish(kAddCommand, with_cluster(arguments, work),
                base::counted(arguments.pages.size(), "URL") + " added");
}

struct ClusterBlockArguments : ClusterArguments {
  std::vector<std::string> hosts;
};

void declare_block(options::Table& table, ClusterBlockArguments& arguments) {
  table.summary("Skip the remaining and future URLs of hosts, on all nodes, until the crawl ends.");
  declare_cluster(table, arguments);
  table.words(options::texts(arguments.hosts, "HOST"), "the hosts, as in URLs");
}

int run_block(ClusterBlockArguments& arguments) {
  std::vector<run::ControlRequest> requests;
  for (const std::string& host : arguments.hosts) {
    const auto url = url::Url::parse("http://" + host + "/");
    if (!url || url->hostname() != host) {
      return usage_error(kBlockCommand, base::escape_for_terminal(host) + " is not a host");
    }
    requests.push_back({.kind = run::ControlRequest::Kind::block, .text = host});
  }
  OrderWork work(std::move(requests));
  return finish(kBlockCommand, with_cluster(arguments, work),
                base::counted(arguments.hosts.size(), "host") + " blocked");
}

}  // namespace

constinit const Command cluster_pause_command = command_of<declare_pause, run_pause>(
    kPauseCommand, "URL", "send no requests until it is resumed");
constinit const Command cluster_resume_command =
    command_of<declare_resume, run_resume>(kResumeCommand, "URL", "resume a crawl that pauses");
constinit const Command cluster_stop_command =
    command_of<declare_stop, run_stop>(kStopCommand, "URL", "stop a crawl on all nodes");
constinit const Command cluster_add_command = command_of<declare_add, run_add>(
    kAddCommand, "URL PAGE...", "add root URLs to a running crawl");
constinit const Command cluster_block_command =
    command_of<declare_block, run_block>(kBlockCommand, "URL HOST...", "skip the URLs of hosts");

}  // namespace gossamer::cli
