/** README and the pages of docs/: what they link to is there, and settings that they show are settings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../electron/contract/settings';
import { ROOT } from './setup-checkout';

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

it('README leads to every page', () => {
  const [readme] = TEXTS;
  for (const page of PAGES) expect(readme?.text).toContain(`](${page})`);
});
