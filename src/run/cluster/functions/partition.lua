#!lua name=gossamer_4

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
--   K{museum.17}        hash    host -> its facts, as one text, so that a call reads and writes
--                               those of all its hosts together. Divided by spaces: URLs seen, URLs
--                               waiting, buckets, the moment of the next request, token of the
--                               lease, batches ended, URLs ended in the first batch, leases that
--                               expired, pause, token of the last release, and 1 if the last
--                               completion had URLs to fetch again. A token that is not there is -
--   H{museum.17}HOST    hash    o: state of the holder, k: what changes rarely in it
--   Q{museum.17}HOST    list    batches: count, live, mask, and the URLs, which only nodes read
--   S{museum.17}B:HOST  set     fingerprints; integers, in buckets of about 192, because larger
--                               sets of integers take ten times the memory
--
-- Moments are milliseconds of the server's clock. A function verifies its arguments before its
-- first write, because nothing is rolled back. The last argument of every function is the identity
-- of the crawl.

local BATCH_MAX = 64
local PER_BUCKET = 192
local BUCKETS_MAX = 65536
local DIGITS = 19
-- BOUND: hosts of one call, since a function blocks its server.
local HOSTS_MAX = 1000

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

-- Returns the facts of hosts, in their order; false for a host that is not known.
local function read_facts(tag, hosts)
  if #hosts == 0 then return {} end
  return redis.call('HMGET', 'K' .. tag, unpack(hosts))
end

-- Writes hosts and their facts, each after the other.
local function write_facts(tag, facts)
  for first = 1, #facts, 2000 do
    redis.call('HSET', 'K' .. tag, unpack(facts, first, math.min(first + 1999, #facts)))
  end
end

-- What leases and completions know of a host that was only found: no token, no batch ended, ...
local NO_LEASE = '- 0 0 0 0 - 0'

-- Returns the facts that adding URLs needs, and the text of the others.
local function found_facts(text)
  if not text then return {seen = 0, waiting = 0, buckets = 1, moment = '0', lease = NO_LEASE} end
  local seen, waiting, buckets, moment, lease =
    text:match('^(%d+) (%d+) (%d+) (%d+) (%S.*)$')
  return {seen = tonumber(seen), waiting = tonumber(waiting), buckets = tonumber(buckets),
          moment = moment, lease = lease}
end

local function found_text(facts)
  return facts.seen .. ' ' .. facts.waiting .. ' ' .. facts.buckets .. ' ' .. facts.moment .. ' '
         .. facts.lease
end

local function is_leased(facts)
  return facts.lease:byte() ~= 45
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

-- Returns a number for a bucket below 2 * level. A power of two needs as many decimal digits as
-- binary ones, and short texts are cheap.
local function bucket_number(fingerprint, level)
  return tonumber(fingerprint:sub(level <= 4 and -3 or -9))
end

local function bucket_of(fingerprint, buckets, level)
  local number = bucket_number(fingerprint, level)
  local bucket = number % level
  if bucket < buckets - level then bucket = number % (level * 2) end
  return bucket
end

-- Sorts fingerprints into the buckets of a host. Returns them by the key of their bucket.
local function in_buckets(prefix, host, fingerprints, buckets)
  if #fingerprints == 0 then return {} end
  if buckets == 1 then return {[prefix .. '0:' .. host] = fingerprints} end
  local level, lists, by_key = level_of(buckets), {}, {}
  for _, fingerprint in ipairs(fingerprints) do
    local bucket = bucket_of(fingerprint, buckets, level)
    local list = lists[bucket]
    if list then list[#list + 1] = fingerprint else lists[bucket] = {fingerprint} end
  end
  for bucket, list in pairs(lists) do by_key[prefix .. bucket .. ':' .. host] = list end
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
    local bucket = bucket_number(fingerprint, level) % (level * 2)
    if bucket == buckets then moved[#moved + 1] = fingerprint end
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

-- Returns the head of a batch whose URLs are all live: count, live, mask.
local heads = {}
local function whole_head(count)
  local head = heads[count]
  if not head then
    local rest = count % 8
    head = string.char(count, count) .. string.rep('\255', (count - rest) / 8)
           .. (rest > 0 and string.char(2 ^ rest - 1) or '')
    heads[count] = head
  end
  return head
end

-- Returns the batch in which only the new URLs of a group are live, and their fingerprints. Of
-- equal ones the first counts.
local function batch_of(group, is_known, count)
  local all = #group.fingerprints
  if count == all then return group.batch, group.fingerprints end
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
  local block = group.batch:sub(#whole_head(all) + 1)
  return string.char(all, #live) .. table.concat(bytes) .. block, live
end

-- Crawls that go level by level need these; see there.
local is_level, park, find_nearer, depths_of

-- Queues URLs that may be fetched now. Appends the moment from which the host may be leased.
local function enqueue(tag, batch, live, host, time, moments)
  redis.call('RPUSH', 'Q' .. tag .. host.name, batch)
  if host.waiting == 0 and not is_leased(host) then
    append(moments, math.max(time, tonumber(host.moment)), host.name)
  end
  host.waiting = host.waiting + live
  host.is_changed = true
end

-- Adds a group of one URL: a single command tells whether it is new, and marks it as seen. If it
-- cannot be queued, it is unmarked (add_safely()).
local function add_one(tag, group, host, time, moments)
  local fingerprint, bucket = group.fingerprints[1], 0
  if host.buckets > 1 then
    bucket = bucket_of(fingerprint, host.buckets, level_of(host.buckets))
  end
  local key = 'S' .. tag .. bucket .. ':' .. host.name
  if redis.call('SADD', key, fingerprint) == 0 then return 0, 0 end
  group.marked = key
  enqueue(tag, group.batch, 1, host, time, moments)
  group.marked = nil
  return 1, 1
end

-- Adds a group. URLs are queued before they are marked as seen: an interrupted call can repeat a
-- URL, but never lose one.
local function add_many(tag, c_key, group, host, time, moments)
  local is_known, fresh, count = find_new(tag, group, host.buckets)
  local stale, nearer = {}, 0
  if group.depth then stale, nearer = find_nearer(tag, group, is_known, host.buckets) end
  if count + nearer == 0 then return 0, 0 end
  local batch, live = batch_of(group, is_known, count + nearer)
  if is_level(c_key, group.depth) then
    if nearer > 0 then redis.call('HINCRBY', c_key, 'p', -nearer) end
    enqueue(tag, batch, #live, host, time, moments)
  else
    redis.call('HINCRBY', c_key, 'p', count)
    park(tag, c_key, group, batch, live, host.buckets)
  end
  for key, added in pairs(fresh) do redis.call('SADD', key, unpack(added)) end
  for key, moved in pairs(stale) do redis.call('SREM', key, unpack(moved)) end
  return #live, count
end

-- Adds the new URLs of a group. Returns how many were added, and how many of them were found for
-- the first time.
local function add_group(tag, c_key, group, host, time, moments)
  local added, count
  if group.depth or #group.fingerprints > 1 then
    added, count = add_many(tag, c_key, group, host, time, moments)
  else
    added, count = add_one(tag, group, host, time, moments)
  end
  if added == 0 then return 0, 0 end
  host.seen, host.is_changed = host.seen + count, true
  while host.seen > PER_BUCKET * host.buckets and host.buckets < BUCKETS_MAX do
    split('S' .. tag, group.host, host.buckets)
    for _, depth in ipairs(group.depth and depths_of(tag, '-inf') or {}) do
      split('F' .. tag .. depth .. ':', group.host, host.buckets)
    end
    host.buckets = host.buckets + 1
  end
  return added, count
end

-- Returns nil and the error if a command fails. What was added before stays, and is written.
local function add_safely(tag, c_key, group, host, time, moments)
  local is_good, added, count = pcall(add_group, tag, c_key, group, host, time, moments)
  if is_good then return added, count end
  if group.marked then redis.call('SREM', group.marked, group.fingerprints[1]) end
  return nil, added
end

-- Reads a group: host, bytes of its domain, fingerprints of 19 digits, and a batch in which all
-- URLs are live. Returns nil if it is impossible.
local function read_group(args, at, depth)
  local host, digits, batch = args[at], args[at + 2], args[at + 3]
  local domain, count = whole(args[at + 1], #host), batch:byte() or 0
  if host == '' or not domain or count == 0 or count > BATCH_MAX or #digits ~= DIGITS * count
      or digits:find('%D') or batch:find(whole_head(count), 1, true) ~= 1 then
    return nil
  end
  local fingerprints = {}
  for j = 1, count do
    local last = DIGITS * j
    if digits:byte(last - DIGITS + 1) == 48 then return nil end
    fingerprints[j] = digits:sub(last - DIGITS + 1, last)
  end
  return {host = host, domain = domain, depth = depth, fingerprints = fingerprints, batch = batch}
end

-- Reads groups, and what is known of their hosts. Returns the groups, the hosts by number and by
-- name, and the number of URLs.
local function read_groups(tag, args, depth)
  if #args % 4 ~= 1 or #args > 4 * HOSTS_MAX + 1 then return nil end
  local groups, names, hosts, urls = {}, {}, {}, 0
  for at = 2, #args, 4 do
    local group = read_group(args, at, depth)
    if not group then return nil end
    groups[#groups + 1] = group
    urls = urls + #group.fingerprints
    if not hosts[group.host] then
      hosts[group.host] = true
      names[#names + 1] = group.host
    end
  end
  for j, text in ipairs(read_facts(tag, names)) do
    local host = found_facts(text)
    host.name, host.is_new = names[j], not text
    hosts[names[j]], hosts[j] = host, host
  end
  return groups, hosts, urls
end

-- Returns whether a new host is one too many of its domain.
local function is_refused(tag, group, host, hosts_max)
  if not host.is_new or host.is_changed or group.domain == 0 then return false end
  host.domain = group.host:sub(-group.domain)
  return hosts_max > 0 and tonumber(redis.call('HGET', 'D' .. tag, host.domain) or 0) >= hosts_max
end

-- Writes what adding has changed.
local function write_found(tag, c_key, hosts, moments, new_hosts)
  if #moments > 0 then redis.call('ZADD', 'R' .. tag, unpack(moments)) end
  local facts = {}
  for _, host in ipairs(hosts) do
    if host.is_changed then append(facts, host.name, found_text(host)) end
  end
  write_facts(tag, facts)
  if new_hosts > 0 then redis.call('HINCRBY', c_key, 'h', new_hosts) end
end

-- All URLs are counted before they are queued, and those that are not new are taken off again in
-- the end: a call that fails in between can keep the crawl from ending, but never end it early.
local function add_groups(tag, keys, args, depth)
  local hosts_max = whole(args[1], 2 ^ 32)
  local groups, hosts, urls = read_groups(tag, args, depth)
  if not groups or not hosts_max then return wrong('groups of links') end
  local time, counts, moments, found, new_hosts, failure = now(), {}, {}, 0, 0, nil
  redis.call('HINCRBY', keys[1], 'a', urls)
  for j, group in ipairs(groups) do
    local host, count = hosts[group.host], nil
    counts[j] = -1
    if not is_refused(tag, group, host, hosts_max) then
      counts[j], count = add_safely(tag, keys[1], group, host, time, moments)
      if not counts[j] then
        failure = count
        break
      end
      found = found + count
      if host.is_new and counts[j] > 0 then
        host.is_new, new_hosts = false, new_hosts + 1
        if host.domain then redis.call('HINCRBY', 'D' .. tag, host.domain, 1) end
      end
    end
  end
  write_found(tag, keys[1], hosts, moments, new_hosts)
  if failure then error(failure, 0) end
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

redis.register_function('g4_add', add)
