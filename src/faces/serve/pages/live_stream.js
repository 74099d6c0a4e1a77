// The state of a crawl, once a second, as long as the view is open.
//
// A browser allows six connections per server, so the tabs of a crawl share one stream: the tab
// that holds the lock reads it and hands the states to the others.

import { stream } from './api.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const GONE_PAUSE_MS = 2000;

export class LiveStream {
  // see(state) gets states; tell(connection) gets 'open', 'lost' or 'gone', and a sentence.
  constructor(crawl, see, tell) {
    this.crawl = crawl;
    this.see = see;
    this.tell = tell;
    this.abort = new AbortController();
    const name = `gossamer-live-${crawl}`;
    if (navigator.locks && 'BroadcastChannel' in globalThis) {
      this.channel = new BroadcastChannel(name);
      this.channel.onmessage = ({ data }) => this.receive(data);
      navigator.locks.request(name, { signal: this.abort.signal }, () => this.run())
        .catch(() => {}); // the view was closed first
    } else {
      this.run();
    }
  }

  close() {
    this.abort.abort();
    this.channel?.close();
    this.is_closed = true;
  }

  receive({ kind, value }) {
    if (this.is_closed) return;
    if (kind === 'state') this.see(value);
    else this.tell(kind, value);
  }

  share(kind, value) {
    if (this.is_closed) return;
    this.channel?.postMessage({ kind, value });
    this.receive({ kind, value });
  }

  // Reads until the view ends. Connects again after each interruption, later each time.
  async run() {
    let pause = FIRST_PAUSE_MS;
    while (!this.is_closed) {
      let is_over = false;
      const see = (name, data) => {
        pause = FIRST_PAUSE_MS;
        if (data) this.share('state', JSON.parse(data));
        is_over = name === 'gone';
        this.share(is_over ? 'gone' : 'open', 'No crawl is running here now.');
      };
      try {
        await stream('live/events', { crawl: this.crawl }, see, this.abort.signal);
        if (!is_over) this.share('lost', 'The connection was interrupted.');
      } catch (error) {
        if (this.is_closed) return;
        if (error.status === 401) return this.share('gone', error.message);
        this.share('lost', error.message);
      }
      // Another crawl may come to the same socket, so the end of one is not the end.
      await this.wait(is_over ? GONE_PAUSE_MS : pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  wait(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.abort.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      }, { once: true });
    });
  }
}
