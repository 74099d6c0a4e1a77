#include "cluster/function_library.h"

namespace gossamer::cluster {
namespace {

constexpr std::string_view kPartitionFunctions = R"lua(#!lua name=gossamer_3

-- The frontier of a crawl that several nodes share. A crawl is divided into partitions by site.
-- The keys of partition 17 of the crawl "museum", all in one slot:
--
--   C{museum.17}        hash    v: the identity of the crawl, without which a server has lost the
--                               partition. a: URLs found, e: URLs ended; between calls,
--                               both only grow.
--                               h: hosts, l: leased hosts, f: frozen, while its slot is moved,
--                               n: the id of the master on which it was made or to which its slot
--                               was moved while it was frozen
--   D{museum.17}        hash    domain -> its hosts that are known
--   R{museum.17}        zset    host -> the moment from which it may be leased. Of a leased host:
--                               the end of the lease and its pause, so an expired lease needs
--                               no cleaning
--   H{museum.17}HOST    hash    t: token of the lease, l: leases that expired, n: batches ended,
--                               i: URLs ended in the first batch, w: URLs waiting, s: URLs seen,
--                               b: buckets, p: pause, m: the moment of the next request,
--                               o: state of the holder, k: what changes rarely in it,
--                               d: token of the last release,
--                               g: the last completion had URLs to fetch again
--   Q{museum.17}HOST    list    batches: count, live, mask, and the URLs, which only nodes read
--   S{museum.17}B:HOST  set     fingerprints; integers, in buckets of about 128, because larger
--                               sets of integers take ten times the memory
--
-- Moments are milliseconds of the server's clock. A function verifies its arguments before its
-- first write, because nothing is rolled back. The last argument of every function is the identity
-- of the crawl.

local BATCH_MAX = 64
local PER_BUCKET = 128
local BUCKETS_MAX = 65536

local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.ceil(tonumber(time[2]) / 1000)
end

local function whole(text, max)
  local number = tonumber(text)
  if not number or number < 0 or number > max or number % 1 ~= 0 then return nil end
  return number
end

local function wrong(what)
  return redis.error_reply('ERR gossamer: ' .. what)
end

-- Takes the identity from the arguments. Returns the tag of the partition, or nil and the error.
local function partition(keys, args)
  local tag = #keys == 1 and keys[1]:match('^C({[%w_.-]+})$')
  if not tag then return nil, wrong('not the key of a partition') end
  local facts = redis.call('HMGET', keys[1], 'v', 'f')
  local identity = table.remove(args)
  if not facts[1] or facts[1] ~= identity then
    return nil, redis.error_reply('GONE the server has lost partition ' .. tag)
  end
  if facts[2] then return nil, redis.error_reply('FROZEN ' .. tag .. ' is being moved') end
  return tag
end

local function append(list, first, second)
  local size = #list
  list[size + 1], list[size + 2] = first, second
end

-- The number of live URLs in a batch.
local function live_in(batch)
  return batch:byte(2)
end

local function is_batch(text)
  return #text > 2 and live_in(text) >= 1 and live_in(text) <= BATCH_MAX
end

-- Linear hashing: the number of buckets grows by one at a time.
local function level_of(buckets)
  local level = 1
  while level * 2 <= buckets do level = level * 2 end
  return level
end

local function bucket_of(fingerprint, buckets, level)
  local number = tonumber(fingerprint:sub(-9))
  local bucket = number % level
  if bucket < buckets - level then bucket = number % (level * 2) end
  return bucket
end

-- Sorts fingerprints into the buckets of a host. Returns them by the key of their bucket.
local function in_buckets(prefix, host, fingerprints, buckets)
  if #fingerprints == 0 then return {} end
  if buckets == 1 then return {[prefix .. '0:' .. host] = fingerprints} end
  local level, by_key = level_of(buckets), {}
  for _, fingerprint in ipairs(fingerprints) do
    local key = prefix .. bucket_of(fingerprint, buckets, level) .. ':' .. host
    local list = by_key[key]
    if not list then
      list = {}
      by_key[key] = list
    end
    list[#list + 1] = fingerprint
  end
  return by_key
end

-- Moves a part of the oldest unsplit bucket into a new one.
local function split(prefix, host, buckets)
  local level = level_of(buckets)
  local from = buckets - level
  local from_key = prefix .. from .. ':' .. host
  local moved = {}
  for _, fingerprint in ipairs(redis.call('SMEMBERS', from_key)) do
    -- The new bucket is from + level.
    if fingerprint:sub(-9) % (level * 2) == buckets then moved[#moved + 1] = fingerprint end
  end
  local to_key = prefix .. buckets .. ':' .. host
  for first = 1, #moved, 1000 do
    local last = math.min(first + 999, #moved)
    redis.call('SADD', to_key, unpack(moved, first, last))
    redis.call('SREM', from_key, unpack(moved, first, last))
  end
end

-- Finds the new fingerprints of a group, by the key of their bucket, and their number.
local function find_new(tag, group, buckets)
  local is_known, fresh, count = {}, {}, 0
  local by_key = in_buckets('S' .. tag, group.host, group.fingerprints, buckets)
  for key, list in pairs(by_key) do
    local known = redis.call('SMISMEMBER', key, unpack(list))
    local added = {}
    for j = 1, #list do
      local fingerprint = list[j]
      if not is_known[fingerprint] then
        if known[j] == 0 then added[#added + 1] = fingerprint end
        is_known[fingerprint] = known[j] == 1 and 'seen' or 'new'
      end
    end
    if #added > 0 then fresh[key] = added end
    count = count + #added
  end
  return is_known, fresh, count
end

-- Returns the bits of the new URLs, and their fingerprints. Of equal ones the first counts.
local function mask_of(group, is_known, count)
  local all = #group.fingerprints
  if count == all then
    local rest = all % 8
    local mask = string.rep('\255', (all - rest) / 8)
    if rest > 0 then mask = mask .. string.char(2 ^ rest - 1) end
    return mask, group.fingerprints
  end
  local bytes, live, byte = {}, {}, 0
  for j = 1, all do
    local fingerprint = group.fingerprints[j]
    if is_known[fingerprint] == 'new' then
      is_known[fingerprint] = 'seen'
      live[#live + 1] = fingerprint
      byte = byte + 2 ^ ((j - 1) % 8)
    end
    if j % 8 == 0 or j == all then
      bytes[#bytes + 1] = string.char(byte)
      byte = 0
    end
  end
  return table.concat(bytes), live
end

-- Queues URLs that may be fetched now.
local function enqueue(tag, group, batch, live, host, time)
  redis.call('RPUSH', 'Q' .. tag .. group.host, batch .. group.block)
  if host.waiting == 0 and not host.is_leased then
    redis.call('ZADD', 'R' .. tag, math.max(time, host.moment), group.host)
  end
  host.waiting = host.waiting + live
end

-- Crawls that go level by level need these; see there.
local is_level, park, find_nearer, depths_of

-- Reads what adding needs to know of a host.
local function read_host(tag, group, hosts_max)
  local facts = redis.call('HMGET', 'H' .. tag .. group.host, 'b', 's', 'w', 'm', 't')
  local host = {name = group.host, buckets = tonumber(facts[1] or 1),
                seen = tonumber(facts[2] or 0), waiting = tonumber(facts[3] or 0),
                moment = tonumber(facts[4] or 0), is_leased = facts[5], is_new = not facts[2]}
  host.domain = host.is_new and group.domain > 0 and group.host:sub(-group.domain)
  host.is_refused = host.domain and hosts_max > 0
                    and tonumber(redis.call('HGET', 'D' .. tag, host.domain) or 0) >= hosts_max
  return host
end

local function write_host(tag, host)
  if not host or not host.is_changed then return end
  local facts = {'s', host.seen, 'w', host.waiting}
  if host.is_split then append(facts, 'b', host.buckets) end
  redis.call('HSET', 'H' .. tag .. host.name, unpack(facts))
end

-- Adds the new URLs of a group. They are queued before they are marked as seen: an interrupted call
-- can repeat a URL, but never lose one. Returns how many were added, and how many of them
-- were found for the first time.
local function add_group(tag, c_key, group, host, time)
  local is_known, fresh, count = find_new(tag, group, host.buckets)
  local stale, nearer = {}, 0
  if group.depth then stale, nearer = find_nearer(tag, group, is_known, host.buckets) end
  if count + nearer == 0 then return 0, 0 end
  local mask, live = mask_of(group, is_known, count + nearer)
  local batch = string.char(#group.fingerprints, #live) .. mask
  if is_level(c_key, group.depth) then
    if nearer > 0 then redis.call('HINCRBY', c_key, 'p', -nearer) end
    enqueue(tag, group, batch, #live, host, time)
  else
    redis.call('HINCRBY', c_key, 'p', count)
    park(tag, c_key, group, batch, live, host.buckets)
  end
  for key, added in pairs(fresh) do redis.call('SADD', key, unpack(added)) end
  for key, moved in pairs(stale) do redis.call('SREM', key, unpack(moved)) end
  host.seen, host.is_changed = host.seen + count, true
  while host.seen > PER_BUCKET * host.buckets and host.buckets < BUCKETS_MAX do
    split('S' .. tag, group.host, host.buckets)
    for _, depth in ipairs(group.depth and depths_of(tag, '-inf') or {}) do
      split('F' .. tag .. depth .. ':', group.host, host.buckets)
    end
    host.buckets, host.is_split = host.buckets + 1, true
  end
  return #live, count
end

-- Reads groups: host, bytes of its domain, count, fingerprints of 19 digits, block. Returns them
-- and the number of URLs.
local function read_groups(args, depth)
  local groups, at, urls = {}, 2, 0
  while at <= #args do
    local domain, count = whole(args[at + 1], #args[at]), whole(args[at + 2], BATCH_MAX)
    if not domain or not count or count == 0 or at + 3 + count > #args or args[at] == '' then
      return nil
    end
    local group = {host = args[at], domain = domain, depth = depth, fingerprints = {},
                   block = args[at + 3 + count]}
    for j = 1, count do
      local fingerprint = args[at + 2 + j]
      if #fingerprint ~= 19 or fingerprint:byte() == 48 or fingerprint:find('%D') then
        return nil
      end
      group.fingerprints[j] = fingerprint
    end
    groups[#groups + 1] = group
    at, urls = at + 4 + count, urls + count
  end
  return groups, urls
end

-- All URLs are counted before they are queued, and those that are not new are taken off again in
-- the end: a call that fails in between can keep the crawl from ending, but never end it early.
local function add_groups(tag, keys, args, depth)
  local hosts_max = whole(args[1], 2 ^ 32)
  local groups, urls = read_groups(args, depth)
  if not groups or not hosts_max then return wrong('groups of links') end
  local time, counts, host, found, hosts = now(), {}, nil, 0, 0
  redis.call('HINCRBY', keys[1], 'a', urls)
  for j, group in ipairs(groups) do
    if not host or host.name ~= group.host then
      write_host(tag, host)
      host = read_host(tag, group, hosts_max)
    end
    counts[j] = -1
    if not host.is_refused then
      local count
      counts[j], count = add_group(tag, keys[1], group, host, time)
      found = found + count
      if host.is_new and counts[j] > 0 then
        host.is_new, hosts = false, hosts + 1
        if host.domain then redis.call('HINCRBY', 'D' .. tag, host.domain, 1) end
      end
    end
  end
  write_host(tag, host)
  if hosts > 0 then redis.call('HINCRBY', keys[1], 'h', hosts) end
  -- WAIT covers only what its connection has written. These writes let it cover an earlier call of
  -- another connection that added the same URLs.
  redis.call('HINCRBY', keys[1], 'a', found - urls)
  return counts
end

-- add(C; hosts, groups) returns the number of new URLs of each group, or -1 if its host is new and
-- its domain has that many hosts already. 0 means no limit, and so does a domain of 0 bytes.
local function add(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  return add_groups(tag, keys, args)
end

-- Appends batches from that place of the queue on, until they have enough live URLs.
local function read_batches(q_key, first, urls, into)
  while urls > 0 do
    local batches = redis.call('LRANGE', q_key, first, first + 7)
    for _, batch in ipairs(batches) do
      if urls <= 0 then return end
      into[#into + 1] = batch
      urls = urls - live_in(batch)
    end
    if #batches < 8 then return end
    first = first + 8
  end
end

-- lease(C; token, hosts, urls, ttl) returns hosts that are due, each as
-- {host, n, i, pause, expired leases, state, kept, batch...}. A lease only reads the queue.
local function lease(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local token, hosts, urls = args[1], whole(args[2], 10000), whole(args[3], 1000000)
  local ttl = whole(args[4], 86400000)
  if not token or token == '' or not hosts or not urls or urls == 0 or not ttl then
    return wrong('arguments of a lease')
  end
  local time, leased = now(), {}
  local due = redis.call('ZRANGEBYSCORE', 'R' .. tag, '-inf', time, 'LIMIT', 0, hosts)
  for _, host in ipairs(due) do
    local h_key = 'H' .. tag .. host
    local facts = redis.call('HMGET', h_key, 't', 'l', 'n', 'i', 'p', 'o', 'w', 'k')
    local done, pause = tonumber(facts[4] or 0), tonumber(facts[5] or 0)
    local expired = tonumber(facts[2] or 0)
    if tonumber(facts[7] or 0) == 0 then
      -- The last holder expired after it had ended everything.
      redis.call('ZREM', 'R' .. tag, host)
      if redis.call('HDEL', h_key, 't') == 1 then redis.call('HINCRBY', keys[1], 'l', -1) end
    else
      if facts[1] then expired = expired + 1 else redis.call('HINCRBY', keys[1], 'l', 1) end
      redis.call('HSET', h_key, 't', token, 'l', expired)
      redis.call('ZADD', 'R' .. tag, time + ttl + pause, host)
      local found = {host, tonumber(facts[3] or 0), done, pause, expired, facts[6] or '',
                     facts[8] or ''}
      read_batches('Q' .. tag .. host, 0, urls + done, found)
      leased[#leased + 1] = found
    end
  end
  return leased
end

local ACTIONS = {release = true, keep = true, more = true}

-- Reads one completion, from that argument on. Returns nil and the error if it is impossible.
local function read_completion(tag, args, at)
  local each = {host = args[at], token = args[at + 1], n = whole(args[at + 2], 2 ^ 52),
                i = whole(args[at + 3], BATCH_MAX), held = whole(args[at + 4], 2 ^ 52),
                pause = whole(args[at + 5], 86400000), action = args[at + 6],
                urls = whole(args[at + 7], 1000000), again = args[at + 8],
                state = args[at + 9], kept = args[at + 10], ended = 0}
  if not each.n or not each.i or not each.held or not each.pause or not each.urls
      or not ACTIONS[each.action] or not each.kept
      or (each.again ~= '' and not is_batch(each.again)) then
    return nil, wrong('arguments of a completion')
  end
  local facts = redis.call('HMGET', 'H' .. tag .. each.host, 't', 'n', 'i', 'w', 'd', 'g')
  each.old_n, each.old_i = tonumber(facts[2] or 0), tonumber(facts[3] or 0)
  each.had_again = facts[6]
  each.waiting = tonumber(facts[4] or 0)
  each.is_ahead = each.n > each.old_n or (each.n == each.old_n and each.i > each.old_i)
  each.is_repeat = facts[1] ~= each.token and facts[5] == each.token
                   and each.action == 'release' and not each.is_ahead
  each.is_lost = facts[1] ~= each.token and not each.is_repeat
  if each.is_lost or each.is_repeat then return each end
  if not each.is_ahead then
    local is_known = each.n == each.old_n and each.i == each.old_i and facts[6]
    if each.again ~= '' and not is_known then
      return nil, wrong('URLs to fetch again, without progress')
    end
    each.n = each.old_n
    return each
  end
  local popped = each.n - each.old_n
  local heads = redis.call('LRANGE', 'Q' .. tag .. each.host, 0, popped)
  local is_inside = each.i == 0 or (heads[popped + 1] and each.i < live_in(heads[popped + 1]))
  if #heads < popped or not is_inside then return nil, wrong('a position that is not there') end
  for j = 1, popped do each.ended = each.ended + live_in(heads[j]) end
  each.ended = each.ended - each.old_i + each.i
  return each
end

-- Ends URLs: everything before the position. The position is absolute, so the same completion does
-- nothing the second time. Appends what the host must know then.
local function end_urls(tag, c_key, each, facts)
  local q_key, again = 'Q' .. tag .. each.host, 0
  if each.again ~= '' then
    again = live_in(each.again)
    redis.call('HINCRBY', c_key, 'a', again)
    redis.call('RPUSH', q_key, each.again)
  end
  each.waiting = each.waiting - each.ended + again
  append(facts, 'n', each.n)
  append(facts, 'i', each.i)
  append(facts, 'w', each.waiting)
  append(facts, 'l', 0)
  if again > 0 then append(facts, 'g', 1) end
  if again == 0 and each.had_again then redis.call('HDEL', 'H' .. tag .. each.host, 'g') end
end

-- Appends the moment from which the host may be leased to `moments`.
local function complete_one(tag, c_key, each, time, ttl, moments)
  if each.is_lost then return -1 end
  if each.is_repeat then return {each.waiting} end
  local h_key, facts = 'H' .. tag .. each.host, {'p', each.pause}
  if each.is_ahead then end_urls(tag, c_key, each, facts) end
  if each.state ~= '' then append(facts, 'o', each.state) end
  if each.kept ~= '' then append(facts, 'k', each.kept) end
  if each.action == 'release' then
    append(facts, 'm', time + each.pause)
    append(facts, 'd', each.token)
  end
  redis.call('HSET', h_key, unpack(facts))
  -- An interrupted call leaves too much in the queue, which is repeated, never too little.
  if each.n > each.old_n then redis.call('LPOP', 'Q' .. tag .. each.host, each.n - each.old_n) end
  local answer = {each.waiting}
  if each.action == 'release' then
    redis.call('HDEL', h_key, 't')
    redis.call('HINCRBY', c_key, 'l', -1)
    if each.waiting > 0 then
      append(moments, time + each.pause, each.host)
    else
      redis.call('ZREM', 'R' .. tag, each.host)
    end
    return answer
  end
  append(moments, time + ttl + each.pause, each.host)
  if each.action == 'more' then
    read_batches('Q' .. tag .. each.host, math.max(0, each.held - each.n), each.urls, answer)
  end
  return answer
end

-- complete(C; ttl, completions of eleven arguments: host, token, n, i, batches held, pause, action,
-- urls, batch to fetch again, state, kept) returns for each -1, if the lease is another one's, or
-- {waiting, batch...}. An empty state is unchanged.
local function complete(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local ttl = whole(args[1], 86400000)
  if not ttl or #args % 11 ~= 1 then return wrong('arguments of a completion') end
  local completions, is_there = {}, {}
  for at = 2, #args, 11 do
    local each, mistake = read_completion(tag, args, at)
    if not each then return mistake end
    if is_there[each.host] then return wrong('a host is completed twice') end
    is_there[each.host] = true
    completions[#completions + 1] = each
  end
  local time, answers, moments, ended = now(), {}, {}, 0
  for j, each in ipairs(completions) do
    answers[j] = complete_one(tag, keys[1], each, time, ttl, moments)
    ended = ended + each.ended
  end
  if #moments > 0 then redis.call('ZADD', 'R' .. tag, unpack(moments)) end
  if ended > 0 then redis.call('HINCRBY', keys[1], 'e', ended) end
  return answers
end

-- renew(C; ttl, hosts and tokens) returns 1 for each host whose lease is still this one, else 0.
local function renew(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local ttl = whole(args[1], 86400000)
  if not ttl or #args % 2 ~= 1 then return wrong('arguments of a renewal') end
  local time, held, moments = now(), {}, {}
  for at = 2, #args, 2 do
    local facts = redis.call('HMGET', 'H' .. tag .. args[at], 't', 'p')
    local is_held = facts[1] == args[at + 1]
    held[at / 2] = is_held and 1 or 0
    if is_held then append(moments, time + ttl + tonumber(facts[2] or 0), args[at]) end
  end
  if #moments > 0 then redis.call('ZADD', 'R' .. tag, unpack(moments)) end
  return held
end

redis.register_function('g3_add', add)
redis.register_function{function_name = 'g3_lease', callback = lease, flags = {'allow-oom'}}
redis.register_function{function_name = 'g3_complete', callback = complete, flags = {'allow-oom'}}
redis.register_function{function_name = 'g3_renew', callback = renew, flags = {'allow-oom'}}
)lua";

}  // namespace

std::string_view partition_functions() noexcept { return kPartitionFunctions; }

}  // namespace gossamer::cluster
