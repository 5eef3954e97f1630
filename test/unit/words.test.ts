/** Which language a person gets, and how numbers read in it. */
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../electron/words/language';
import { wordsOf } from '../../electron/words/words';

describe('the language', () => {
  it.each(['C', 'C.UTF-8', 'POSIX', '', 'en-US', 'en_GB.UTF-8', 'de-DE', 'jam'])(
    'is English where the system’s is %j',
    (system) => {
      expect(languageOf('system', system)).toBe('en');
    },
  );

  it.each(['ja', 'ja-JP', 'ja_JP.UTF-8'])('is Japanese where the system’s is %j', (system) => {
    expect(languageOf('system', system)).toBe('ja');
  });

  it('is the person’s choice, whatever the system’s is', () => {
    expect(languageOf('en', 'ja-JP')).toBe('en');
    expect(languageOf('ja', 'C')).toBe('ja');
  });
});

describe('Japanese', () => {
  const { formats, tray, common, repl } = wordsOf('ja');

  it('calls the person at the window as itself does', () => {
    expect(['you', 'codex'].map((client) => repl.block(3, common.client(client)))).toEqual([
      'あなたの評価 3',
      'codex の評価 3',
    ]);
  });

  it('has units and counters of its own', () => {
    expect(formats.duration(125_000)).toBe('2 分 05 秒');
    expect(formats.relative(0, 240_000)).toBe('4 分前');
    expect(formats.bytes(1_440_000_000)).toBe('1.4 GB');
    expect(formats.limits({ heapMiB: null, cpuSeconds: null, outputChars: 4_194_304 })).toEqual([
      '出力 419万 文字',
    ]);
    expect(common.sessions(1_204)).toBe('セッション 1,204件');
    expect(formats.list(['a', 'b', 'c'])).toBe('a、b、c');
  });

  it('says what ends with the app', () => {
    expect(tray.quitEnding(tray.endsSomeRunning(tray.sessions(3), 1))).toBe(
      '終了（セッション 3件（うち実行中 1件）が終わります）',
    );
  });
});
