/** Interrupting evaluations in a Swank server, and what remains when the connection ends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Image, ImageOutcome } from '../../electron/images/image';
import { PATIENT } from '../started-harbor';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { attach, evaluate, hold } from './swank-fixture';

let server: SwankServer;

beforeAll(async () => {
  server = await SwankServer.start();
}, COMPILING_MS);
afterAll(() => server.stop());

/** An evaluation that says when it runs. */
async function running(
  image: Image,
  id: number,
  code: string,
  level = 0,
): Promise<{ outcome: Promise<ImageOutcome> }> {
  const runs = Promise.withResolvers<void>();
  const request = { id, code: `(progn (write-string "in") (finish-output) ${code})`, level };
  const outcome = image.evaluate(request, () => runs.resolve());
  await runs.promise;
  return { outcome };
}

describe('an interrupt', () => {
  it.each([
    '(loop)',
    '(sleep 100)',
    '(loop (ignore-errors (loop)))',
    '(loop (handler-case (loop) (condition () nil)))',
    '(read-line (make-two-way-stream (swank/backend:make-input-stream (lambda () (sleep 100) "")) *standard-output*))',
  ])('stops %s and keeps all state', async (code) => {
    const image = await attach(server.port);
    await evaluate(image, '(defvar *state* 7)');
    const { outcome } = await running(image, 1, code);
    expect(await image.interrupt(1, 'cooperative')).toBe(true);
    expect(await outcome).toMatchObject({ outcome: 'interrupted', condition: null });
    expect((await evaluate(image, '*state*')).values).toEqual(['7']);
  });

  it('that is insistent ends code that loops in its cleanups', async () => {
    const image = await attach(server.port);
    const { outcome } = await running(image, 1, '(unwind-protect (loop) (loop))');
    await image.interrupt(1, 'cooperative');
    expect(await image.interrupt(1, 'insistent')).toBe(true);
    expect((await outcome).outcome).toBe('interrupted');
  });

  it('of an evaluation that is over changes nothing', async () => {
    const image = await attach(server.port);
    const { outcome } = await running(image, 1, '(sleep 0.01)');
    await outcome;
    expect(await image.interrupt(1, 'cooperative')).toBe(true);
    expect((await evaluate(image, '(+ 1 2)')).values).toEqual(['3']);
  });

  it('that comes too late never hits the next evaluation', async () => {
    const image = await attach(server.port);
    for (let round = 1; round <= 20; round += 1) {
      const first = image.evaluate({ id: 2 * round, code: '(sleep 0.002)' }, () => undefined);
      const interrupted = image.interrupt(2 * round, 'cooperative');
      expect(['ok', 'interrupted']).toContain((await first).outcome);
      await interrupted;
      const second = await image.evaluate(
        { id: 2 * round + 1, code: '(progn (sleep 0.02) 42)' },
        () => undefined,
      );
      expect(second.forms).toEqual([expect.objectContaining({ values: ['42'] })]);
    }
  });

  it('of code that waits for a person gives up its question', async () => {
    const image = await attach(server.port);
    const asked = Promise.withResolvers<void>();
    const outcome = image.evaluate(
      {
        id: 1,
        code: '(read-line)',
        input: () => {
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
      () => undefined,
    );
    await asked.promise;
    await image.interrupt(1, 'cooperative');
    expect((await outcome).outcome).toBe('interrupted');
    expect((await evaluate(image, '(+ 1 2)')).values).toEqual(['3']);
  });

  it('at a debugger level goes back to that level', async () => {
    const image = await attach(server.port);
    const { id, outcome } = await hold(image, '(car 1)');
    const { outcome: inner } = await running(image, id + 1000, '(loop)', 1);
    await image.interrupt(id + 1000, 'cooperative');
    expect((await inner).outcome).toBe('interrupted');
    expect((await image.debugger?.show({ offset: 0, limit: 5 }))?.levels).toHaveLength(1);
    await image.debugger?.abort(0);
    expect((await outcome).outcome).toBe('error');
  });
});

describe('the end of a connection', () => {
  it('leaves the server running, with what was defined', async () => {
    const image = await attach(server.port);
    await evaluate(image, '(defvar *left-behind* :here)');
    await image.end();
    expect(await image.ended).toMatchObject({ expected: true });
    expect(server.running).toBe(true);
    const again = await attach(server.port);
    expect((await evaluate(again, '*left-behind*')).values).toEqual([':HERE']);
  });

  it('ends what ran in its thread, and tells', async () => {
    const image = await attach(server.port);
    const { outcome } = await running(image, 1, '(loop (sleep 0.01))');
    await image.end();
    expect(await outcome).toMatchObject({ outcome: 'crashed' });
    const other = await attach(server.port);
    const threads = async () =>
      (
        await evaluate(
          other,
          '(count "repl-thread" (swank:list-threads) :test (lambda (n r) (and (listp r) (find n r :test (function equal)))))',
        )
      ).values[0];
    await expect.poll(threads, PATIENT).toBe('1');
  });

  it('with evaluations that are held settles them all', async () => {
    const image = await attach(server.port);
    const outer = await hold(image, '(car 1)');
    const inner = await hold(image, '(car 2)', { level: 1 });
    await image.end();
    expect((await outer.outcome).outcome).toBe('crashed');
    expect((await inner.outcome).outcome).toBe('crashed');
  });

  it('is told when the server crashes', async () => {
    const own = await SwankServer.start();
    const image = await attach(own.port);
    const { outcome } = await running(image, 1, '(loop (sleep 0.01))');
    await own.stop();
    const crashed = await outcome;
    expect(crashed.outcome).toBe('crashed');
    expect(noteTexts(crashed.notes).join()).toMatch(/is lost: .*nothing listens there any more/);
    expect(await image.ended).toMatchObject({ expected: false });
    expect((await evaluate(image, '1')).outcome).toBe('crashed');
    await expect(image.knowledge?.describe({ symbol: 'car' })).rejects.toMatchObject({ code: 'image_lost' });
  });
});

describe('a server without threads', () => {
  it('evaluates, and says that it cannot be interrupted', async () => {
    const single = await SwankServer.start({ style: 'nil' });
    const image = await attach(single.port);
    expect(noteTexts(image.introduction ?? []).join()).toMatch(
      /no threads: a running evaluation cannot be interrupted/,
    );
    expect((await evaluate(image, '(+ 1 2) (list :a)')).values).toEqual(['3', '(:A)']);
    const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-swank-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const go = path.join(folder, 'go');
    const { outcome } = await running(image, 5, `(loop until (probe-file "${go}") do (sleep 0.01))`);
    expect(await image.interrupt(5, 'cooperative')).toBe(false);
    expect(await image.interrupt(5, 'insistent')).toBe(false);
    writeFileSync(go, '');
    expect((await outcome).outcome).toBe('ok');
    const failed = await evaluate(image, '(car 1)');
    expect(failed).toMatchObject({ outcome: 'error', condition: { type: 'TYPE-ERROR' } });
    await image.end();
    await single.stop();
  });
});
