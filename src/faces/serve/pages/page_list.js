// A list of pages by URL, with more at a click. Used by the view of pages, and by the search of
// archives without an index.

import { get } from './api.js';
import { announce, button, el, replace, state } from './dom.js';
import { bytes, counted, date, words } from './format.js';
import { to_hash } from './route.js';

const AT_ONCE = 100;

export class PageList {
  constructor() {
    this.rows = el('tbody');
    this.foot = el('div', { class: 'results-foot' });
    this.table = el('div', { class: 'scroll', role: 'region', 'aria-label': 'List', tabindex: '0' },
      el('table', { class: 'pages' }, el('thead', {}, el('tr', {},
        ['Page', 'Status', 'Type', 'Size', 'Captured'].map((text, i) =>
          el('th', { scope: 'col', class: i === 3 ? 'number' : null, text })))), this.rows));
    this.node = el('div', {}, this.table, this.foot);
  }

  close() {
    this.abort?.abort();
  }

  // filter: the parameters of `pages`.
  show(filter) {
    this.close();
    this.abort = new AbortController();
    this.filter = filter;
    this.count = 0;
    this.load(null, this.abort.signal);
  }

  async load(after, signal) {
    try {
      const found = await get('pages', { ...this.filter, after, limit: AT_ONCE }, signal);
      const rows = found.pages.map(page_row);
      if (after === null) replace(this.rows, rows);
      else this.rows.append(...rows);
      this.count += rows.length;
      this.draw_foot(found.next, signal);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.table.hidden = true;
      replace(this.foot, state('The pages cannot be listed', error.message,
        button('Try again', () => this.show(this.filter))));
    }
  }

  draw_foot(next, signal) {
    this.table.hidden = this.count === 0;
    announce(`${counted(this.count, 'page')} listed.`);
    if (this.count === 0) {
      return replace(this.foot, state('No page matches',
        'Change the filters, or look for a shorter part of the URL.'));
    }
    replace(this.foot, el('p', { class: 'muted', text: next === null
      ? `${counted(this.count, 'page')} in all.` : `The first ${counted(this.count, 'page')}.` }),
    next === null ? null : button('More pages', () => this.load(next, signal)));
  }
}

function page_row(page) {
  const is_bad = page.outcome === 'error';
  const outcome = page.error ? words(page.error) : String(page.status ?? '');
  const name = page.title || page.url;
  const address = to_hash('replay', { at: page.captured, url: page.url });
  return el('tr', {},
    el('td', { class: 'name' },
      page.captured ? el('a', { class: 'hit-title', href: address, text: name })
        : el('span', { text: name }),
      page.title ? el('div', { class: 'muted url', text: page.url }) : null),
    el('td', {}, el('span', { class: is_bad ? 'tag bad' : 'tag', text: outcome })),
    el('td', { text: page.type ?? '' }),
    el('td', { class: 'number', text: bytes(page.bytes) }),
    el('td', {}, date(page.captured), page.captures > 1
      ? el('div', { class: 'muted', text: counted(page.captures, 'capture') }) : null));
}
