// The live view of a crawl that several nodes share.

import { el, reconcile, replace, set_text } from './dom.js';
import { bytes, count, counted, duration, rate } from './format.js';
import { Figures, card } from './live_parts.js';

const FIGURES = ['Found', 'Done', 'Open', 'Pages/s', 'Nodes', 'Hosts', 'Leased hosts', 'Queued',
  'In flight'];
// heading, text of a node
const COLUMNS = [
  ['Node', ({ name }) => name],
  ['Seen', ({ unseen_ms: unseen }) => `${duration(unseen / 1000)} ago`],
  ['Pages', ({ report }) => count(report?.pages)],
  ['Pages/s', ({ report }) => rate(report?.pages_per_second)],
  ['Received', ({ report }) => bytes(report?.bytes)],
  ['In flight', ({ report }) => count(report?.in_flight)],
  ['Queued', ({ report }) => count(report?.queued)],
  ['Leased hosts', ({ report }) => count(report?.hosts)],
  ['Errors', ({ report }) => count(report?.errors)],
];

export class ClusterPanel {
  constructor(chart, changes) {
    this.figures = new Figures(FIGURES);
    this.rows = el('tbody');
    this.nodes = el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Nodes' },
      el('table', {}, el('caption', { class: 'unseen', text: 'Nodes' }),
        el('thead', {}, el('tr', {}, COLUMNS.map(([heading], i) =>
          el('th', { scope: 'col', class: i > 1 ? 'number' : '', text: heading })))), this.rows));
    this.hosts = el('ul', { class: 'plain' });
    this.cards = el('div', { class: 'grid' },
      card('Found and done', chart, 'wide'), card('Hosts', this.hosts),
      card('Nodes', this.nodes, 'wide'), card('Changes', changes));
  }

  // Keeps the last state while Redis cannot be read. Returns the state.
  show({ state, cluster }) {
    if (cluster) this.show_cluster(cluster);
    return state;
  }

  show_cluster({ found, ended, open, nodes, hosts, hosts_due: due, leased, pages_left: left }) {
    const sum = (name) => nodes.reduce((total, { report }) => total + (report?.[name] ?? 0), 0);
    this.figures.set({ Found: count(found), Done: count(ended), Open: count(open),
      'Pages/s': rate(sum('pages_per_second')), Nodes: count(nodes.length), Hosts: count(hosts),
      'Leased hosts': count(leased), Queued: count(sum('queued')),
      'In flight': count(sum('in_flight')) });
    this.figures.mark('Nodes', nodes.length === 0);
    replace(this.hosts, el('li', { text: `${counted(hosts, 'host')} met.` }),
      el('li', { text: `${counted(due, 'host')} with URLs to fetch.` }),
      el('li', { text: `${counted(leased, 'host')} leased by nodes.` }),
      left === null ? null : el('li', { text: `${counted(left, 'page')} left until the limit.` }));
    const rows = nodes.toSorted((a, b) => a.name < b.name ? -1 : 1).entries();
    reconcile(this.rows, rows, ([number]) => number, () => el('tr', {}, COLUMNS.map((_, i) =>
      el('td', { class: i > 1 ? 'number' : '' }))), (row, [, node]) =>
      COLUMNS.forEach(([, text], i) => set_text(row.children[i], text(node))));
  }
}
