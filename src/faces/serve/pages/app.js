// Shows the view that the address names.

import { get, set_token, take_token } from './api.js';
import { announce, button, el, field, replace, select, state } from './dom.js';
import { counted } from './format.js';
import { from_hash, go, stay, to_hash } from './route.js';
import { LiveView } from './live_view.js';
import { MapView } from './map_view.js';
import { PagesView } from './pages_view.js';
import { ReplayView } from './replay_view.js';
import { ReportView } from './report_view.js';
import { SearchView } from './search_view.js';

const VIEWS = {
  search: { title: 'Search', type: SearchView },
  pages: { title: 'Pages', type: PagesView },
  map: { title: 'Site map', type: MapView },
  report: { title: 'Report', type: ReportView },
  live: { title: 'Live', type: LiveView },
  replay: { title: 'Replay', type: ReplayView, is_hidden: true },
};

const main = document.getElementById('main');
let shown = null; // {name, view}
let served = null; // the answer to `archives`

function draw_navigation(name) {
  replace(document.getElementById('nav'), Object.entries(VIEWS)
    .filter(([, { is_hidden }]) => !is_hidden)
    .map(([key, { title }]) => el('a', { href: to_hash(key, scope_of(key)), text: title,
      'aria-current': key === name ? 'page' : null })));
}

// The archive that the user chose stays chosen from view to view.
function scope_of(name) {
  const archive = sessionStorage.getItem('gossamer-archive');
  return archive !== null && name !== 'live' ? { archive } : {};
}

function draw_scope(name, parameters) {
  const place = document.getElementById('scope');
  const is_useful = served.archives.length > 1 && name !== 'live' && name !== 'replay';
  if (!is_useful) return replace(place);
  const needs_one = name === 'report' || name === 'map';
  const options = served.archives.map(({ archive, name: text }) => [String(archive), text]);
  if (!needs_one) options.unshift(['', 'All archives']);
  const choose = (value) => {
    if (value === '') sessionStorage.removeItem('gossamer-archive');
    else sessionStorage.setItem('gossamer-archive', value);
    go(name, { ...parameters, archive: value, path: null });
  };
  replace(place, select(options, parameters.archive ?? '', choose, { 'aria-label': 'Archive' }));
}

function show() {
  if (!take_token()) return ask_for_token('Gossamer needs its token');
  if (!served) return start();
  const { view: wanted, parameters } = from_hash(location.hash);
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : 'search';
  document.title = `${VIEWS[name].title} \u2013 Gossamer`;
  document.body.dataset.view = name;
  draw_navigation(name);
  draw_scope(name, parameters);
  if (shown?.name !== name) {
    shown?.view.close();
    replace(main);
    main.scrollTop = 0;
    shown = { name, view: new VIEWS[name].type(main, served) };
  }
  shown.view.update(parameters);
}

async function start() {
  replace(main, el('p', { class: 'state', text: 'Reading the archives\u2026' }));
  try {
    served = await get('archives');
  } catch (error) {
    if (error.status === 401) return ask_for_token('This token is not valid any more');
    return replace(main, state('The archives cannot be read', error.message,
      button('Try again', start, { class: 'primary' })));
  }
  announce(`${counted(served.archives.length, 'archive')} served.`);
  // There is nothing to search before the first crawl.
  if (served.archives.length === 0) stay('live', {});
  show();
}

function ask_for_token(title) {
  document.title = 'Gossamer';
  shown?.view.close();
  shown = null;
  const input = el('input', { type: 'password', autocomplete: 'off', required: true });
  const form = el('form', { class: 'row', onsubmit: (event) => {
    event.preventDefault();
    set_token(input.value.trim().replace(/^.*#token=/, ''));
    served = null;
    show();
  } }, field('Token', input), el('button', { class: 'primary', text: 'Open' }));
  replace(main, state(title, 'Open the address that gossamer serve printed in the terminal. ' +
    'It ends with the token. You can also paste the token here.', form));
}

function is_typing(target) {
  return target.matches?.('input, select, textarea, [contenteditable]') ?? false;
}

document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !is_typing(event.target)) {
    event.preventDefault();
    if (shown?.name === 'search') shown.view.focus();
    else go('search', scope_of('search'));
  }
});
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault(); // the fragment is the address of the view
  main.focus();
});
window.addEventListener('gossamer-archives', async () => {
  if (served) Object.assign(served, await get('archives').catch(() => ({})));
});
window.addEventListener('hashchange', show);
show();
