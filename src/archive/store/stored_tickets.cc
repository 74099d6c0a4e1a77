#include "store/stored_tickets.h"

#include <optional>
#include <utility>

#include "base/packing.h"

namespace gossamer::store {
namespace {

// In Table::origins.
constexpr char kTicketRow = 't';

struct Row {
  StoredTicket ticket;
  std::string_view trust;
};

// BORROWS: the value.
std::optional<Row> unpack(std::string_view key, std::string_view value) {
  Unpacker row(value);
  Row read;
  read.ticket.key = key.substr(1);
  read.ticket.expires.seconds = row.signed_number();
  read.ticket.host = row.text();
  read.trust = row.text();
  read.ticket.session = row.text();
  return row.is_good() ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace

std::vector<StoredTicket> StoredTickets::take(crawler::SiteShare share, std::string_view trust,
                                              WallTime now) {
  const Journal::Lock lock = journal_.lock();
  std::vector<StoredTicket> own;
  bool has_removed = false;
  const auto take_row = [&](std::string_view key, std::string_view value) {
    if (key.front() != kTicketRow) return false;
    auto row = unpack(key, value);
    if (row && !share.has(crawler::site_number(row->ticket.host))) return true;
    journal_.pending().remove(Table::origins, std::string(key));
    has_removed = true;
    if (row && row->trust == trust && now < row->ticket.expires) {
      own.push_back(std::move(row->ticket));
    }
    return true;
  };
  auto read = journal_.tables().scan(Table::origins, std::string(1, kTicketRow), take_row);
  if (!read) journal_.fail_with(std::move(read).error());
  // They may be used from now on, and a run that is killed must not leave them.
  if (has_removed) journal_.commit();
  if (journal_.trouble()) own.clear();
  return own;
}

void StoredTickets::put(const std::vector<StoredTicket>& tickets, std::string_view trust) {
  const Journal::Lock lock = journal_.lock();
  for (const StoredTicket& ticket : tickets) {
    Packer row;
    row.signed_number(ticket.expires.seconds);
    row.text(ticket.host);
    row.text(trust);
    row.text(ticket.session);
    journal_.pending().put(Table::origins, kTicketRow + ticket.key, std::move(row).take());
  }
}

}  // namespace gossamer::store
