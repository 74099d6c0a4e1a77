-- The functions of a node that holds hosts. The keys are those of the functions that add URLs.

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

-- Returns all facts of a host that is known.
local function lease_facts(text)
  local facts = found_facts(text)
  local token, batches, urls, expired, pause, released, again =
    facts.lease:match('^(%S+) (%d+) (%d+) (%d+) (%d+) (%S+) (%d)$')
  facts.token, facts.n, facts.i = token, tonumber(batches), tonumber(urls)
  facts.expired, facts.pause, facts.released = tonumber(expired), tonumber(pause), released
  facts.had_again = again == '1'
  return facts
end

local function lease_text(facts)
  facts.lease = table.concat({facts.token, facts.n, facts.i, facts.expired, facts.pause,
                              facts.released, facts.had_again and 1 or 0}, ' ')
  return found_text(facts)
end

-- Leases a host. Returns what its holder must know, or nil if nothing waits.
local function lease_one(tag, host, facts, token, urls)
  if facts.waiting == 0 then
    -- The last holder expired after it had ended everything.
    redis.call('ZREM', 'R' .. tag, host)
    facts.token = '-'
    return nil
  end
  if is_leased(facts) then facts.expired = facts.expired + 1 end
  facts.token = token
  local state = redis.call('HMGET', 'H' .. tag .. host, 'o', 'k')
  local found = {host, facts.n, facts.i, facts.pause, facts.expired, state[1] or '',
                 state[2] or ''}
  read_batches('Q' .. tag .. host, 0, urls + facts.i, found)
  return found
end

-- lease(C; token, hosts, urls, ttl) returns hosts that are due, each as
-- {host, n, i, pause, expired leases, state, kept, batch...}. A lease only reads the queue.
local function lease(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local token, hosts, urls = args[1], whole(args[2], HOSTS_MAX), whole(args[3], 1000000)
  local ttl = whole(args[4], 86400000)
  if not token or not token:find('^%w+$') or not hosts or not urls or urls == 0 or not ttl then
    return wrong('arguments of a lease')
  end
  local time, leased, changed, moments, count = now(), {}, {}, {}, 0
  local due = redis.call('ZRANGEBYSCORE', 'R' .. tag, '-inf', time, 'LIMIT', 0, hosts)
  for j, text in ipairs(read_facts(tag, due)) do
    local facts = lease_facts(text)
    local was_leased = is_leased(facts)
    local found = lease_one(tag, due[j], facts, token, urls)
    if found then
      leased[#leased + 1] = found
      append(moments, time + ttl + facts.pause, due[j])
      if not was_leased then count = count + 1 end
    elseif was_leased then
      count = count - 1
    end
    append(changed, due[j], lease_text(facts))
  end
  write_facts(tag, changed)
  if #moments > 0 then redis.call('ZADD', 'R' .. tag, unpack(moments)) end
  if count ~= 0 then redis.call('HINCRBY', keys[1], 'l', count) end
  return leased
end

local ACTIONS = {release = true, keep = true, more = true}

-- Reads the arguments of one completion, from that one on. Returns nil if they are impossible.
local function read_completion(args, at)
  local each = {host = args[at], token = args[at + 1], n = whole(args[at + 2], 2 ^ 46),
                i = whole(args[at + 3], BATCH_MAX), held = whole(args[at + 4], 2 ^ 46),
                pause = whole(args[at + 5], 86400000), action = args[at + 6],
                urls = whole(args[at + 7], 1000000), again = args[at + 8],
                state = args[at + 9], kept = args[at + 10], ended = 0}
  if not each.n or not each.i or not each.held or not each.pause or not each.urls
      or not ACTIONS[each.action] or not each.kept or each.token == '-'
      or (each.again ~= '' and not is_batch(each.again)) then
    return nil
  end
  return each
end

-- Compares a completion with the facts of its host. Returns the error if it is impossible.
local function judge_completion(tag, each, facts)
  each.facts = facts
  each.is_ahead = each.n > facts.n or (each.n == facts.n and each.i > facts.i)
  each.is_repeat = facts.token ~= each.token and facts.released == each.token
                   and each.action == 'release' and not each.is_ahead
  each.is_lost = facts.token ~= each.token and not each.is_repeat
  if each.is_lost or each.is_repeat then return nil end
  if not each.is_ahead then
    local is_known = each.n == facts.n and each.i == facts.i and facts.had_again
    if each.again ~= '' and not is_known then
      return wrong('URLs to fetch again, without progress')
    end
    each.n = facts.n
    return nil
  end
  local popped = each.n - facts.n
  local heads = redis.call('LRANGE', 'Q' .. tag .. each.host, 0, popped)
  local is_inside = each.i == 0 or (heads[popped + 1] and each.i < live_in(heads[popped + 1]))
  if #heads < popped or not is_inside then return wrong('a position that is not there') end
  for j = 1, popped do each.ended = each.ended + live_in(heads[j]) end
  each.ended = each.ended - facts.i + each.i
  return nil
end

-- Ends URLs: everything before the position. The position is absolute, so the same completion does
-- nothing the second time.
local function end_urls(tag, c_key, each)
  local facts, again = each.facts, 0
  if each.again ~= '' then
    again = live_in(each.again)
    redis.call('HINCRBY', c_key, 'a', again)
    redis.call('RPUSH', 'Q' .. tag .. each.host, each.again)
  end
  facts.waiting = math.max(0, facts.waiting - each.ended + again)
  facts.i, facts.expired, facts.had_again = each.i, 0, again > 0
end

-- Completes one host. Appends what is written for all of them: facts, and the moment from which
-- the host may be leased.
local function complete_one(tag, c_key, each, time, ttl, changed, moments)
  local facts = each.facts
  if each.is_lost then return -1 end
  if each.is_repeat then return {facts.waiting} end
  local popped = each.n - facts.n
  if each.is_ahead then end_urls(tag, c_key, each) end
  facts.n, facts.pause = each.n, each.pause
  local state = {}
  if each.state ~= '' then append(state, 'o', each.state) end
  if each.kept ~= '' then append(state, 'k', each.kept) end
  if #state > 0 then redis.call('HSET', 'H' .. tag .. each.host, unpack(state)) end
  local is_release = each.action == 'release'
  if is_release then
    facts.moment, facts.token, facts.released = time + each.pause, '-', each.token
    redis.call('HINCRBY', c_key, 'l', -1)
  end
  append(changed, each.host, lease_text(facts))
  each.popped = popped
  if is_release and facts.waiting == 0 then
    redis.call('ZREM', 'R' .. tag, each.host)
  else
    append(moments, time + each.pause + (is_release and 0 or ttl), each.host)
  end
  local answer = {facts.waiting}
  if each.action == 'more' then
    read_batches('Q' .. tag .. each.host, popped + math.max(0, each.held - each.n), each.urls,
                 answer)
  end
  return answer
end

-- Reads completions. Returns nil and the error if one is impossible.
local function read_completions(tag, args)
  if #args % 11 ~= 1 or #args > 11 * HOSTS_MAX + 1 then
    return nil, wrong('arguments of a completion')
  end
  local completions, hosts, is_there = {}, {}, {}
  for at = 2, #args, 11 do
    local each = read_completion(args, at)
    if not each then return nil, wrong('arguments of a completion') end
    if is_there[each.host] then return nil, wrong('a host is completed twice') end
    is_there[each.host] = true
    completions[#completions + 1] = each
    hosts[#hosts + 1] = each.host
  end
  for j, text in ipairs(read_facts(tag, hosts)) do
    local mistake = judge_completion(tag, completions[j], lease_facts(text))
    if mistake then return nil, mistake end
  end
  return completions
end

-- complete(C; ttl, completions of eleven arguments: host, token, n, i, batches held, pause, action,
-- urls, batch to fetch again, state, kept) returns for each -1, if the lease is another one's, or
-- {waiting, batch...}. An empty state is unchanged.
local function complete(keys, args)
  local tag, refusal = partition(keys, args)
  if not tag then return refusal end
  local ttl = whole(args[1], 86400000)
  if not ttl then return wrong('arguments of a completion') end
  local completions, mistake = read_completions(tag, args)
  if not completions then return mistake end
  local time, answers, changed, moments, ended = now(), {}, {}, {}, 0
  for j, each in ipairs(completions) do
    answers[j] = complete_one(tag, keys[1], each, time, ttl, changed, moments)
    ended = ended + each.ended
  end
  write_facts(tag, changed)
  -- The queues were read above, so no command fails here.
  for _, each in ipairs(completions) do
    if (each.popped or 0) > 0 then redis.call('LTRIM', 'Q' .. tag .. each.host, each.popped, -1) end
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
  if not ttl or #args % 2 ~= 1 or #args > 2 * HOSTS_MAX + 1 then
    return wrong('arguments of a renewal')
  end
  local time, hosts, held, moments = now(), {}, {}, {}
  for at = 2, #args, 2 do hosts[at / 2] = args[at] end
  for j, text in ipairs(read_facts(tag, hosts)) do
    local facts = lease_facts(text)
    local is_held = is_leased(facts) and facts.token == args[2 * j + 1]
    held[j] = is_held and 1 or 0
    if is_held then append(moments, time + ttl + facts.pause, hosts[j]) end
  end
  if #moments > 0 then redis.call('ZADD', 'R' .. tag, unpack(moments)) end
  return held
end

redis.register_function{function_name = 'g4_lease', callback = lease, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_complete', callback = complete, flags = {'allow-oom'}}
redis.register_function{function_name = 'g4_renew', callback = renew, flags = {'allow-oom'}}
