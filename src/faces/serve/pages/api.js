// Requests to the API. The token comes in the fragment of the first address and stays in this tab.

const KEY = 'gossamer-token';

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// Stores the token of "#token=..." and removes it from the address bar and the history.
export function take_token() {
  const found = /^#token=([A-Za-z0-9_-]{16,128})(?:&(.*))?$/.exec(location.hash);
  if (found) {
    set_token(found[1]);
    history.replaceState(null, '', '#' + (found[2]?.startsWith('/') ? found[2] : '/search'));
  }
  return token() !== null;
}

export function set_token(text) {
  sessionStorage.setItem(KEY, text);
}

function token() {
  return sessionStorage.getItem(KEY);
}

// Some parameters are left out: those without a value.
export function query_of(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  return query.toString();
}

async function request(path, options) {
  let answer;
  try {
    answer = await fetch('/api/v1/' + path, { ...options, cache: 'no-store',
      headers: { ...options.headers, Authorization: `Bearer ${token() ?? ''}` } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not answer. Is gossamer serve still running?');
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null);
  throw new ApiError(answer.status, body?.error ?? `The server answered with ${answer.status}.`);
}

export async function get(name, parameters = {}, signal = undefined) {
  const query = query_of(parameters);
  return (await request(query ? `${name}?${query}` : name, { signal })).json();
}

export async function post(name, body) {
  const answer = await request(name, { method: 'POST', body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' } });
  return answer.json();
}

// Splits a stream of server-sent events. Returns what is left after the last whole event.
export function read_events(text, see) {
  const events = text.split(/\r?\n\r?\n/);
  const rest = events.pop();
  for (const event of events) {
    let name = 'message';
    const data = [];
    for (const line of event.split(/\r?\n/)) {
      if (line.startsWith('event:')) name = line.slice(6).trim();
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    }
    if (data.length || name !== 'message') see(name, data.join('\n'));
  }
  return rest;
}

// Reads a stream until it ends. EventSource cannot send the token, so this does its work.
export async function stream(name, parameters, see, signal) {
  const answer = await request(`${name}?${query_of(parameters)}`, { signal,
    headers: { Accept: 'text/event-stream' } });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text = read_events(text + value, see);
  }
}
