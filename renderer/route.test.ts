/** Places in the hash, shortcuts, highlighted code and diffs: the window's small pure parts. */
import { describe, expect, it } from 'vitest';
import { SettingsChange } from '../electron/contract/settings';
import { diffLines } from './clients/diff-lines';
import { highlight } from './parts/highlight';
import { formatPlace, type Place, parsePlace, START } from './route';
import { ariaShortcut, matchesShortcut, shortcutLabel } from './shortcuts';

describe('places', () => {
  const places: Partial<Place>[] = [
    { view: 'home' },
    { view: 'sessions', session: 'api-fix', tab: 'transcript' },
    { view: 'sessions' },
    { view: 'history', evaluation: 41 },
    { view: 'settings' },
  ];

  it.each(places)('come back from their hash: %o', (part) => {
    const place = { ...START, ...part };
    expect(parsePlace(formatPlace(place), START)).toEqual(place);
  });

  it('keep what a hash does not name', () => {
    const from: Place = { ...START, session: 's1', evaluation: 3 };
    expect(parsePlace('#/clients', from)).toEqual({ ...from, view: 'clients' });
  });

  it('stay when a hash means nothing', () => {
    for (const hash of ['', '#/nowhere', '#<script>']) expect(parsePlace(hash, START)).toBe(START);
    expect(parsePlace('#/history/x', START).evaluation).toBeNull();
  });
});

describe('shortcuts', () => {
  const stroke = { key: 'n', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };

  it('mean Control, and Command on a Mac', () => {
    expect(matchesShortcut('Mod+N', stroke, false)).toBe(true);
    expect(matchesShortcut('Mod+N', stroke, true)).toBe(false);
    expect(matchesShortcut('Mod+N', { ...stroke, ctrlKey: false, metaKey: true }, true)).toBe(true);
  });

  it('need exactly their modifiers', () => {
    expect(matchesShortcut('Mod+N', { ...stroke, shiftKey: true }, false)).toBe(false);
    expect(matchesShortcut('Escape', { ...stroke, key: 'Escape', ctrlKey: false }, false)).toBe(true);
    expect(matchesShortcut('Escape', { ...stroke, key: 'Escape' }, false)).toBe(false);
  });

  it('are written as the platform does', () => {
    expect(shortcutLabel('Mod+1', false)).toBe('Ctrl+1');
    expect(shortcutLabel('Mod+1', true)).toBe('⌘1');
    expect(ariaShortcut('Mod+1', false)).toBe('Control+1');
  });
});

describe('highlighted code', () => {
  const code = '(defun f (x)\n  "doc" ; note\n  (+ x 42))';
  const styleOf = (text: string, engine: 'sbcl' | 'nbb', source = code) =>
    highlight(source, engine).find((piece) => piece.text.includes(text))?.style;

  it('is the same text in pieces', () => {
    for (const source of [code, '', ')(', '"unfinished', '#\\( |a b| #|x']) {
      expect(
        highlight(source, 'sbcl')
          .map(({ text }) => text)
          .join(''),
      ).toBe(source);
    }
  });

  it('tells strings, numbers, comments and definitions apart', () => {
    expect(styleOf('"doc"', 'sbcl')).toBe('string');
    expect(styleOf('42', 'sbcl')).toBe('number');
    expect(styleOf('; note', 'sbcl')).toBe('comment');
    expect(styleOf('defun', 'sbcl')).toBe('keyword');
  });

  it('knows Clojure', () => {
    expect(styleOf('defn', 'nbb', '(defn f [x] (inc x))')).toBe('keyword');
  });

  it('leaves very long code plain', () => {
    expect(highlight(`"${'x'.repeat(50_000)}"`, 'sbcl')).toHaveLength(1);
  });
});

describe('diffs', () => {
  it('are lines of a kind, without the lines that name the file', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n {\n-old\n+new\n+-- odd\n';
    expect(diffLines(diff)).toEqual([
      { text: '@@ -1 +1,2 @@', kind: 'hunk' },
      { text: ' {', kind: 'same' },
      { text: '-old', kind: 'removed' },
      { text: '+new', kind: 'added' },
      { text: '+-- odd', kind: 'added' },
    ]);
  });
});

describe('a change of settings', () => {
  it('names what it changes and nothing else', () => {
    expect(SettingsChange.parse({ theme: 'dark' })).toEqual({ theme: 'dark' });
    expect(SettingsChange.parse({})).toEqual({});
  });

  it('can take a setting back to automatic', () => {
    expect(SettingsChange.parse({ engine: undefined })).toHaveProperty('engine', undefined);
  });
});
