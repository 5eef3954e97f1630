/** Start of the shown changes, target files, and definitions grouped by file. */
import { describe, expect, it } from 'vitest';
import type { DefinitionChange } from '../../electron/contract/changes';
import { wordsOf } from '../../electron/words/words';
import { nameInProject } from '../parts/format';
import { definitionGroups, filesToWrite, sinceOf, sinceOptions, suggestedFile } from './changes';

const definition = (title: string, file: string | null, here = 'SHOP'): DefinitionChange => ({
  ...{ key: title, title, name: title.split(' ').at(-1) ?? '', package: here, what: 'added', evaluation: 1 },
  ...{ client: 'ada', at: 0, diff: '', saved: false, writeAs: [title], revertible: true },
  file: file === null ? null : { path: file, line: 1, hash: '1', newer: null },
});

describe('since when', () => {
  it('is the beginning, an hour ago or a checkpoint', () => {
    const hour = 3_600_000;
    expect(
      ['beginning', 'hour', 'checkpoint 7', 'nonsense'].map((choice) => sinceOf(choice, 2 * hour)),
    ).toEqual([
      { is: 'beginning' },
      { is: 'time', at: hour },
      { is: 'checkpoint', id: 7 },
      { is: 'beginning' },
    ]);
    expect(
      sinceOptions(0, [{ id: 7, name: 'calm', savedAt: hour }], 2 * hour, wordsOf('en')).map(
        ({ title }) => title,
      ),
    ).toEqual(['session start, 2 h ago', 'the last hour', 'checkpoint calm, 1 h ago']);
  });
});

describe('files', () => {
  it('have paths relative to the project', () => {
    expect(['/p/src/a.lisp', '/pq/a.lisp', '/p'].map((file) => nameInProject(file, '/p'))).toEqual([
      'src/a.lisp',
      '/pq/a.lisp',
      '/p',
    ]);
  });

  it('are those that already contain the definition, and one for all others', () => {
    const changed = [
      definition('defun a', '/p/a.lisp'),
      definition('defun b', null),
      definition('defun c', null),
    ];
    const groups = (others: string) =>
      filesToWrite(changed, others, '/p').map(({ path, definitions }) => [path, definitions.length]);
    expect(groups('b.lisp')).toEqual([
      ['a.lisp', 1],
      ['b.lisp', 2],
    ]);
    expect(groups('a.lisp')).toEqual([['a.lisp', 3]]);
  });

  it('are suggested next to others of the package, else named after the session', () => {
    const session = { name: 'My work!', engine: 'clojure' } as const;
    const homeless = definition('defn b', null, 'shop');
    expect(suggestedFile([homeless], [homeless, definition('defn a', '/p/shop.clj', 'shop')], session)).toBe(
      '/p/shop.clj',
    );
    expect(suggestedFile([homeless], [homeless], session)).toBe('my-work.clj');
  });
});

it('groups definitions by file, those without a file first, with a filter', () => {
  const all = [
    definition('defun b', '/p/b.lisp'),
    definition('defvar *z*', null),
    definition('defun a', null),
  ];
  const shown = (part: string) =>
    definitionGroups(all, part).map(({ file, definitions }) => [file, definitions.map(({ name }) => name)]);
  expect(shown('')).toEqual([
    [null, ['*z*', 'a']],
    ['/p/b.lisp', ['b']],
  ]);
  expect(shown(' DEFUN ')).toEqual([
    [null, ['a']],
    ['/p/b.lisp', ['b']],
  ]);
});
