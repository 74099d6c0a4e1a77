// One result of a search.

import { el } from './dom.js';
import { counted, date } from './format.js';
import { to_hash } from './route.js';

// The text of marked pieces.
export function plain(pieces) {
  return (pieces ?? []).map(({ text }) => text).join('');
}

function marked(pieces) {
  return (pieces ?? []).map(({ text, mark }) => mark ? el('mark', { text }) : text);
}

// "https://museum.example/a/b" as "museum.example > a > b".
export function url_trail(url) {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  const parts = pathname.split('/').filter((part) => part !== '');
  return [host, ...parts].join(' \u203a ') + search;
}

export function hit_item(hit, served) {
  const title = plain(hit.title).trim();
  const target = hit.anchor ? `${hit.url}#${hit.anchor}` : hit.url;
  const address = to_hash('replay', { at: hit.captured, url: target });
  const archive = served.archives.length > 1 ? served.archives[hit.archive]?.name : null;
  const more = [date(hit.captured), hit.type === 'text/html' ? null : hit.type, hit.lang, archive];
  return el('li', { class: 'hit' },
    el('p', { class: 'hit-url', title: target, text: url_trail(hit.url) }),
    el('a', { class: 'hit-title', href: address }, title ? marked(hit.title) : hit.url),
    hit.heading ? el('p', { class: 'hit-heading', text: hit.heading }) : null,
    el('p', { class: 'hit-text' }, marked(hit.snippet)),
    el('p', { class: 'hit-more' }, more.filter(Boolean).join(' \u00b7 '), folded(hit),
      missing(hit)));
}

function missing(hit) {
  return hit.missing.length === 0 ? null : el('span', { class: 'missing' }, 'Without: ',
    hit.missing.map((word, i) => [i > 0 ? ' ' : '', el('s', { text: word })]).flat());
}

function folded(hit) {
  if (!hit.folded) return null;
  return el('span', { class: 'tag',
    text: `${counted(hit.folded, 'more page')} with the same text` });
}
