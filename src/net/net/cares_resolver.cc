#include "net/cares_resolver.h"

// Those that newer versions recommend are not in Debian 12.
#define CARES_NO_DEPRECATED
#include <ares.h>

#include <algorithm>
#include <map>
#include <utility>

#include "async/future.h"
#include "async/semaphore.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/check.h"
#include "net/dns_answer.h"
#include "net/dns_lookup.h"

namespace gossamer::net {

namespace {

constexpr int kQueryClassInternet = 1;
// A size that fits into one datagram everywhere, so that no fragment can be forged or lost.
constexpr int kEdnsBytes = 1232;
constexpr int kSocketBytes = 1 << 20;
// How often c-ares checks for queries to repeat. It could tell when the next one is due, but walks
// over all pending ones to do so.
constexpr Duration kTick = 50ms;

// c-ares initialises process-wide state (none, on Unix) on first use.
int initialise_library() {
  static const int status = ares_library_init(ARES_LIB_INIT_ALL);
  return status;
}

// Errc::refused: no server processed the query, so it is worth repeating.
Error failure_of(int status) {
  switch (status) {
    case ARES_ETIMEOUT: return Error(Errc::timed_out, "no name server answered");
    // With several servers, those that refuse or fail count as unreachable.
    case ARES_ECONNREFUSED: return Error(Errc::refused, "no name server can be reached");
    case ARES_ESERVFAIL: return Error(Errc::dns_failed, "the name server answered SERVFAIL");
    case ARES_ENOTIMP: return Error(Errc::dns_failed, "the name server answered NOTIMP");
    case ARES_EREFUSED: return Error(Errc::refused, "the name server answered REFUSED");
    case ARES_EFORMERR: return Error(Errc::dns_failed, "the name server answered FORMERR");
    case ARES_ENOMEM: return Error(Errc::no_resources, "out of memory");
    case ARES_ECANCELLED:
    case ARES_EDESTRUCTION: return Error(Errc::closed, "the resolver was stopped");
    default: return Error(Errc::dns_failed, ares_strerror(status));
  }
}

// For a caller who wants an address, an invalid answer is a failure of DNS.
Result<DnsAnswer> read_answer(int status, Bytes message, const std::string& host, DnsType type) {
  if (message.empty()) return fail(failure_of(status));
  auto answer = read_dns_answer(message, host, type);
  if (!answer && answer.error() == Errc::malformed) {
    return fail(Errc::dns_failed, std::string(answer.error().detail()));
  }
  return answer;
}

Error described(Error error, const std::string& host, Duration deadline) {
  std::string detail(error.detail());
  if (detail.empty()) detail = "no answer within " + base::to_string(deadline);
  const Errc code = error == Errc::refused ? Errc::dns_failed : error.code();
  return Error(code, "resolve " + host + ": " + detail);
}

// BORROWS: the future, while it is awaited.
async::Task<Result<Addresses>> wait_for(async::Future<Addresses>& answer) {
  co_return co_await answer;
}

}  // namespace

// The c-ares channel and its connection to the loop.
class CaresResolver::Channel {
 public:
  Channel(async::Loop& loop, DnsOptions options)
      : loop_(loop), options_(std::move(options)), slots_(options_.lookups_max) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  // Pending lookups end with an error.
  ~Channel() {
    if (channel_ != nullptr) ares_destroy(channel_);
  }

  Result<void> open();
  async::Future<Addresses> ask(const std::string& host, async::Semaphore::Permit permit);

  // Returns how long the next lookup must wait: a burst of queries that does not fit into a
  // server's socket buffer is lost, and repeated only a second later.
  Duration take_turn() {
    const Instant now = loop_.now();
    next_turn_ = std::max(next_turn_, now) + kBetweenLookups;
    return next_turn_ - kLookupsAtOnce * kBetweenLookups - now;
  }

  const DnsOptions& options() const { return options_; }
  async::Semaphore& slots() { return slots_; }
  std::size_t in_flight() const { return in_flight_; }
  std::uint64_t asked() const { return asked_; }

 private:
  // The context that c-ares passes back with an answer.
  struct Question {
    Channel& channel;
    DnsLookup& lookup;
    DnsType type;
  };

  static constexpr int kLookupsAtOnce = 64;
  static constexpr Duration kBetweenLookups = 80us;

  static void on_socket(void* self, ares_socket_t socket, int readable, int writable);
  static void on_answer(void* question, int status, int timeouts, unsigned char* bytes, int size);

  Result<void> open_with(int flags);
  std::size_t server_count() const;
  void ask(DnsLookup& lookup, DnsType type);
  void process(ares_socket_t readable, ares_socket_t writable);
  void keep_ticking();

  async::Loop& loop_;
  const DnsOptions options_;
  async::Semaphore slots_;
  ares_channel channel_ = nullptr;
  std::map<ares_socket_t, async::WatchHandle> watches_;
  async::TimerHandle tick_;
  std::size_t in_flight_ = 0;
  std::uint64_t asked_ = 0;
  Instant next_turn_ = {};
};

Result<void> CaresResolver::Channel::open() {
  const int ready = initialise_library();
  if (ready != ARES_SUCCESS) return fail(failure_of(ready));
  // Idle sockets are closed: a new one has a new port, which an attacker who forges answers must
  // guess. Truncated answers are requested again over TCP.
  const int flags = ARES_FLAG_EDNS | ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES;
  if (auto opened = open_with(flags); !opened || server_count() > 1) return opened;
  // If there is no other server, a refusal is the answer; otherwise it would count as a timeout.
  ares_destroy(std::exchange(channel_, nullptr));
  return open_with(flags | ARES_FLAG_NOCHECKRESP);
}

Result<void> CaresResolver::Channel::open_with(int flags) {
  ares_options settings = {};
  settings.flags = flags;
  settings.ednspsz = kEdnsBytes;
  settings.timeout = static_cast<int>(std::max<std::int64_t>(options_.try_timeout / 1ms, 1));
  settings.tries = std::max(options_.tries, 1);
  settings.socket_receive_buffer_size = kSocketBytes;
  settings.sock_state_cb = &Channel::on_socket;
  settings.sock_state_cb_data = this;
  const int mask = ARES_OPT_FLAGS | ARES_OPT_EDNSPSZ | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
                   ARES_OPT_SOCK_RCVBUF | ARES_OPT_SOCK_STATE_CB;
  if (const int status = ares_init_options(&channel_, &settings, mask); status != ARES_SUCCESS) {
    channel_ = nullptr;
    return fail(failure_of(status));
  }
  if (options_.servers.empty()) return {};
  std::string list;
  for (const std::string& server : options_.servers) list += (list.empty() ? "" : ",") + server;
  if (ares_set_servers_ports_csv(channel_, list.c_str()) != ARES_SUCCESS) {
    return fail(Errc::invalid_argument, "'" + list + "' is not a list of name servers");
  }
  return {};
}

std::size_t CaresResolver::Channel::server_count() const {
  ares_addr_port_node* servers = nullptr;
  if (ares_get_servers_ports(channel_, &servers) != ARES_SUCCESS) return 0;
  std::size_t count = 0;
  for (const ares_addr_port_node* server = servers; server != nullptr; server = server->next) {
    ++count;
  }
  ares_free_data(servers);
  return count;
}

void CaresResolver::Channel::on_socket(void* self, ares_socket_t socket, int readable,
                                       int writable) {
  auto& channel = *static_cast<Channel*>(self);
  channel.watches_.erase(socket);
  if (readable == 0 && writable == 0) return;
  auto interest = async::Readiness::none;
  if (readable != 0) interest = interest | async::Readiness::readable;
  if (writable != 0) interest = interest | async::Readiness::writable;
  auto watch = channel.loop_.watch(socket, interest, [&channel, socket](async::Readiness ready) {
    const bool reads = includes(ready, async::Readiness::readable);
    const bool writes = includes(ready, async::Readiness::writable);
    channel.process(reads ? socket : ARES_SOCKET_BAD, writes ? socket : ARES_SOCKET_BAD);
  });
  channel.watches_.emplace(socket, std::move(watch));
}

async::Future<Addresses> CaresResolver::Channel::ask(const std::string& host,
                                                     async::Semaphore::Permit permit) {
  auto* const lookup = new DnsLookup(
      loop_, host, {.for_v6 = options_.patience_for_v6, .for_v4 = options_.patience_for_v4},
      std::move(permit));
  auto answer = lookup->answer();
  ++in_flight_;
  // The first query may end immediately (c-ares has no server), but the second keeps the lookup
  // alive.
  ask(*lookup, DnsType::aaaa);
  ask(*lookup, DnsType::a);
  keep_ticking();
  return answer;
}

void CaresResolver::Channel::ask(DnsLookup& lookup, DnsType type) {
  ++asked_;
  ares_query(channel_, lookup.host().c_str(), kQueryClassInternet, static_cast<int>(type),
             &Channel::on_answer, new Question{*this, lookup, type});
}

void CaresResolver::Channel::on_answer(void* argument, int status, int, unsigned char* bytes,
                                       int size) {
  const std::unique_ptr<Question> question(static_cast<Question*>(argument));
  DnsLookup& lookup = question->lookup;
  const Bytes message(reinterpret_cast<const std::byte*>(bytes),
                      bytes == nullptr ? 0 : static_cast<std::size_t>(size));
  auto answer = read_answer(status, message, lookup.host(), question->type);
  if (!lookup.add(question->type, std::move(answer))) return;
  --question->channel.in_flight_;
  delete &lookup;
}

void CaresResolver::Channel::process(ares_socket_t readable, ares_socket_t writable) {
  ares_process_fd(channel_, readable, writable);
}

void CaresResolver::Channel::keep_ticking() {
  if (in_flight_ == 0 || tick_.pending()) return;
  tick_ = loop_.call_later(kTick, [this] {
    process(ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    keep_ticking();
  });
}

Result<std::unique_ptr<CaresResolver>> CaresResolver::make(async::Loop& loop, DnsOptions options) {
  if (options.lookups_max == 0) return fail(Errc::invalid_argument, "lookups_max must not be 0");
  auto channel = std::make_unique<Channel>(loop, std::move(options));
  if (auto opened = channel->open(); !opened) return fail(std::move(opened).error());
  return std::unique_ptr<CaresResolver>(new CaresResolver(std::move(channel)));
}

CaresResolver::CaresResolver(std::unique_ptr<Channel> channel) : channel_(std::move(channel)) {}
CaresResolver::~CaresResolver() = default;

async::Task<Result<Addresses>> CaresResolver::ask(const std::string& host, Instant& deadline) {
  auto permit = co_await channel_->slots().acquire();
  if (!permit) co_return fail(std::move(permit).error());
  const Duration wait = channel_->take_turn();
  if (wait > Duration::zero()) {
    if (auto slept = co_await async::sleep(wait); !slept) co_return fail(std::move(slept).error());
  }
  deadline = std::min(
      deadline, base::add_saturating(async::Loop::current().now(), channel_->options().deadline));
  auto answer = channel_->ask(host, std::move(*permit));
  co_return co_await async::with_deadline(deadline, wait_for(answer));
}

async::Task<Result<Addresses>> CaresResolver::look_up(std::string host) {
  if (!is_domain_name(host)) {
    co_return fail(Errc::dns_failed, "resolve '" + host + "': it is not a domain name");
  }
  const DnsOptions& options = channel_->options();
  Instant deadline = Instant::max();
  Duration pause = options.try_timeout;
  for (int tries = 1;; ++tries, pause *= 2) {
    auto addresses = co_await ask(host, deadline);
    if (addresses || addresses.error() == Errc::cancelled) co_return addresses;
    // c-ares repeats a query whose reply is lost. It gives up after one attempt if the query could
    // not be sent or was refused.
    const Instant next = base::add_saturating(async::Loop::current().now(), pause);
    if (addresses.error() != Errc::refused || tries >= options.tries || next >= deadline) {
      co_return fail(described(std::move(addresses).error(), host, options.deadline));
    }
    if (auto slept = co_await async::sleep(pause); !slept) co_return fail(std::move(slept).error());
  }
}

std::size_t CaresResolver::lookups_in_flight() const { return channel_->in_flight(); }
std::uint64_t CaresResolver::questions_asked() const { return channel_->asked(); }

}  // namespace gossamer::net
