#include "engine/shards/shards.h"

#include <optional>
#include <utility>

#include "base/check.h"
#include "engine/engine.h"
#include "engine/exception.h"
#include "frontier/site_number.h"

namespace gossamer::crawler {
namespace {

// This many are sent without waiting for more.
constexpr std::size_t kMessagesPerBatch = 512;

}  // namespace

// --- one shard

Shard::Shard(Shards& all, std::size_t index, std::uint64_t salt)
    : all_(all), index_(index), sent_(salt) {}

Shard::CancelAtStop::CancelAtStop(Shard& shard, async::Scope& scope) : shard_(shard) {
  const std::scoped_lock lock(shard_.mutex_);
  shard_.starting_ = &scope;
  if (shard_.stop_) scope.cancel();
}

Shard::CancelAtStop::~CancelAtStop() {
  const std::scoped_lock lock(shard_.mutex_);
  shard_.starting_ = nullptr;
}

void Shard::join_in(async::Loop& loop, Engine& engine) {
  outgoing_.resize(all_.count());
  engine_ = &engine;
  for (;;) {
    std::vector<std::move_only_function<void()>> early;
    {
      const std::scoped_lock lock(mutex_);
      early.swap(early_);
      if (early.empty()) {
        loop_ = &loop;
        if (stop_ || !incoming_.empty()) post_delivery();
        return;
      }
    }
    // Before the engine starts: it must not fetch from hosts that they block. They may post others.
    for (auto& callback : early) callback();
  }
}

async::Task<Result<void>> Shard::leave() {
  flush();
  engine_ = nullptr;
  all_.has_left();
  auto waited = co_await all_left_.wait();
  // A thread that posts to the loop holds the lock.
  const std::scoped_lock lock(mutex_);
  loop_ = nullptr;
  has_left_ = true;
  co_return waited;
}

void Shard::post(std::move_only_function<void()> callback) {
  const std::scoped_lock lock(mutex_);
  if (loop_ != nullptr) {
    loop_->post(std::move(callback));
  } else if (!has_left_) {
    early_.push_back(std::move(callback));
  }
}

void Shard::post_to_engine(std::move_only_function<void(Engine& engine)> callback) {
  post([this, callback = std::move(callback)]() mutable {
    if (engine_ != nullptr) callback(*engine_);
  });
}

void Shard::stay_away() {
  has_begun();
  all_.has_left();
}

std::size_t Shard::owner_of(std::string_view url) {
  const std::string_view host = host_in(url);
  if (host != last_host_) {
    last_host_ = host;
    last_owner_ = all_.owner_of(host);
  }
  return last_owner_;
}

bool Shard::is_own(const url::Url& url) { return owner_of(url.href()) == index_; }

std::optional<Verdict> Shard::send(const url::Url& url, std::uint64_t fingerprint,
                                   const Target& facts) {
  const std::size_t owner = owner_of(url.href());
  if (owner == index_) return std::nullopt;
  // If depth matters, its owner needs every depth at which it was found.
  const std::uint64_t depth = all_.has_levels_ ? facts.depth + std::uint64_t{1} : 0;
  // Its owner also needs to know that a guess is a link of a page.
  const std::uint64_t guess = facts.purpose == Purpose::guess ? 0xC2B2AE3D27D4EB4F : 0;
  if (!sent_.insert(fingerprint ^ guess ^ depth * 0x9E3779B97F4A7C15)) return Verdict::seen;
  Message message = {.kind = Message::Kind::link, .fingerprint = fingerprint, .facts = facts};
  message.facts.via = Referrer();
  message.url = url.without_fragment();
  // Stored before the page that contains it has ended.
  message.facts.ticket = engine_->mail().keep_sent(message.url, fingerprint, facts);
  all_.share_->work.begin(facts.depth);  // until it is opened
  all_.share_->work.hold();
  put(owner, std::move(message), facts.via.url());
  return Verdict::added;
}

bool Shard::send_refused(std::string_view url, std::uint64_t fingerprint, SkipReason reason,
                         const Target& facts, std::string_view detail) {
  const std::size_t owner = owner_of(url);
  if (owner == index_) return false;
  Message message = {.kind = Message::Kind::refused,
                     .reason = reason,
                     .fingerprint = fingerprint,
                     .facts = facts,
                     .url = std::string(url),
                     .detail = std::string(detail)};
  message.facts.via = Referrer();
  all_.share_->work.hold();
  put(owner, std::move(message), facts.via.url());
  return true;
}

void Shard::widen(const url::Url& root) {
  for (std::size_t i = 0; i < all_.count(); ++i) {
    if (i == index_) continue;
    all_.share_->work.hold();
    put(i, {.kind = Message::Kind::root, .url = std::string(root.without_fragment())}, {});
  }
}

void Shard::has_begun() {
  all_.share_->work.end(0);
  all_.share_->work.release();
}

bool Shard::hold_open() { return all_.share_->work.hold_unless_done(); }

void Shard::let_go() { all_.share_->work.release(); }

void Shard::stop(EndReason reason) {
  for (const auto& shard : all_.shards_) {
    if (shard.get() != this) shard->receive_stop(reason);
  }
}

std::uint64_t Shard::add_wire_bytes(std::uint64_t bytes) {
  return all_.wire_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
}

// --- messages

void Shard::put(std::size_t receiver, Message message, std::string_view via) {
  Batch& batch = outgoing_[receiver];
  if (batch.vias.empty() || batch.vias.back() != via) batch.vias.emplace_back(via);
  message.via = static_cast<std::uint32_t>(batch.vias.size() - 1);
  batch.messages.push_back(std::move(message));
  if (batch.messages.size() >= kMessagesPerBatch) {
    all_[receiver].receive(std::exchange(batch, {}));
    return;
  }
  if (std::exchange(is_flush_due_, true)) return;
  async::Loop::current().call_soon([this] { flush(); });
}

void Shard::flush() {
  is_flush_due_ = false;
  for (std::size_t i = 0; i < outgoing_.size(); ++i) {
    if (!outgoing_[i].messages.empty()) all_[i].receive(std::exchange(outgoing_[i], {}));
  }
}

void Shard::receive(Batch batch) {
  const std::scoped_lock lock(mutex_);
  incoming_.push_back(std::move(batch));
  post_delivery();
}

void Shard::receive_stop(EndReason reason) {
  const std::scoped_lock lock(mutex_);
  if (!stop_ || reason == EndReason::aborted) stop_ = reason;
  post_delivery();
  if (starting_ == nullptr) return;
  starting_->loop().post([this] {
    if (starting_ != nullptr) starting_->cancel();
  });
}

void Shard::receive_all_left() {
  const std::scoped_lock lock(mutex_);
  have_all_left_ = true;
  post_delivery();
}

// REQUIRES: the mutex is held.
void Shard::post_delivery() {
  if (loop_ == nullptr || std::exchange(is_delivery_posted_, true)) return;
  loop_->post([this] { deliver(); });
}

void Shard::deliver() {
  std::vector<Batch> batches;
  std::optional<EndReason> stop;
  bool have_all_left = false;
  {
    const std::scoped_lock lock(mutex_);
    is_delivery_posted_ = false;
    if (engine_ != nullptr && !engine_->is_over()) batches.swap(incoming_);
    stop = std::exchange(stop_, std::nullopt);
    have_all_left = have_all_left_;
  }
  if (engine_ != nullptr) {
    if (stop) engine_->stop_here(*stop);
    for (const Batch& batch : batches) take(batch);
  }
  if (have_all_left) all_left_.set();
}

void Shard::take(const Batch& batch) {
  OpenWork& work = all_.share_->work;
  std::vector<Referrer> referrers;
  for (const std::string& via : batch.vias) {
    referrers.push_back(via.empty() ? Referrer() : Referrer(via));
  }
  for (const Message& message : batch.messages) {
    Target facts = message.facts;
    facts.via = referrers[message.via];
    try {
      take(message, facts);
    } catch (...) {  // out of memory, or a hook
      engine_->give_up(EndReason::failed, error_of_exception());
    }
    if (message.kind == Message::Kind::link) work.end(message.facts.depth);
    work.release();
  }
}

void Shard::take(const Message& message, const Target& facts) {
  switch (message.kind) {
    case Message::Kind::link: return engine_->mail().take_link(message.url, facts);
    case Message::Kind::refused:
      return engine_->mail().take_refused(message.url, message.fingerprint, message.reason, facts,
                                          message.detail);
    case Message::Kind::root: return engine_->mail().take_root(message.url);
  }
}

// --- all shards

Shards::Shards(std::size_t count, const FrontierOptions& options)
    : has_levels_(options.is_level_by_level), share_(std::make_shared<FrontierShare>(options)) {
  CHECK(count > 0);
  for (std::size_t i = 0; i < count; ++i) {
    shards_.push_back(std::make_unique<Shard>(*this, i, options.salt));
    // Prevents the end and the next level until its roots are known.
    share_->work.begin(0);
    share_->work.hold();
  }
}

Shards::~Shards() = default;

std::size_t Shards::owner_of(std::string_view host) const {
  return site_number(host) % shards_.size();
}

void Shards::has_left() {
  if (left_.fetch_add(1, std::memory_order_acq_rel) + 1 < shards_.size()) return;
  for (const auto& shard : shards_) shard->receive_all_left();
}

std::uint64_t Shards::undelivered() const {
  std::uint64_t count = 0;
  for (const auto& shard : shards_) {
    for (const Shard::Batch& batch : shard->incoming_) {
      for (const Shard::Message& message : batch.messages) {
        if (message.kind == Shard::Message::Kind::link) ++count;
      }
    }
  }
  return count;
}

}  // namespace gossamer::crawler
