// Every page of one host with Crawlee: crawler.mjs URL AT_ONCE
import { Configuration, HttpCrawler, LogLevel, log } from '@crawlee/http';

const LINK = /<(?:a|area|frame|iframe)\s[^>]*?\b(?:href|src)\s*=\s*["']?([^\s"'<>]+)/gi;

const [root, atOnce] = [process.argv[2], Number(process.argv[3])];
const { origin } = new URL(root);
const seen = new Set([root]);
log.setLevel(LogLevel.OFF);

const crawler = new HttpCrawler({
  minConcurrency: atOnce,
  maxConcurrency: atOnce,
  useSessionPool: false,
  maxRequestRetries: 0,
  additionalMimeTypes: ['*/*'],
  // No disguise as a browser: it costs more than all the rest.
  preNavigationHooks: [(_, options) => { options.useHeaderGenerator = false; }],
  async requestHandler({ request, body, contentType }) {
    if (contentType.type !== 'text/html') return;
    const references = new Set();
    for (const match of body.toString().matchAll(LINK)) references.add(match[1].split('#')[0]);
    const found = [];
    for (const reference of references) {
      const address = reference.replaceAll('&amp;', '&');
      if (!URL.canParse(address, request.loadedUrl)) continue;
      const url = new URL(address, request.loadedUrl).href;
      if (!url.startsWith(origin + '/') || seen.has(url)) continue;
      seen.add(url);
      found.push({ url, uniqueKey: url });
    }
    if (found.length > 0) await crawler.addRequests(found);
  },
}, new Configuration({ persistStorage: false }));

await crawler.run([root]);
