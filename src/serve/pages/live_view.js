// Live: a running crawl, and its control.

import { get } from './api.js';
import { button, choices, el, replace, set_text, state } from './dom.js';
import { LineChart } from './charts.js';
import { bytes, count, counted, duration, rate, words } from './format.js';
import { FetchList } from './live_fetches.js';
import { LiveControls } from './live_controls.js';
import { new_crawl_form } from './live_new.js';
import { ChangeLog, ErrorLog } from './live_logs.js';
import { LiveStream } from './live_stream.js';
import { stay } from './route.js';

const FIGURES = ['Pages', 'Pages/s', 'In flight', 'Waiting', 'Errors', 'Received', 'Time'];
const PAUSE_REASONS = { asked: 'asked us to wait', silent: 'does not answer' };

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
    this.starter ??= new_crawl_form((crawl) => {
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
    this.has_content = false;
    this.build(chosen);
    this.stream = new LiveStream(chosen.crawl, (seen) => this.show(seen),
      (kind, text) => this.show_connection(kind, text));
  }

  build(chosen) {
    this.badge = el('span', { class: 'tag', text: words(chosen.state) });
    this.reason = el('p', { class: 'reason', text: 'Connecting\u2026' });
    this.lost = el('p', { class: 'notice', role: 'status', hidden: true });
    this.figures = new Map();
    const figures = FIGURES.map((name) => {
      const value = el('dd', { text: '\u2013' });
      this.figures.set(name, value);
      return el('div', { class: 'figure' }, el('dt', { text: name }), value);
    });
    this.chart = new LineChart('URLs found and done over time', [
      { name: 'Found', class: 'line-found' }, { name: 'Done', class: 'line-done', is_filled: true },
      { name: 'Errors', class: 'line-bad' }], (seconds) => duration(seconds));
    this.controls = new LiveControls(chosen.crawl);
    this.fetches = new FetchList();
    this.errors = new ErrorLog();
    this.changes = new ChangeLog();
    this.hosts = el('ul', { class: 'plain' });
    const card = (title, node, kind = '') => el('section', { class: 'card ' + kind },
      el('h2', { text: title }), node);
    this.content = el('div', { class: 'live' }, el('dl', { class: 'figures' }, figures),
      this.controls.node,
      el('div', { class: 'grid' },
        card('Found and done', this.chart.node, 'wide'), card('Errors', this.errors.node),
        card('Requests in flight', this.fetches.node, 'wide'),
        el('div', { class: 'stacked' }, card('Hosts', this.hosts),
          card('Changes', this.changes.node))));
    replace(this.body, this.can_start ? this.starter : null,
      el('div', { class: 'lead' }, this.badge, this.reason), this.lost, this.content);
  }

  // Keeps what is on the screen if the state is missing for a moment.
  show(seen) {
    this.has_content ||= Boolean(seen.status) || seen.history?.length > 0;
    this.content.hidden = !this.has_content;
    set_text(this.reason, seen.reason ?? '');
    this.chart.update(['found', 'done', 'errors'].map((name) =>
      (seen.history ?? []).map((point) => [point.t, point[name] ?? 0])));
    this.changes.show(seen.changes ?? []);
    if (seen.fetches) this.fetches.show(seen.fetches);
    if (seen.status) this.show_status(seen.status, seen.history ?? []);
    else this.show_end(seen.history?.at(-1));
  }

  // Only the history is left of a crawl that has ended.
  show_end(last) {
    if (!last) return;
    const values = { Pages: count(last.done), 'Pages/s': '0.0', 'In flight': '0',
      Waiting: count(last.found - last.done), Errors: count(last.errors),
      Received: bytes(last.bytes), Time: duration(last.t) };
    for (const [name, text] of Object.entries(values)) set_text(this.figures.get(name), text);
    this.fetches.show({ total: 0 });
  }

  show_status(status, history) {
    const errors = Object.values(status.errors ?? {}).reduce((sum, number) => sum + number, 0);
    const values = { Pages: count(status.pages), 'Pages/s': rate(speed(history)),
      'In flight': `${count(status.in_flight)} of ${count(status.concurrency)}`,
      Waiting: count(status.waiting), Errors: count(errors), Received: bytes(status.wire_bytes),
      Time: duration(status.elapsed) };
    for (const [name, text] of Object.entries(values)) set_text(this.figures.get(name), text);
    this.figures.get('Errors').parentNode.classList.toggle('bad', errors > 0);
    set_text(this.badge, words(status.state));
    this.badge.className = `tag ${status.state}`;
    this.controls.show(status);
    this.errors.show(status.errors ?? {}, status.failures ?? [], status.elapsed);
    this.show_hosts(status);
  }

  show_hosts({ hosts, pauses = [] }) {
    replace(this.hosts,
      el('li', { class: 'muted', text: `${counted(hosts, 'host')} met.` }),
      pauses.map(({ host, reason, left }) => el('li', {}, el('strong', { text: host }), ' ' +
        `${PAUSE_REASONS[reason] ?? words(reason)}: ${duration(left)} left`)),
      pauses.length === 0 ? el('li', { text: 'No host holds up the crawl.' }) : null);
  }

  show_connection(kind, text) {
    this.lost.hidden = kind === 'open';
    this.controls.set_enabled(kind === 'open');
    if (kind === 'open') return;
    const what = this.has_content ? ' You see the last state.' : '';
    set_text(this.lost, text + what + (kind === 'lost' ? ' Connecting again\u2026' : ''));
    if (kind === 'gone') {
      set_text(this.badge, this.has_content ? 'Ended' : 'Not running');
      this.badge.className = 'tag';
    }
  }
}

// Over the last ten seconds, or as far back as is known.
function speed(history) {
  const last = history.at(-1);
  const first = history.find(({ t }) => t >= last.t - 10);
  if (!last || last.t <= first.t) return last?.t > 0 ? last.done / last.t : NaN;
  return (last.done - first.done) / (last.t - first.t);
}

function no_crawl() {
  return state('No crawl to watch',
    'Start a crawl with a control socket, and name the socket here:',
    el('pre', { text: 'gossamer crawl -j museum https://museum.example/ --control /tmp/crawl\n' +
      'gossamer serve museum --control /tmp/crawl' }));
}
