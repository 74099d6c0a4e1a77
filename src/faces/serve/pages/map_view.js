// Site map: the folders of a site as a treemap, or as a table.

import { get } from './api.js';
import { announce, choices, el, replace, state, table } from './dom.js';
import { bytes, count, counted } from './format.js';
import { go, stay, to_hash } from './route.js';
import { squarify } from './treemap.js';

// What decides the area of a folder, and its shade from 0 to 4.
const MODES = {
  size: { title: 'Size', area: (node) => node.bytes, text: (node) => bytes(node.bytes),
    shade: () => 1, nothing: 'The folders are empty.' },
  errors: { title: 'Errors', area: (node) => node.errors,
    text: (node) => counted(node.errors, 'error'),
    shade: (node) => Math.min(4, Math.ceil(4 * node.errors / Math.max(1, node.pages))),
    nothing: 'No page here has an error.' },
  depth: { title: 'Depth', area: (node) => node.pages,
    text: (node) => `${counted(node.depth ?? 0, 'click')} deep`,
    shade: (node) => Math.min(4, Math.floor((node.depth ?? 0) / 2)),
    nothing: 'There are no pages here.' },
};

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class MapView {
  constructor(root, served) {
    this.served = served;
    this.trail = el('nav', { class: 'trail', 'aria-label': 'Folders' });
    this.tools = el('div', { class: 'row' });
    this.summary = el('p', { class: 'muted' });
    this.canvas = el('div', { class: 'treemap' });
    root.append(el('div', { class: 'head' }, el('h1', { text: 'Site map' }), this.tools),
      this.trail, this.summary, this.canvas);
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.canvas);
  }

  close() {
    this.abort?.abort();
    this.observer.disconnect();
  }

  async update(parameters) {
    const first = this.served.archives[0]?.archive;
    const wanted = { archive: String(first), path: '', by: 'size', as: 'map', ...parameters };
    const is_same = this.node && wanted.archive === this.parameters.archive &&
      wanted.path === this.parameters.path;
    this.parameters = wanted;
    this.draw_tools();
    if (is_same) return this.draw();
    this.abort?.abort();
    this.abort = new AbortController();
    try {
      const { archive, path } = this.parameters;
      this.node = await get('sitemap', { archive, path, levels: 2 }, this.abort.signal);
      const { pages, errors } = this.node;
      announce(`${path || 'All hosts'}: ${counted(pages, 'URL')}, ${counted(errors, 'error')}.`);
      this.draw();
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.node = null;
      replace(this.canvas, state('The site map cannot be made', error.message));
    }
  }

  change(changes) {
    stay('map', { ...this.parameters, ...changes });
    this.update({ ...this.parameters, ...changes });
  }

  draw_tools() {
    const { by, as } = this.parameters;
    replace(this.tools,
      choices('Area', Object.entries(MODES).map(([key, { title }]) => [key, title]), by,
        (key) => this.change({ by: key })),
      choices('Form', [['map', 'Map'], ['table', 'Table']], as, (key) => this.change({ as: key })));
    const parts = this.parameters.path.split('/').filter(Boolean);
    const paths = parts.map((part, i) => [part, parts.slice(0, i + 1).join('/') + '/']);
    replace(this.trail, [['All hosts', ''], ...paths].map(([text, path], i, all) =>
      i === all.length - 1 ? el('span', { text, 'aria-current': 'page' })
        : el('a', { text, href: this.address_of(path) })));
  }

  address_of(path) {
    return to_hash('map', { ...this.parameters, path });
  }

  draw() {
    if (!this.node) return;
    const { children = [], pages, bytes: size, errors, left_out } = this.node;
    this.summary.textContent = `${counted(pages, 'URL')}, ${bytes(size)}, ` +
      counted(errors, 'error') + (left_out ? `; ${count(left_out)} small entries not shown` : '');
    const mode = MODES[this.parameters.by] ?? MODES.size;
    this.canvas.classList.toggle('is-table', this.parameters.as === 'table');
    if (this.parameters.as === 'table') return replace(this.canvas, this.table(children));
    const { width, height } = this.canvas.getBoundingClientRect();
    const boxes = squarify(children, mode.area, width, height);
    if (boxes.length === 0) return replace(this.canvas, state(mode.nothing));
    const had_focus = this.canvas.contains(document.activeElement);
    replace(this.canvas, boxes.map((box) => this.tile(box, mode)));
    if (had_focus) this.canvas.firstChild.focus();
  }

  tile({ item, x, y, width, height }, mode) {
    const is_folder = item.path.endsWith('/');
    const name = item.name || '/';
    const label = `${name}: ${mode.text(item)}, ${counted(item.pages, 'URL')}`;
    const tile = el('a', { class: `tile shade-${mode.shade(item)} by-${this.parameters.by}`,
      href: is_folder ? this.address_of(item.path) : this.page_address(item), title: label });
    const box = { left: x, top: y, width: width - 2, height: height - 2 };
    for (const [side, value] of Object.entries(box)) tile.style[side] = `${Math.max(0, value)}px`;
    const has_name = width > 46 && height > 24;
    const has_more = width > 64 && height > 44;
    tile.append(el('span', { class: has_name ? 'tile-name' : 'unseen', text: name }), ' ',
      el('span', { class: has_more ? 'tile-more' : 'unseen', text: mode.text(item) }));
    if (is_folder && width > 120 && height > 110) this.inner(tile, item, mode, width, height);
    return tile;
  }

  // The folders of a folder, as a sketch.
  inner(tile, item, mode, width, height) {
    const place = { x: 8, y: 48, width: width - 18, height: height - 58 };
    for (const box of squarify(item.children ?? [], mode.area, place.width, place.height)) {
      const part = el('span', { class: `tile-part shade-${mode.shade(box.item)}`,
        'aria-hidden': 'true' });
      part.style.left = `${place.x + box.x}px`;
      part.style.top = `${place.y + box.y}px`;
      part.style.width = `${Math.max(0, box.width - 2)}px`;
      part.style.height = `${Math.max(0, box.height - 2)}px`;
      if (box.width > 60 && box.height > 22) part.textContent = box.item.name;
      tile.append(part);
    }
  }

  // Archives find a page by its host and path, whatever the scheme.
  page_address(item) {
    return to_hash('replay', { url: 'https://' + item.path });
  }

  table(children) {
    return table('Folders and pages', [
      ['Name', (node) => el('a', { text: node.name || '/', href: node.path.endsWith('/')
        ? this.address_of(node.path) : this.page_address(node) })],
      ['URLs', (node) => count(node.pages), 'number'],
      ['Size', (node) => bytes(node.bytes), 'number'],
      ['Errors', (node) => count(node.errors), 'number'],
      ['Depth', (node) => count(node.depth), 'number'],
    ], children);
  }

  // Arrows move to the nearest tile in their direction; Backspace and Escape lead one folder up.
  key(event) {
    const tile = event.target.closest?.('.tile');
    if (event.key === 'Backspace' || event.key === 'Escape') {
      const parts = this.parameters.path.split('/').filter(Boolean);
      if (parts.length === 0) return;
      event.preventDefault();
      return go('map', { ...this.parameters,
        path: parts.length > 1 ? parts.slice(0, -1).join('/') + '/' : '' });
    }
    const way = WAYS[event.key];
    if (!way || !tile) return;
    event.preventDefault();
    nearest(tile, this.canvas.querySelectorAll('.tile'), way)?.focus();
  }
}

function centre(tile) {
  const { left, top, width, height } = tile.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

// The closest tile in a direction; steps to the side count double.
function nearest(from, tiles, [dx, dy]) {
  const [x, y] = centre(from);
  let best = null;
  let best_distance = Infinity;
  for (const tile of tiles) {
    const [tx, ty] = centre(tile);
    const along = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (along > 1 && along + 2 * aside < best_distance) {
      best = tile;
      best_distance = along + 2 * aside;
    }
  }
  return best;
}
