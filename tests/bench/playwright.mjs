// The same steps as search.rhai, in Playwright: an isolated context, the start page, all articles, a search, one article,
// the search taken back, all articles, a picture of the viewport. Prints milliseconds a case as JSON.
//
// usage: node playwright.mjs EXECUTABLE ARTIFACT FACTS JOBS CASES   (playwright-core is found from the current folder)
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const { chromium } = createRequire(join(process.cwd(), 'x.js'))('playwright-core');
const [executablePath, artifact, factsFile, jobs, cases] = process.argv.slice(2);
const { articles } = JSON.parse(await readFile(factsFile, 'utf8'));
const titles = articles.map((article) => article.title);
const one = titles[2];

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };
const server = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://x').pathname;
  try {
    const body = await readFile(join(artifact, path === '/' ? 'index.html' : path));
    response.writeHead(200, { 'content-type': `${TYPES[extname(path)] ?? 'text/html'}; charset=utf-8` }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

const shown = ({ wanted }) => {
  const fold = (text) => text.replace(/\s+/g, ' ').trim().toLowerCase();
  const seen = [...document.querySelectorAll('[data-testid=article]')].filter((el) => el.checkVisibility() && el.getBoundingClientRect().height > 0);
  return seen.length === wanted.length && wanted.every((title) => seen.some((el) => fold(el.textContent).includes(fold(title))));
};

async function onecase() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(shown, { wanted: titles });
  await page.getByTestId('search').fill(one);
  await page.waitForFunction(shown, { wanted: [one] });
  await page.getByTestId('search').fill('');
  await page.waitForFunction(shown, { wanted: titles });
  await page.screenshot();
  await context.close();
}

await onecase();
let left = Number(cases);
const began = performance.now();
await Promise.all(Array.from({ length: Number(jobs) }, async () => {
  while (left-- > 0) await onecase();
}));
const each = (performance.now() - began) / Number(cases);
await browser.close();
server.close();
console.log(JSON.stringify({ ms: each }));
