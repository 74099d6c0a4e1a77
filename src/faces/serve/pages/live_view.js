// Live: a running crawl, and its control.

import { get } from './api.js';
import { button, choices, el, replace, set_text, state } from './dom.js';
import { LineChart } from './charts.js';
import { duration, words } from './format.js';
import { ClusterPanel } from './live_cluster.js';
import { LiveControls } from './live_controls.js';
import { CrawlPanel } from './live_crawl.js';
import { new_crawl_form } from './live_new.js';
import { ChangeLog } from './live_logs.js';
import { LiveStream } from './live_stream.js';
import { stay, to_hash } from './route.js';

// A crawl closes its directory after its socket, which takes seconds at most.
const END_TRIES = 30;

// What differs between the kinds of crawls.
const PANELS = { control: CrawlPanel, cluster: ClusterPanel };

export class LiveView {
  constructor(root) {
    this.root = root;
    this.body = el('div', { class: 'live' });
    this.tools = el('div', { class: 'row' });
    this.title = el('h1', { text: 'Live' });
    root.append(el('div', { class: 'head' }, this.title, this.tools), this.body);
    this.abort = new AbortController();
  }

  close() {
    this.abort.abort();
    this.stream?.close();
  }

  async update(parameters) {
    let crawls;
    try {
      const { crawls: found, new: can_start } = await get('live', {}, this.abort.signal);
      crawls = found;
      this.can_start = can_start;
      if (can_start) this.form ??= await get('live/form', {}, this.abort.signal);
    } catch (error) {
      if (error.name === 'AbortError' || this.stream) return;
      return replace(this.body, state('The crawls cannot be listed', error.message,
        button('Try again', () => this.update(parameters))));
    }
    this.draw_start(crawls.length === 0 || parameters.new !== undefined);
    if (crawls.length === 0) {
      return replace(this.body, this.can_start ? this.starter : no_crawl());
    }
    const chosen = crawls.find(({ crawl }) => String(crawl) === parameters.crawl) ?? crawls[0];
    this.draw_choice(crawls, chosen);
    if (chosen.crawl !== this.crawl) this.watch(chosen);
  }

  draw_start(is_open) {
    if (!this.can_start) return;
    this.starter ??= new_crawl_form(this.form, (crawl) => {
      this.starter.open = false;
      stay('live', { crawl });
      this.update({ crawl: String(crawl) });
    });
    if (is_open) this.starter.open = true;
  }

  draw_choice(crawls, chosen) {
    replace(this.tools, crawls.length < 2 ? null : choices('Crawl', crawls.map((one) =>
      [one.crawl, one.name]), chosen.crawl, (crawl) => {
      stay('live', { crawl });
      this.update({ crawl: String(crawl) });
    }));
  }

  watch(chosen) {
    this.stream?.close();
    this.crawl = chosen.crawl;
    this.is_ended = false;
    this.folder = null;
    this.archive = chosen.archive;
    this.has_content = false;
    this.build(chosen);
    this.stream = new LiveStream(chosen.crawl, (seen) => this.show(seen),
      (kind, text) => this.show_connection(kind, text));
  }

  build(chosen) {
    this.badge = el('span', { class: 'tag', text: words(chosen.state) });
    this.reason = el('p', { class: 'reason', text: 'Connecting\u2026' });
    this.next = el('p', { class: 'row', hidden: true });
    this.lost = el('p', { class: 'notice', role: 'status', hidden: true });
    this.chart = new LineChart('URLs found and done over time', [
      { name: 'Found', class: 'line-found' }, { name: 'Done', class: 'line-done', is_filled: true },
      { name: 'Errors', class: 'line-bad' }], (seconds) => duration(seconds));
    this.controls = new LiveControls(chosen.crawl, chosen.kind);
    this.changes = new ChangeLog();
    const Panel = PANELS[chosen.kind] ?? CrawlPanel;
    this.panel = new Panel(this.chart.node, this.changes.node);
    this.content = el('div', { class: 'live' }, this.panel.figures.node, this.controls.node,
      this.panel.cards);
    replace(this.body, this.can_start ? this.starter : null,
      el('div', { class: 'lead' }, this.badge, this.reason), this.lost, this.next, this.content);
  }

  show(seen) {
    if (this.is_ended && !seen.status && !seen.cluster) return;
    this.has_content ||= Boolean(seen.status ?? seen.cluster) || seen.history?.length > 0;
    this.content.hidden = !this.has_content;
    this.problem = seen.problem;
    this.folder = seen.job?.split('/').findLast((part) => part !== '') ?? this.folder;
    set_text(this.reason, seen.reason ?? '');
    this.chart.update(['found', 'done', 'errors'].map((name) =>
      (seen.history ?? []).map((point) => [point.t, point[name] ?? 0])));
    this.changes.show(seen.changes ?? []);
    const current = this.panel.show(seen);
    if (!current) return;
    set_text(this.badge, words(current));
    this.badge.className = `tag ${current.replaceAll(' ', '-')}`;
    if (!seen.problem) this.controls.show(current);
  }

  show_connection(kind, text) {
    // We reach the server, but it does not reach the crawl.
    if (kind === 'open' && this.problem) [kind, text] = ['lost', this.problem];
    if (kind === 'open') this.is_ended = false;
    this.next.hidden = !this.is_ended;
    this.lost.hidden = kind === 'open' || this.is_ended;
    this.controls.set_enabled(kind === 'open');
    if (kind === 'open' || this.is_ended) return;
    const what = this.has_content ? ' You see the last state.' : '';
    set_text(this.lost, text + what + (kind === 'lost' ? ' Connecting again\u2026' : ''));
    if (kind === 'gone') {
      set_text(this.badge, this.has_content ? 'Ended' : 'Not running');
      this.badge.className = 'tag';
      this.show_stored_end();
    }
  }

  // Shows what the crawl directory says about the end, and where to go from here.
  async show_stored_end() {
    if (this.is_reading_end) return;
    this.is_reading_end = true;
    await this.wait_for_end(this.crawl);
    this.is_reading_end = false;
  }

  async wait_for_end(crawl) {
    for (let tries = 0; tries < END_TRIES; ++tries) {
      const stored = await this.read_stored_end().catch(() => undefined);
      if (this.abort.signal.aborted || crawl !== this.crawl || stored === null) return;
      if (stored) return this.draw_end(stored);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  // Returns null if no directory belongs to the crawl, and undefined while it is being closed.
  async read_stored_end() {
    const { archives } = await get('archives', {}, this.abort.signal);
    const jobs = archives.filter(({ kind }) => kind === 'job');
    const job = jobs.find(({ archive }) => archive === this.archive) ??
      (this.folder ? jobs.find(({ name }) => name === this.folder) : null) ??
      // A crawl that ended before we came does not say where its directory is.
      (jobs.length === 1 && !this.folder ? jobs[0] : null);
    if (!job) return null;
    if (job.state === 'running') return undefined;
    const { archive } = job;
    return { archive, report: await get('report', { archive }, this.abort.signal) };
  }

  draw_end({ archive, report }) {
    this.is_ended = true;
    this.panel.show_report?.(report);
    this.content.hidden = false;
    this.lost.hidden = true;
    set_text(this.badge, words(report.end));
    this.badge.className = `tag ${report.end}`;
    set_text(this.reason, report.end === 'finished' ? 'The crawl is finished.'
      : 'The crawl has ended. `gossamer resume` continues it.');
    const link = (view, text) => el('a', { class: 'primary', href: to_hash(view, { archive }), text });
    this.next.hidden = false;
    replace(this.next, link('search', 'Search'), link('pages', 'Pages'), link('report', 'Report'));
  }
}

function no_crawl() {
  return state('No crawl to watch',
    'Start a crawl with a control socket, and name the socket here:',
    el('pre', { text: 'gossamer crawl -j museum https://museum.example/ --control /tmp/crawl\n' +
      'gossamer serve museum --control /tmp/crawl' }),
    'Or name a crawl that several nodes share:',
    el('pre', { text: 'gossamer serve --cluster redis://127.0.0.1/museum' }));
}
