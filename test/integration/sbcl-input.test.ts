/** Code that reads standard input: answered if there is a source, end of input otherwise, never blocked. */
import { describe, expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

const REFUSED = expect.stringMatching(
  /^The code read from its input, which is empty here\. Give it text, for example/,
);

describe('where nobody answers', () => {
  it.each([
    '(read-line)',
    '(read)',
    '(y-or-n-p "sure?")',
    '(yes-or-no-p "sure?")',
    '(read-line *query-io*)',
    '(read-char *terminal-io*)',
    '(read-line *debug-io*)',
  ])('%s meets the end of its input at once, with a note', async (code) => {
    const image = await startImage();
    const { condition, stdout, notes } = await image.evaluate(code);
    expect({ type: condition?.type, stdout, notes }).toEqual({
      type: 'END-OF-FILE',
      stdout: '',
      notes: [REFUSED],
    });
  });

  it('code that gives itself input reads it', async () => {
    const image = await startImage();
    const { values, notes } = await image.evaluate(
      '(with-input-from-string (*standard-input* "one~%two") (list (read-line) (listen) (read-line nil nil :none)))',
    );
    expect(values).toEqual([['("one~%two" NIL :NONE)']]);
    expect(notes).toEqual([]);
  });

  it.each(['*debug-io*', '*terminal-io*'])('%s is printed to prettily', async (stream) => {
    const image = await startImage();
    const { condition, stdout } = await image.evaluate(
      `(pprint '(let ((a 1)) b) ${stream}) (sb-debug:print-backtrace :stream ${stream} :count 3)`,
    );
    expect(condition).toBeNull();
    expect(stdout).toMatch(/\(LET \(\(A 1\)\)[\s\S]*Backtrace for/);
  });

  it('other threads meet it too', async () => {
    const image = await startImage();
    const { values } = await image.evaluate(
      '(sb-thread:join-thread (sb-thread:make-thread (lambda () (read-line *standard-input* nil :none))))',
    );
    expect(values).toEqual([[':NONE', 'T']]);
  });
});

describe('where somebody answers', () => {
  it('hears what was printed before, and gives line after line', async () => {
    const image = await startImage();
    let printed = '';
    const heard: string[] = [];
    const lines = ['Ada', '(1 2', '3) rest', 'y'];
    const input = async () => {
      heard.push(printed);
      return lines.shift() ?? null;
    };
    const code = `(progn (format t "name? ") (list (read-line) (read) (read-line) (y-or-n-p "sure?") (read-line nil nil :end)))`;
    const { values, notes } = await image.evaluate(code, { input }, (_stream, text) => {
      printed += text;
    });
    expect(values).toEqual([['("Ada" (1 2 3) "rest" T :END)']]);
    expect(heard).toEqual([
      'name? ',
      'name? ',
      'name? ',
      expect.stringContaining('sure? (y or n)'),
      expect.stringContaining('sure? (y or n)'),
    ]);
    expect(notes).toEqual([]);
  });

  it('an interrupt ends the wait, and the late answer is nobody’s', async () => {
    const image = await startImage();
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<string>();
    const settled = image.evaluate('(read-line)', {
      input: () => {
        asked.resolve();
        return answer.promise;
      },
    });
    await asked.promise;
    expect(await image.interrupt('cooperative')).toBe(true);
    expect((await settled).outcome).toBe('interrupted');
    answer.resolve('too late');
    expect((await image.evaluate('(read-line)', { input: async () => 'in time' })).values).toEqual([
      ['"in time"', 'NIL'],
    ]);
  });
});
