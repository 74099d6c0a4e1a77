// The address of a view: "#/search?q=stone", "#/replay/20260131120000/https://museum.example/".

export function to_hash(view, parameters = {}) {
  if (view === 'replay') return `#/replay/${parameters.at || 'latest'}/${escape(parameters.url)}`;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return `#/${view}${text ? '?' + text : ''}`;
}

// Only what would end the fragment or be changed by the browser.
function escape(url) {
  return String(url).replace(/[%#\s"<>`]/g, encodeURIComponent);
}

function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function from_hash(hash) {
  const replay = /^#\/replay\/([0-9]{4,14}|latest)\/(.+)$/s.exec(hash);
  if (replay) return { view: 'replay', parameters: { at: replay[1], url: unescape(replay[2]) } };
  const found = /^#\/([a-z]+)(?:\?(.*))?$/s.exec(hash);
  if (!found) return { view: 'search', parameters: {} };
  return { view: found[1], parameters: Object.fromEntries(new URLSearchParams(found[2] ?? '')) };
}

export function go(view, parameters) {
  location.hash = to_hash(view, parameters);
}

// Changes the address without a new entry in the history, and without showing the view again.
export function stay(view, parameters) {
  history.replaceState(null, '', to_hash(view, parameters));
}
