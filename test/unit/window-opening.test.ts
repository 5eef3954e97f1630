import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VIEW_TITLES } from '../../renderer/commands';
import { VIEWS } from '../../renderer/route';

test('what stands there before the page’s code is the navigation, name by name', () => {
  const html = readFileSync(`${import.meta.dirname}/../../renderer/index.html`, 'utf8');
  const names = Array.from(html.matchAll(/<li>(.*)<\/li>/g), ([, name]) => name);
  expect(names).toEqual(VIEWS.map((view) => VIEW_TITLES[view]));
});
