/** The command line that opens a source file in the user's editor. */
import { expect, it } from 'vitest';
import { editorWords } from '../../electron/harbor/project-sources';

it.each([
  ['emacsclient -n +{line} {file}', ['emacsclient', '-n', '+7', '/p/a b.lisp']],
  ['code -g {file}:{line}', ['code', '-g', '/p/a b.lisp:7']],
  ['"/opt/my editor/bin" --wait', ['/opt/my editor/bin', '--wait', '/p/a b.lisp']],
  ["gedit '+{line}'", ['gedit', '+7', '/p/a b.lisp']],
  [' ', []],
])('%s becomes its words, and no shell reads them', (command, words) => {
  expect(editorWords(command, '/p/a b.lisp', 7)).toEqual(words);
});
