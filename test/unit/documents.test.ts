/** README and the pages of docs/: what they link to is there, and settings that they show are settings. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { actionsOf, commandList } from '../../electron/command-line/command-list';
import { SUBCOMMANDS } from '../../electron/command-line/run-command';
import { Settings } from '../../electron/contract/settings';
import { ROOT, setupModule } from './setup-checkout';

interface Page {
  from: string;
  to: string;
}

const PAGES = readdirSync(path.join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const TEXTS = ['README.md', ...PAGES].map((page) => ({
  page,
  text: readFileSync(path.join(ROOT, page), 'utf8'),
}));

describe.each(TEXTS)('$page', ({ page, text }) => {
  it('links to files that are there', () => {
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    const missing = targets.filter((target) => !existsSync(path.join(ROOT, path.dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it('shows settings that are read as they stand', () => {
    const shown = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, json = '']) => JSON.parse(json));
    for (const settings of shown) expect(Settings.strict().safeParse(settings).error).toBeUndefined();
  });
});

/** Command lines in the documents: blocks of shell lines, and code in the text. */
const typed = TEXTS.flatMap(({ page, text }) => {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code);
  return [...blocks, ...inline].map((line) => ({ page, line: line.trim() }));
});

describe('a command in the documents', () => {
  const commands = commandList(SUBCOMMANDS);
  const own = typed.filter(({ line }) => /^lisp-harbor [a-z]/.test(line));

  it.each(own)('$page: $line', ({ line }) => {
    const [, name = '', ...words] = line.split(/\s+/);
    const command = commands.find((each) => each.name === name);
    expect(command, name).toBeDefined();
    const options = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
    expect(options.filter((option) => !Object.hasOwn(command?.options ?? {}, option))).toEqual([]);
    const actions = command === undefined ? [] : actionsOf(command);
    if (actions.length > 0 && words[0] !== undefined) expect(actions).toContain(words[0]);
  });

  it('of npm is a script of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const named = typed.flatMap(({ line }) => /^npm run (?:-s )?([a-z:-]+)/.exec(line)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

describe('the site', () => {
  let pages: Page[];
  let site: string;
  beforeAll(async () => {
    const { makeSite } = await setupModule<{ makeSite(base: string, site: string): Promise<Page[]> }>('docs');
    site = mkdtempSync(path.join(tmpdir(), 'site-'));
    pages = await makeSite(ROOT, site);
    return () => rmSync(site, { recursive: true });
  });

  it('has a page of every document, and only links and pictures that are there', () => {
    expect(pages.map(({ from }) => from)).toEqual(expect.arrayContaining(TEXTS.map(({ page }) => page)));
    for (const { to } of pages) {
      const html = readFileSync(path.join(site, to), 'utf8');
      const targets = [...html.matchAll(/(?:href|src)="(?!https?:)([^"]*)"/g)].map(
        ([, target = '']) => target,
      );
      const missing = targets.filter((target) => {
        const [file = '', anchor] = target.split('#');
        const place = file === '' ? path.join(site, to) : path.join(site, path.dirname(to), decodeURI(file));
        if (!existsSync(place)) return !existsSync(path.join(ROOT, path.dirname(to), decodeURI(file)));
        return anchor !== undefined && !readFileSync(place, 'utf8').includes(`id="${anchor}"`);
      });
      expect(missing, to).toEqual([]);
    }
  });

  it('finds pages by words, without a server', () => {
    const script = readFileSync(path.join(site, 'search.js'), 'utf8');
    expect(script).toContain('bubblewrap');
    expect(readFileSync(path.join(site, 'docs/sandbox.html'), 'utf8')).toContain('src="../search.js"');
  });
});

it('README leads to every page', () => {
  const [readme] = TEXTS;
  for (const page of PAGES) expect(readme?.text).toContain(`](${page})`);
});
