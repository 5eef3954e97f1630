/**
 * Limits in SBCL: processor time and output per evaluation, heap per image. State is preserved in every case.
 */

import { describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { sampled } from '../rounds';
import { engine, startImage, startRequest } from './sbcl-fixture';
import { TestImage } from './test-image';

const SPENT = /^The evaluation was interrupted because it had used the 1 s of processor time/;

/** Enough processor time for the limit of one second, with some to spare. */
const WORK = '(let ((end (+ (get-internal-run-time) 1600000))) (loop while (< (get-internal-run-time) end)))';

const WATCHERS =
  '(count "lisp-harbor cpu limit" (sb-thread:list-all-threads) :key #\'sb-thread:thread-name :test #\'equal)';

describe('processor time', () => {
  it('ends the evaluation that exceeds it and nothing else', async () => {
    const image = await startImage();
    await image.evaluate('(defvar *kept* 7)');
    const { outcome, notes, stdout } = await image.evaluate('(princ "begun") (loop)', { cpuSeconds: 1 });
    expect({ outcome, stdout }).toEqual({ outcome: 'interrupted', stdout: 'begun' });
    expect(notes).toEqual([expect.stringMatching(SPENT)]);
    expect((await image.evaluate('*kept*')).values).toEqual([['7']]);
  });

  it.each(
    sampled(
      'spenders',
      [
        ['that handles every error', '(handler-case (loop) (error () :handled))'],
        [
          'that works in a thread of its own',
          '(sb-thread:join-thread (sb-thread:make-thread (lambda () (loop))))',
        ],
        ['that goes on in its cleanup', '(unwind-protect (loop) (loop))'],
        ['that allocates', '(loop (make-array 1000))'],
      ] as const,
      2,
    ),
  )('stops code %s', async (_what, code) => {
    const image = await startImage();
    const { outcome, notes } = await image.evaluate(code, { cpuSeconds: 1 });
    expect(outcome).toBe('interrupted');
    expect(notes).toContainEqual(expect.stringMatching(SPENT));
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('is not elapsed time', async () => {
    const image = await startImage();
    expect((await image.evaluate('(sleep 1.5) :slept', { cpuSeconds: 1 })).values).toEqual([
      ['NIL'],
      [':SLEPT'],
    ]);
  });

  it('starts at zero for each evaluation, and leaves no thread', async () => {
    const image = await startImage();
    // Together more than the limit; each has time for its compilation on a slow machine.
    const part = WORK.replace('1600000', '300000');
    for (let round = 0; round < 4; round += 1)
      expect(await image.evaluate(part, { cpuSeconds: 1 })).toMatchObject({ outcome: 'ok', notes: [] });
    expect((await image.evaluate(WATCHERS, { cpuSeconds: 1 })).values).toEqual([['1']]);
    expect((await image.evaluate(WATCHERS)).values).toEqual([['0']]);
  });

  it('does not count while the evaluation is suspended, whatever runs there', async () => {
    const image = await startImage();
    const { promise: held, resolve } = Promise.withResolvers<void>();
    const settled = image.image.evaluate(
      { id: 900, code: '(restart-case (error "hold") (go-on () :went-on))', onError: 'debug', cpuSeconds: 1 },
      () => undefined,
      { suspended: () => resolve(), exited: () => undefined },
    );
    await held;
    expect(await image.evaluate(WORK, { level: 1 })).toMatchObject({ outcome: 'ok' });
    const spent = await image.evaluate('(loop)', { level: 1, cpuSeconds: 1 });
    expect(spent).toMatchObject({ outcome: 'interrupted', notes: [expect.stringMatching(SPENT)] });
    await image.image.debugger?.restart({ restart: 'go-on' });
    expect(await settled).toMatchObject({ outcome: 'ok', forms: [{ values: [':WENT-ON'] }] });
  });
});

/** Lines of ten characters with their numbers. */
const lines = (count: number) => `(dotimes (i ${count}) (format t "~9,'0D~%" i))`;

/** What a sink receives: the text, and how much is missing where. */
async function heard(image: TestImage, code: string, outputChars: number) {
  const pieces: { text: string; dropped: number }[] = [];
  const outcome = await image.image.evaluate({ id: 1, code, outputChars }, (_stream, text, dropped = 0) => {
    pieces.push({ text, dropped });
  });
  const gap = pieces.findIndex(({ dropped }) => dropped > 0);
  const joined = (some: typeof pieces) => some.map(({ text }) => text).join('');
  return {
    outcome,
    gaps: pieces.filter(({ dropped }) => dropped > 0).map(({ dropped }) => dropped),
    head: joined(gap < 0 ? pieces : pieces.slice(0, gap)),
    tail: gap < 0 ? '' : joined(pieces.slice(gap)),
  };
}

/** Chunks are sent or dropped as a whole. */
const PIECE = 4096;

describe('output', () => {
  it('beyond the limit is cut in the middle, and the gap is counted', async () => {
    const { outcome, head, tail, gaps } = await heard(await startImage(), lines(100_000), 20_000);
    expect(head.length).toBeGreaterThanOrEqual(10_000);
    expect(tail.length).toBeGreaterThanOrEqual(10_000);
    expect(head.length + tail.length).toBeLessThan(20_000 + 2 * PIECE);
    expect(head).toMatch(/^000000000\n000000001\n/);
    expect(tail).toMatch(/\n000099999\n$/);
    expect(gaps).toEqual([1_000_000 - head.length - tail.length]);
    expect(outcome.outcome).toBe('ok');
    expect(noteTexts(outcome.notes)).toEqual([
      `It printed more than the 20000 characters that the limit of this session allows: the beginning and the end are kept, and ${gaps[0]} characters between them are not.`,
    ]);
  });

  it('up to the limit is complete, and the next evaluation starts at zero', async () => {
    const image = await startImage();
    for (let round = 0; round < 3; round += 1) {
      const { outcome, head, gaps } = await heard(image, lines(2_000), 20_000);
      expect({ length: head.length, gaps, notes: noteTexts(outcome.notes) }).toEqual({
        length: 20_000,
        gaps: [],
        notes: [],
      });
    }
  });

  it('up to the limit is complete in small pieces too', async () => {
    const code = `(dotimes (i 2000) (format t "~9,'0D~%" i) (finish-output))`;
    const { outcome, head, gaps } = await heard(await startImage(), code, 20_000);
    expect({ length: head.length, gaps, notes: noteTexts(outcome.notes) }).toEqual({
      length: 20_000,
      gaps: [],
      notes: [],
    });
  });

  it('keeps its streams apart and in order where it is cut', async () => {
    const image = await startImage();
    const { output } = await image.evaluate(
      `${lines(10_000)} (format *error-output* "bad") (format t "end")`,
      {
        outputChars: 10_000,
      },
    );
    expect(output.slice(-2)).toEqual([
      ['stderr', 'bad'],
      ['stdout', 'end'],
    ]);
  });

  it('without end does not flood the wire, and its last part arrives with the interrupt', async () => {
    const image = await startImage();
    let characters = 0;
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const settled = image.evaluate(
      '(loop for i from 0 do (format t "~9,\'0D~%" i))',
      { outputChars: 10_000 },
      (_, text) => {
        characters += text.length;
        resolve();
      },
    );
    await begun;
    // Meanwhile the wire carries other queries.
    await image.image.knowledge?.find({ kind: 'unsaved', query: '', limit: 1 });
    await image.interrupt('cooperative');
    expect((await settled).outcome).toBe('interrupted');
    expect(characters).toBeLessThan(10_000 + 2 * PIECE);
  });

  it('in the buffer arrives before the debugger and before a question', async () => {
    const image = await startImage();
    let text = '';
    const asked = await image.evaluate(
      `${lines(10_000)} (read-line)`,
      { outputChars: 10_000, input: async () => (text.endsWith('000009999\n') ? 'seen' : 'not seen') },
      (_stream, piece) => {
        text += piece;
      },
    );
    expect(asked.values.at(-1)?.[0]).toBe('"seen"');
    const { promise: held, resolve } = Promise.withResolvers<string>();
    let shown = '';
    const settled = image.image.evaluate(
      { id: 901, code: `${lines(10_000)} (error "hold")`, onError: 'debug', outputChars: 10_000 },
      (_stream, piece) => {
        shown += piece;
      },
      { suspended: () => resolve(shown), exited: () => undefined },
    );
    expect(await held).toMatch(/000009999\n$/);
    await image.image.debugger?.abort(0);
    await settled;
  });

  it('of child processes is limited too', async () => {
    const image = await startImage();
    const code = `(sb-ext:run-program "/bin/sh" '("-c" "head -c 3000000 /dev/zero | tr '\\\\0' x") :output t)`;
    const { outcome, stdout, notes } = await image.evaluate(code, { outputChars: 10_000 });
    expect(outcome).toBe('ok');
    expect(stdout).toBe('x'.repeat(10_000));
    expect(notes).toContainEqual(
      expect.stringMatching(/characters of foreign code and child processes exceeded the output limit/),
    );
  });

  it('of a thread between two evaluations counts against the earlier one', async () => {
    const image = await startImage();
    await image.evaluate(
      `(defvar *writer* (sb-thread:make-thread (lambda () ${lines(200_000)} (finish-output))))`,
      { outputChars: 10_000 },
    );
    const { values, stdout } = await image.evaluate('(progn (sb-thread:join-thread *writer*) :joined)');
    expect(values).toEqual([[':JOINED']]);
    expect(stdout.endsWith('000199999\n')).toBe(true);
  });

  it('in the buffer of an image that dies is reported as lost', async () => {
    const image = await startImage();
    const { outcome, notes } = await image.evaluate(`${lines(10_000)} (sb-ext:exit :code 3 :abort t)`, {
      outputChars: 10_000,
    });
    expect(outcome).toBe('crashed');
    expect(notes).toContainEqual(expect.stringMatching(/lost with the image/));
  });
});

it('an image has the requested heap', async () => {
  const image = new TestImage(await engine().start({ ...(await startRequest()), heapMiB: 300 }));
  const { values } = await image.evaluate('(ash (sb-ext:dynamic-space-size) -20)');
  await image.image.end();
  expect(values).toEqual([['300']]);
});
