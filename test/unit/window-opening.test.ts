import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '../../electron/words/language';
import { wordsOf } from '../../electron/words/words';
import { VIEWS } from '../../renderer/route';

test.each(LANGUAGES)(
  'what stands there before the page’s code is the navigation, name by name: %s',
  (language) => {
    const name = language === 'en' ? 'index.html' : `index.${language}.html`;
    const html = readFileSync(`${import.meta.dirname}/../../renderer/${name}`, 'utf8');
    const names = Array.from(html.matchAll(/<li>(.*)<\/li>/g), ([, each]) => each);
    const { titles } = wordsOf(language).commands;
    expect(names).toEqual(VIEWS.map((view) => titles[`view:${view}`]));
    expect(html).toContain(`<html lang="${language}">`);
    // Neither the page's code nor its styles are loaded before that is on the screen.
    expect(Array.from(html.matchAll(/(?:src|href)="(.*)"/g), ([, each]) => each)).toEqual([
      './styles/opening.css',
      './begin.ts',
    ]);
  },
);
