// The live view of a crawl with a control socket.

import { el, replace } from './dom.js';
import { bytes, count, counted, duration, rate, words } from './format.js';
import { FetchList } from './live_fetches.js';
import { ErrorLog } from './live_logs.js';
import { Figures, card } from './live_parts.js';

const FIGURES = ['URLs', 'URLs/s', 'In flight', 'Waiting', 'Errors', 'Received', 'Time'];
const PAUSE_REASONS = {
  asked: 'asked us to wait', refused: 'refuses requests', silent: 'does not answer',
};

export class CrawlPanel {
  constructor(chart, changes) {
    this.figures = new Figures(FIGURES);
    this.fetches = new FetchList();
    this.errors = new ErrorLog();
    this.hosts = el('ul', { class: 'plain' });
    this.cards = el('div', { class: 'grid' },
      card('Found and done', chart, 'wide'), card('Errors', this.errors.node),
      card('Requests in flight', this.fetches.node, 'wide'),
      el('div', { class: 'stacked' }, card('Hosts', this.hosts), card('Changes', changes)));
  }

  // Keeps what is on the screen if the state is missing for a moment. Returns the state, if known.
  show({ status, fetches, history = [] }) {
    if (fetches) this.fetches.show(fetches);
    if (!status) return this.show_end(history.at(-1));
    this.show_status(status, history);
    return status.state;
  }

  // Only the history is left of a crawl that has ended.
  show_end(last) {
    if (!last) return;
    this.figures.set({ URLs: count(last.done), 'URLs/s': '0.0', 'In flight': '0',
      Waiting: '\u2013', Errors: count(last.errors),
      Received: bytes(last.bytes), Time: duration(last.t) });
    this.fetches.show({ total: 0 });
  }

  // The crawl directory knows more than the last state that was seen.
  show_report({ end, totals }) {
    this.figures.set({ URLs: count(totals.pages), 'URLs/s': '0.0', 'In flight': '0',
      Waiting: end === 'finished' ? '0' : '\u2013', Errors: count(totals.outcomes.error),
      Received: bytes(totals.wire_bytes) });
    this.figures.mark('Errors', totals.outcomes.error > 0);
    this.fetches.show({ total: 0 });
  }

  show_status(status, history) {
    const errors = Object.values(status.errors ?? {}).reduce((sum, number) => sum + number, 0);
    this.figures.set({ URLs: count(status.pages), 'URLs/s': rate(speed(history)),
      'In flight': `${count(status.in_flight)} of ${count(status.concurrency)}`,
      Waiting: count(status.waiting), Errors: count(errors), Received: bytes(status.wire_bytes),
      Time: duration(status.elapsed) });
    this.figures.mark('Errors', errors > 0);
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
}

// Over the last ten seconds, or as far back as is known.
function speed(history) {
  const last = history.at(-1);
  const first = history.find(({ t }) => t >= last.t - 10);
  if (!last || last.t <= first.t) return last?.t > 0 ? last.done / last.t : NaN;
  return (last.done - first.done) / (last.t - first.t);
}
