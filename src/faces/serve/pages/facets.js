// What the results have in common: sites, types, years, languages. A click refines the query.

import { button, el, replace } from './dom.js';
import { count } from './format.js';
import { has_condition, toggle_condition } from './query_terms.js';

const KINDS = [['site', 'Site'], ['type', 'Type'], ['year', 'Year'], ['lang', 'Language']];
const SHORT = 6;

export class Facets {
  // `change(query)` searches for another query.
  constructor(change) {
    this.change = change;
    this.open = new Set();
    this.lists = el('div', { class: 'facet-lists' });
    this.node = el('aside', { class: 'facets', 'aria-label': 'Refine the results' },
      el('details', {}, el('summary', { text: 'Refine' }), this.lists));
    // Wide screens have room for them.
    const is_wide = matchMedia('(min-width: 56rem)');
    this.node.firstChild.open = is_wide.matches;
    is_wide.addEventListener('change', () => {
      this.node.firstChild.open = is_wide.matches;
    });
  }

  show(found, query) {
    replace(this.lists, KINDS.filter(([kind]) => this.is_useful(found[kind], kind, query))
      .map(([kind, title]) => this.section(kind, title, found, query)));
    this.node.hidden = this.lists.childElementCount === 0;
  }

  // One value alone refines nothing, but must be there to be removed.
  is_useful(values, kind, query) {
    return values?.length > 1 || values?.some(({ value }) => has_condition(query, kind, value));
  }

  section(kind, title, found, query) {
    const values = found[kind];
    const shown = this.open.has(kind) ? values : values.slice(0, SHORT);
    return el('section', {}, el('h2', { text: title }),
      el('ul', {}, shown.map(({ value, count: pages }) => {
        const is_on = has_condition(query, kind, value);
        return el('li', {}, el('button', { type: 'button', class: 'facet',
          'aria-pressed': String(is_on),
          onclick: () => this.change(toggle_condition(query, kind, value)) },
        el('span', { text: value || 'unknown' }),
        el('span', { class: 'muted', text: count(pages) })));
      })),
      values.length > shown.length ? button(`${values.length - shown.length} more`, () => {
        this.open.add(kind);
        this.show(found, query);
      }, { class: 'quiet' }) : null);
  }
}
