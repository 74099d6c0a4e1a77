// The report of a crawl: totals, charts, and lists of what needs attention.

import { get } from './api.js';
import { announce, button, el, replace, state, table } from './dom.js';
import { bars, LineChart, tile } from './charts.js';
import { download, to_json } from './download.js';
import { bytes, count, counted, duration, words } from './format.js';
import { to_hash } from './route.js';

const ENDS = {
  finished: 'Finished: every URL in scope was fetched.',
  incomplete: 'Incomplete: some hosts could not be fetched to the end.',
  page_limit: 'Ended at the limit of pages.',
  quota: 'Ended at the limit of bytes.',
  time_limit: 'Ended at the limit of time.',
  interrupted: 'Interrupted: it was stopped before the end.',
  aborted: 'Aborted: requests in flight were given up.',
  sink_failed: 'Ended because the results could not be written.',
};

const page_link = (url) => el('a', { class: 'url', href: to_hash('replay', { url }), text: url });
const outcome = (row) => row.error ? words(row.error) : String(row.status ?? '');
const found_on = (row) => row.found_on?.length
  ? el('span', {}, page_link(row.found_on[0]), row.links > 1
    ? el('span', { class: 'muted', text: ` and ${count(row.links - 1)} more` }) : null) : '';

export class ReportView {
  constructor(root, served) {
    this.served = served;
    this.body = el('div', { class: 'report' });
    this.save = button('Save as JSON', () => download('report.json', 'application/json',
      to_json(this.report)), { hidden: true });
    root.append(el('div', { class: 'head' }, el('h1', { text: 'Report' }), this.save), this.body);
  }

  close() {
    this.abort?.abort();
  }

  async update({ archive = String(this.served.archives[0]?.archive ?? 0) }) {
    if (archive === this.archive) return;
    this.archive = archive;
    this.abort?.abort();
    this.abort = new AbortController();
    if (!this.report) replace(this.body, el('p', { class: 'muted', text: 'Reading\u2026' }));
    try {
      this.report = await get('report', { archive }, this.abort.signal);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.archive = null;
      return replace(this.body, state('There is no report', error.message));
    }
    this.save.hidden = false;
    this.draw(this.report);
    announce(`Report of ${counted(this.report.totals?.pages ?? 0, 'URL')}.`);
  }

  draw(report) {
    replace(this.body, headline(report), figures(report), charts(report), lists(report));
  }
}

// A crawl that skipped URLs by a guess is not complete.
function end_of(report) {
  const guesses = (report.skipped ?? []).filter((row) => row.guess);
  if (report.end !== 'finished' || guesses.length === 0) {
    return ENDS[report.end] ?? (report.end ? words(report.end) : '');
  }
  return `Finished, but guesses skipped URLs: ${guesses.map((row) =>
    `${count(row.count)} ${row.skip_reason}`).join(', ')}.`;
}

function headline(report) {
  const end = end_of(report);
  const roots = report.roots ?? [];
  const others = roots.length > 1 ? ` and ${counted(roots.length - 1, 'other root')}` : '';
  return el('p', { class: 'lead' },
    el('span', { class: end === ENDS.finished ? 'good' : '', text: end }),
    el('span', { class: 'muted', text: (roots[0] ?? '') + others }));
}

function figures({ totals = {}, times_ms: times, ms }) {
  return el('dl', { class: 'figures' },
    tile('URLs', count(totals.pages)),
    tile('Pages', count(totals.outcomes?.page)),
    tile('Redirects', count(totals.outcomes?.redirect)),
    tile('Errors', count(totals.outcomes?.error), totals.outcomes?.error > 0 ? 'bad' : ''),
    tile('Received', bytes(totals.wire_bytes ?? totals.bytes)),
    tile('Duration', duration(ms === null || ms === undefined ? null : ms / 1000)),
    tile('Median answer', times?.count ? duration(times.p50 / 1000) : '\u2013'));
}

function status_class(status) {
  return { 2: 'good', 3: 'fair', 4: 'bad', 5: 'bad' }[String(status)[0]] ?? '';
}

function card(title, node) {
  return node ? el('section', { class: 'card' }, el('h2', { text: title }), node) : null;
}

function sorted(counts, kind_of = () => '') {
  return Object.entries(counts ?? {}).sort((a, b) => b[1] - a[1]).slice(0, 8)
    .map(([name, number]) => [name || 'unknown', number, kind_of(name)]);
}

function charts({ totals = {}, depths = [], hosts, over_time: time, times_ms: times }) {
  const chart = (title, rows) => rows.length ? card(title, bars(title, rows)) : null;
  return el('div', { class: 'grid' },
    chart('Status', sorted(totals.by_status, status_class)),
    chart('Type', sorted(totals.by_type)),
    chart('Depth', depths.slice(0, 12).map((number, depth) => [String(depth), number])),
    chart('Hosts', (hosts?.rows ?? []).slice(0, 8).map((row) => [row.host, row.pages])),
    chart('Time of answers', (times?.buckets ?? []).filter((bucket) => bucket.count > 0)
      .slice(0, 12).map((bucket) => [`to ${duration(bucket.to / 1000)}`, bucket.count])),
    card('URLs over time', over_time(time)));
}

function over_time(time) {
  if (!time?.pages?.length || time.pages.length < 2) return null;
  const chart = new LineChart('URLs and errors over time', [
    { name: 'URLs', class: 'line-done', is_filled: true }, { name: 'Errors', class: 'line-bad' }],
  (seconds) => duration(seconds));
  const points = (numbers) => (numbers ?? []).map((number, i) => [i * time.step_ms / 1000, number]);
  chart.update([points(time.pages), points(time.broken)]);
  return chart.node;
}

// A list that is closed at first, with its number.
function list(title, total, columns, rows, help = null) {
  if (!rows?.length) return null;
  const cut = total > rows.length ? `The first ${count(rows.length)} of ${count(total)}.` : null;
  return el('details', { class: 'list' },
    el('summary', {}, title, ' ', el('span', { class: 'tag', text: count(total) })),
    help ? el('p', { class: 'muted', text: help }) : null,
    table(title, columns, rows), cut ? el('p', { class: 'muted', text: cut }) : null);
}

function lists(report) {
  const { broken, errors, redirect_chains: chains, duplicates, similar, orphans, skipped } = report;
  const page = ['Page', (row) => page_link(row.url)];
  const time = ['Time', (row) => duration(row.ms / 1000), 'number'];
  const size = ['Size', (row) => bytes(row.bytes), 'number'];
  const copies = [page, ['Copies', (row) => count(row.copies), 'number'],
    ['For example', (row) => row.examples?.[0] ? page_link(row.examples[0]) : '']];
  const top = (title, rows, column) =>
    list(title, rows?.length, [page, ['Status', outcome], column], rows);
  return el('div', { class: 'lists' },
    list('Broken links', broken?.total, [page, ['Outcome', outcome], ['Found on', found_on]],
      broken?.rows),
    list('Errors by cause', errors?.length, [['Cause', (row) => words(row.cause)],
      ['Number', (row) => count(row.count), 'number'],
      ['Example', (row) => page_link(row.example)]], errors),
    list('Redirect chains', chains?.total, [['From', (row) => page_link(row.urls[0])],
      ['Steps', (row) => count(row.urls.length + row.urls_left_out - 1), 'number'],
      ['To', (row) => row.circle ? 'a loop' : page_link(row.urls.at(-1))]], chains?.rows),
    list('Skipped', skipped?.length, [['Reason', (row) => words(row.skip_reason)],
      ['Number', (row) => count(row.count), 'number'],
      ['Example', (row) => el('span', { class: 'url', text: row.examples?.[0]?.url ?? '' })]],
    skipped),
    list('Duplicates', duplicates?.total, copies, duplicates?.rows),
    list('Similar pages', similar?.total, copies, similar?.rows),
    top('Slowest', report.slowest, time), top('Largest', report.largest, size),
    top('Deepest', report.deepest, ['Depth', (row) => count(row.depth), 'number']),
    list('Orphans', orphans?.total, [page, ['Status', outcome]], orphans?.rows,
      'A sitemap lists these pages, but no page links to them.'),
    audit(report.audit), languages(report.languages));
}

function audit(found) {
  const rules = (found?.rules ?? []).filter((rule) => rule.total > 0);
  return list('Site audit', rules.length, [['Fault', (rule) => words(rule.rule)],
    ['Pages', (rule) => count(rule.total), 'number'],
    ['Example', (rule) => rule.rows?.[0] ? page_link(rule.rows[0].url) : '']], rules);
}

function languages(rows) {
  return list('Languages', rows?.length, [['Language', (row) => row.language || 'unknown'],
    ['Pages', (row) => count(row.pages), 'number']], rows);
}
