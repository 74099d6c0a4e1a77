// Search: results while the user types, facets, order, export.

import { get } from './api.js';
import { announce, button, el, replace, select, state } from './dom.js';
import { download, to_csv, to_json } from './download.js';
import { Facets } from './facets.js';
import { bytes, count, counted, date } from './format.js';
import { PageList } from './page_list.js';
import { looser_queries } from './query_terms.js';
import { hit_item, plain } from './search_hit.js';
import { go, stay, to_hash } from './route.js';

const AT_ONCE = 20;
const EXPORT_MAX = 1000;
const DELAY_MS = 150;
const LOOSER_MAX = 5;
const ORDERS = [['relevance', 'Best first'], ['newest', 'Newest first'],
  ['oldest', 'Oldest first'], ['url', 'By URL']];
const COLUMNS = ['url', 'title', 'snippet', 'site', 'type', 'lang', 'captured', 'score', 'folded',
  'missing'];

export class SearchView {
  constructor(root, served) {
    this.served = served;
    this.parameters = {};
    this.hits = [];
    this.input = el('input', { type: 'search', id: 'query', autocomplete: 'off',
      spellcheck: 'false', enterkeyhint: 'search', placeholder: 'Search the archive',
      'aria-label': 'Search the archive', 'aria-describedby': 'syntax',
      oninput: () => this.typed() });
    this.form = el('form', { class: 'search', role: 'search', onsubmit: (event) => {
      event.preventDefault();
      this.typed(0, true);
    } }, this.input, el('kbd', { text: '/', 'aria-hidden': 'true' }));
    this.hint = el('p', { id: 'syntax', class: 'hint' });
    this.facets = new Facets((query) => this.change({ q: query }, true));
    this.head = el('div', { class: 'results-head' });
    this.list = el('ol', { class: 'hits', 'aria-label': 'Results' });
    this.foot = el('div', { class: 'results-foot' });
    this.results = el('div', { class: 'results' }, this.head, this.list, this.foot);
    this.body = el('div', { class: 'search-body' });
    root.append(el('h1', { class: 'unseen', text: 'Search' }), this.form, this.hint, this.body);
    this.on_key = (event) => this.key(event);
    document.addEventListener('keydown', this.on_key);
    replace(this.hint, hint_parts());
  }

  close() {
    this.abort?.abort();
    this.pages?.close();
    clearTimeout(this.timer);
    document.removeEventListener('keydown', this.on_key);
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  update(parameters) {
    this.parameters = parameters;
    const query = parameters.q ?? '';
    if (this.input.value.trim() !== query) this.input.value = query;
    if (!('q' in parameters) && matchMedia('(pointer: fine)').matches) this.input.focus();
    document.body.classList.toggle('is-home', query === '');
    this.run();
  }

  // Searches a moment after the last key. The address changes without new entries, except if the
  // user presses Enter.
  typed(delay = DELAY_MS, is_entry = false) {
    clearTimeout(this.timer);
    const q = this.input.value.trim();
    this.timer = setTimeout(() => this.change({ q }, is_entry), delay);
  }

  change(changes, is_entry) {
    const parameters = { ...this.parameters, ...changes };
    if (to_hash('search', parameters) === location.hash) return this.update(parameters);
    if (is_entry) return go('search', parameters);
    stay('search', parameters);
    this.update(parameters);
  }

  run() {
    this.abort?.abort();
    const { q = '', archive } = this.parameters;
    if (q === '') return this.show_home();
    const is_searchable = this.served.archives.some((one) => one.searchable &&
      (archive === undefined || String(one.archive) === archive));
    if (!is_searchable) return this.show_pages(q);
    this.abort = new AbortController();
    this.search(0, this.abort.signal);
  }

  async search(offset, signal) {
    const { q, sort, archive } = this.parameters;
    this.results.setAttribute('aria-busy', 'true');
    try {
      const found = await get('search', { q, sort, archive, offset, limit: AT_ONCE }, signal);
      if (offset === 0) this.hits = [];
      this.hits.push(...found.hits);
      this.show_results(found, offset);
      if (offset === 0) this.refine(signal);
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (error.status === 409) return this.show_pages(q);
      this.show_error(error);
    } finally {
      this.results.removeAttribute('aria-busy');
    }
  }

  // Facets may be slower than results, so they come later and their failure is no failure.
  async refine(signal) {
    const { q, archive } = this.parameters;
    const found = await get('facets', { q, archive }, signal).catch(() => null);
    if (found && !signal.aborted) this.facets.show(found, q);
  }

  show_body() {
    this.pages?.close();
    this.pages = null;
    if (this.body.firstChild !== this.facets.node) {
      replace(this.body, this.facets.node, this.results);
    }
  }

  show_results(found, offset) {
    this.show_body();
    if (found.total === 0) return this.show_nothing(found);
    this.draw_head(found);
    const items = found.hits.map((hit) => hit_item(hit, this.served));
    if (offset === 0) replace(this.list, items);
    else this.list.append(...items);
    if (offset > 0) items[0]?.querySelector('a')?.focus();
    this.draw_foot(found, offset + found.hits.length);
    announce(`${counted(found.total, 'result')}.`);
  }

  draw_head(found) {
    const ms = found.ms < 10 ? found.ms.toFixed(1) : Math.round(found.ms);
    replace(this.head,
      el('p', {}, el('strong', { text: counted(found.total, 'page') }),
        found.complete < found.total ? `, ${found.complete || 'none'} with all words,` : '',
        ` in ${ms} ms`),
      el('div', { class: 'row' },
        select(ORDERS, this.parameters.sort ?? 'relevance',
          (sort) => this.change({ sort: sort === 'relevance' ? null : sort }, true),
          { 'aria-label': 'Order' }),
        button('CSV', () => this.export('csv'), { title: 'Save the results as CSV' }),
        button('JSON', () => this.export('json'), { title: 'Save the results as JSON' })),
      this.failures(found), this.suggestion(found));
  }

  // Why some archives were not searched.
  failures(found) {
    if (!found.failures?.length) return null;
    return el('p', { class: 'note', text: found.failures.join('; ') });
  }

  suggestion(found) {
    if (!found.suggestion) return null;
    return el('p', { class: 'suggestion' }, 'Did you mean ', el('a', { text: found.suggestion,
      href: to_hash('search', { ...this.parameters, q: found.suggestion }) }), '?');
  }

  draw_foot(found, shown) {
    const has_more = shown < found.total && found.hits.length === AT_ONCE;
    replace(this.foot, has_more ? button('More results', () =>
      this.search(shown, this.abort.signal)) : null);
  }

  show_nothing(found) {
    replace(this.head);
    replace(this.list);
    replace(this.foot, state(`Nothing matches ${found.query ?? this.parameters.q}`,
      this.failures(found), this.suggestion(found), 'Check the spelling, or use other words.'));
    announce('No results.');
    this.offer_looser(found.query ?? this.parameters.q, this.abort.signal);
  }

  // Only queries that find pages are offered.
  async offer_looser(query, signal) {
    const { archive } = this.parameters;
    const looser = looser_queries(query).map((one) => ({ ...one, archive }));
    if (archive !== undefined) looser.push({ label: 'In all archives', q: query });
    const items = await Promise.all(looser.slice(0, LOOSER_MAX).map(async (one) => {
      const found = await get('search', { q: one.q, archive: one.archive, limit: 1 }, signal)
        .catch(() => ({ total: 0 }));
      return found.total === 0 ? null : el('li', {}, el('a', { text: one.label,
        href: to_hash('search', { ...this.parameters, q: one.q, archive: one.archive }) }),
      ` (${counted(found.total, 'page')})`);
    }));
    if (signal.aborted || !items.some(Boolean)) return;
    this.foot.firstChild?.append(el('ul', { class: 'looser' }, items));
  }

  show_error(error) {
    this.show_body();
    const title = error.status === 400 ? 'This query cannot be read' : 'The search failed';
    replace(this.head);
    replace(this.list);
    replace(this.foot, state(title, error.message,
      error.status === 400 ? null : button('Try again', () => this.run())));
    announce(title);
  }

  // Without an index, URLs are all there is to search.
  show_pages(query) {
    const filter = query.includes('*')
      ? { prefix: query.slice(0, query.indexOf('*')), contains: query.split('*').at(-1) }
      : { contains: query };
    if (!this.pages) {
      this.pages = new PageList();
      replace(this.body, el('div', { class: 'results' }, el('p', { class: 'notice' },
        'This archive has no search index, so only URLs and titles are searched. To search the ' +
        'texts, run ', el('code', { text: 'gossamer index DIR' }), ' and start again.'),
      this.pages.node));
    }
    this.pages.show({ ...filter, archive: this.parameters.archive });
  }

  show_home() {
    this.pages?.close();
    this.pages = null;
    this.draw_home();
    this.refresh();
  }

  draw_home() {
    replace(this.body, el('ul', { class: 'cards', 'aria-label': 'Archives' },
      this.served.archives.map(archive_card)));
  }

  // A running crawl adds pages, and an index may have been made meanwhile.
  async refresh() {
    this.abort = new AbortController();
    const { signal } = this.abort;
    const fresh = await get('archives', {}, signal).catch(() => null);
    if (!fresh || signal.aborted || !this.body.querySelector('.cards')) return;
    const is_same = JSON.stringify(fresh) === JSON.stringify(this.served);
    Object.assign(this.served, fresh);
    if (!is_same) this.draw_home();
  }

  async export(format) {
    const { q, sort, archive } = this.parameters;
    const hits = [];
    announce('Collecting the results\u2026');
    try {
      while (hits.length < EXPORT_MAX) {
        // Another search does not cancel it.
        const found = await get('search', { q, sort, archive, offset: hits.length, limit: 100 });
        hits.push(...found.hits);
        if (found.hits.length < 100) break;
      }
    } catch (error) {
      return announce(`The results could not be saved: ${error.message}`); // others may be shown
    }
    const rows = hits.map((hit) => ({ ...hit, title: plain(hit.title),
      snippet: plain(hit.snippet), missing: hit.missing.join(' ') }));
    if (format === 'csv') download('results.csv', 'text/csv', to_csv(COLUMNS, rows));
    else download('results.json', 'application/json', to_json(rows));
    announce(`${counted(rows.length, 'result')} saved.`);
  }

  // Up and down move between the field and the results; Escape leads back to the field.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (document.activeElement === this.input) return;
      return this.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = Array.from(this.body.querySelectorAll('.hit-title'));
    const at = links.indexOf(document.activeElement);
    if (!step || links.length === 0 || (at < 0 && document.activeElement !== this.input)) return;
    event.preventDefault();
    if (at + step < 0) this.focus();
    else links[Math.min(at + step, links.length - 1)].focus();
  }
}

function hint_parts() {
  const code = (text) => el('code', { text });
  return [code('"exact phrase"'), code('-without'), code('site:example.com'), code('title:word'),
    code('type:pdf'), code('lang:de'), code('after:2026-01')];
}

function archive_card(archive) {
  const own = { archive: archive.archive };
  const span = date(archive.first) === date(archive.last) ? date(archive.last)
    : `${date(archive.first)} \u2013 ${date(archive.last)}`;
  const root = archive.roots?.[0];
  return el('li', { class: 'card' },
    el('h2', { text: archive.name }),
    el('p', { class: 'muted' }, archive.state ? el('span', { class: 'tag', text: archive.state })
      : el('span', { class: 'tag', text: archive.kind }), ' ', span),
    el('dl', { class: 'facts' },
      [['Pages', count(archive.pages)], ['URLs', count(archive.urls)],
        ['Captures', count(archive.captures)], ['Size', bytes(archive.bytes)]]
        .map(([name, value]) => el('div', {},
          el('dt', { text: name }), el('dd', { text: value })))),
    archive.damage > 0 ? el('p', { class: 'warn',
      text: `${counted(archive.damage, 'damaged place')}; the rest can be read.` }) : null,
    el('p', { class: 'links' },
      root ? el('a', { href: to_hash('replay', { url: root }), text: 'Start page' }) : null,
      el('a', { href: to_hash('pages', own), text: 'Pages' }),
      el('a', { href: to_hash('map', own), text: 'Site map' }),
      el('a', { href: to_hash('report', own), text: 'Report' }),
      archive.crawl !== null && archive.crawl !== undefined
        ? el('a', { href: to_hash('live', { crawl: archive.crawl }), text: 'Live' }) : null));
}
