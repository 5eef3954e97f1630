/**
 * `npm run docs`: makes static pages of README, docs/ and the other documents in site/, with a search that
 * needs no server. Open site/index.html.
 */
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root, writeText } from './checkout.mjs';
import { endWith, say } from './console.mjs';
import { ensureDependencies } from './prepare.mjs';

/**
 * `from` is a Markdown file below the root, `to` its page below the site's folder.
 * @typedef {{ from: string, to: string, title: string, html: string, text: string }} Page
 */

/** Folders of pictures that pages show. */
const PICTURES = ['docs/window', 'resources/screenshot.png'];

/**
 * @param {string} base folder of the clone
 * @param {string} site folder that is made anew
 * @returns {Promise<Page[]>}
 */
export async function makeSite(base, site) {
  const { Marked } = await import('marked');
  const pages = sourcesIn(base).map((from) => {
    const markdown = readFileSync(path.join(base, from), 'utf8');
    const html = new Marked({
      renderer: {
        heading({ tokens, depth, text }) {
          return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
        },
      },
      walkTokens: (token) => {
        if (token.type === 'link') token.href = linkTo(from, token.href);
      },
    }).parse(markdown);
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? from;
    return { from, to: pageOf(from), title, html: String(html), text: plain(String(html)) };
  });
  rmSync(site, { recursive: true, force: true });
  for (const page of pages) writeText(path.join(site, page.to), wrap(page, pages));
  for (const picture of PICTURES)
    cpSync(path.join(base, picture), path.join(site, picture), { recursive: true });
  const index = pages.map(({ to, title, text }) => ({ to, title, text }));
  writeText(path.join(site, 'search.js'), `const PAGES = ${JSON.stringify(index)};\n${SEARCH}`);
  writeText(path.join(site, 'style.css'), STYLE);
  return pages;
}

/** @param {string} base */
function sourcesIn(base) {
  const guides = readdirSync(path.join(base, 'docs')).filter((name) => name.endsWith('.md'));
  const top = readdirSync(base).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const rooms = ['electron', 'renderer', 'resources'].flatMap((room) =>
    readdirSync(path.join(base, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === 'README.md')
      .map((name) => path.posix.join(room, name.replaceAll('\\', '/'))),
  );
  return ['README.md', ...guides.map((name) => `docs/${name}`), ...top, ...rooms.sort()];
}

/** @param {string} from */
const pageOf = (from) => (from === 'README.md' ? 'index.html' : from.replace(/\.md$/, '.html'));

/**
 * Returns the address of a link: pages of Markdown files are HTML files at the same place.
 * @param {string} from file with the link
 * @param {string} href
 */
function linkTo(from, href) {
  const [file = '', anchor] = href.split('#');
  if (/^[a-z]+:/.test(href) || !file.endsWith('.md')) return href;
  const target = path.posix.join(path.posix.dirname(from), file);
  const page = path.posix.relative(path.posix.dirname(pageOf(from)), pageOf(target));
  return anchor === undefined ? page : `${page}#${anchor}`;
}

/**
 * Returns the anchor of a heading, as GitHub makes it.
 * @param {string} heading in Markdown
 */
const slug = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-');

/** @param {string} html */
const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/**
 * @param {Page} page
 * @param {Page[]} pages
 */
function wrap({ to, title, html }, pages) {
  const up = '../'.repeat(to.split('/').length - 1);
  const items = pages.map((page) => {
    const current = page.to === to ? ' aria-current="page"' : '';
    return `<li><a href="${up}${page.to}"${current}>${page.title}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="stylesheet" href="${up}style.css">
</head>
<body data-up="${up}">
<nav>
<label>Search <input type="search" id="query"></label>
<ul id="found" aria-live="polite"></ul>
<ul>
${items.join('\n')}
</ul>
</nav>
<main>
${html}</main>
<script src="${up}search.js"></script>
</body>
</html>
`;
}

/** Lists the pages that have every word of the query, with the text around the first one. */
const SEARCH = `
const found = document.getElementById('found');
document.getElementById('query').addEventListener('input', (event) => {
  const words = event.target.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : PAGES.filter(({ title, text }) =>
    words.every((word) => (title + ' ' + text).toLowerCase().includes(word)));
  found.replaceChildren(...hits.map(({ to, title, text }) => {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
    const link = Object.assign(document.createElement('a'), { href: document.body.dataset.up + to, textContent: title });
    const item = document.createElement('li');
    item.append(link, Object.assign(document.createElement('p'), { textContent: text.slice(at, at + 120) }));
    return item;
  }));
});
`;

const STYLE = `:root { color-scheme: light dark; font: 15px/1.55 system-ui, sans-serif; }
body { display: grid; grid-template-columns: 220px minmax(0, 46rem); gap: 3rem; max-width: 75rem; margin: 2rem auto; padding: 0 1.5rem; }
nav { font-size: 13px; position: sticky; top: 2rem; align-self: start; }
nav ul { list-style: none; padding: 0; }
nav li { margin: .3rem 0; }
nav p { margin: 0; opacity: .75; }
nav [aria-current] { font-weight: 600; }
input { width: 100%; box-sizing: border-box; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; }
pre { padding: .8rem 1rem; overflow-x: auto; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 6px; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 15%, transparent); }
img { max-width: 100%; }
@media (max-width: 800px) { body { grid-template-columns: 1fr; gap: 1rem; } nav { position: static; } }
`;

if (process.argv[1] === import.meta.filename)
  await endWith(async () => {
    await ensureDependencies(root, 'all');
    const site = path.join(root, 'site');
    const pages = await makeSite(root, site);
    say(`${pages.length} pages: ${path.join(site, 'index.html')}`);
    return undefined;
  });
