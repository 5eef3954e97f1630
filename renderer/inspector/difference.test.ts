/** What differs between two values. */
import { expect, it } from 'vitest';
import { wordsOf } from '../../electron/words/words';
import { differences } from './difference';

const part = (name: string, text?: string) => ({
  index: 0,
  name,
  ...(text === undefined ? { unbound: true } : { text }),
});

it('parts are compared by name; those alike are counted', () => {
  const one = [part('X', '1'), part('Y', '2'), part('GONE', '3'), part('Z')];
  const other = [part('X', '1'), part('Y', '4'), part('Z', '0'), part('NEW', '5')];
  expect(differences(one, other, wordsOf('en'))).toEqual({
    alike: 1,
    differing: [
      { name: 'Y', one: '2', other: '4' },
      { name: 'GONE', one: '3', other: null },
      { name: 'Z', one: 'unbound', other: '0' },
      { name: 'NEW', one: null, other: '5' },
    ],
  });
});
