/**
 * Code that never ends by itself, until its caller cancels it: if an interrupt reaches it, the state is
 * preserved; otherwise the image is ended, and the session reports what was restored.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Evaluation } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { DEFINITIONS_RETURN } from '../../electron/sessions/session/session-image';
import { sampled } from '../rounds';
import { PATIENT } from '../started-harbor';
import { evaluate, sessionsFixture } from './sessions-fixture';

/** Reports that the code is at the intended place, in a way that works even if printing does not. */
const READY = '(close (open "ready" :direction :output))';

/** Blocks without using a processor, which other tests need. */
const STUCK = '(loop (sleep 1))';

/** Evaluates `code` and cancels it when it prints READY. Concurrent tests name themselves. */
async function cancelled(
  code: string,
  context?: TestContext,
): Promise<{ session: Session; row: Evaluation }> {
  const { open, project } = sessionsFixture({}, context?.onTestFinished);
  const session = await open();
  await evaluate(session, '(defvar *kept* 7) (setf *kept* 8)').settled;
  const evaluation = evaluate(session, code);
  // Of its own test: the global one belongs to whichever of several concurrent tests is current.
  await (context?.expect ?? expect).poll(() => existsSync(`${project}/ready`), PATIENT).toBe(true);
  expect(await session.cancel(evaluation)).toBe(true);
  return { session, row: await evaluation.settled };
}

/** Evaluates `code`, and cancels it if it does not end. */
async function endOf(session: Session, code: string): Promise<Evaluation> {
  const evaluation = evaluate(session, code);
  const row = await evaluation.within(3_000);
  if (row) return row;
  await session.cancel(evaluation);
  return evaluation.settled;
}

const next = async (session: Session) => {
  const { forms, notes } = await evaluate(session, '(list (+ 1 2) *kept*)').settled;
  return { values: forms[0]?.values, fresh: notes.some(({ kind }) => kind === 'new_image') };
};

const INTERRUPTED = [
  ['while it reads', `(progn ${READY}) #.(loop)`],
  ['while it compiles', `(compile nil '(lambda () (macrolet ((slow () ${READY} (loop))) (slow))))`],
  ['while it expands a macro', `(defmacro slow () ${READY} (loop)) (slow)`],
  [
    'while it writes without end',
    `(progn ${READY} (loop (write-line "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")))`,
  ],
  ['while it warns without end', `(progn ${READY} (loop (warn "again")))`],
  ['while it errs without end', `(progn ${READY} (loop (handler-case (error "x") (error () nil))))`],
  ['in one long computation', `(progn ${READY} (expt 10 30000000) 1)`],
  [
    'while it waits for a lock',
    `(let ((m (sb-thread:make-mutex)) (s (sb-thread:make-semaphore)))
     (sb-thread:make-thread (lambda () (sb-thread:grab-mutex m) (sb-thread:signal-semaphore s) (sleep 60)))
     (sb-thread:wait-on-semaphore s) ${READY} (sb-thread:grab-mutex m))`,
  ],
  ['in C code that sleeps', `(progn ${READY} (alien-funcall (extern-alien "sleep" (function int int)) 100))`],
  ['in its cleanups', `(unwind-protect (progn ${READY} (loop)) ${STUCK})`],
  ['in the cleanups of an exit', `(unwind-protect (sb-ext:exit) ${READY} (loop))`],
] as const;

describe('is interrupted, its state kept', () => {
  it.each(sampled('interrupted', INTERRUPTED, 4))('%s', async (_what, code) => {
    const { session, row } = await cancelled(code);
    expect(row.outcome).toBe('interrupted');
    expect(await next(session)).toEqual({ values: ['(3 8)'], fresh: false });
  });
});

const COSTLY = [
  ['in a loop without interrupts', `(sb-sys:without-interrupts ${READY} (loop))`],
  ['without collection', `(sb-sys:without-gcing ${READY} ${STUCK})`],
  [
    'with its process stopped',
    `(sb-sys:without-interrupts ${READY} (sb-unix:unix-kill (sb-unix:unix-getpid) 19) (sleep 60))`,
  ],
  [
    "with SBCL's stop-the-world signal to itself",
    `(progn (sb-unix:unix-kill (sb-unix:unix-getpid) sb-unix:sigusr2) ${READY} ${STUCK})`,
  ],
  [
    "with the wire's lock held",
    `(progn (sb-thread:grab-mutex lisp-harbor-agent::*wire-lock*) ${READY} ${STUCK})`,
  ],
] as const;

// Concurrently, because each waits for all interrupt steps.
describe.concurrent('costs its image', () => {
  it.for(sampled('costs its image', COSTLY, 2))('%s, which is said', async ([, code], context) => {
    const { session, row } = await cancelled(code, context);
    expect(row.outcome).toBe('interrupted');
    expect(noteTexts(row.notes)).toContain(DEFINITIONS_RETURN);
    expect(await next(session)).toEqual({ values: ['(3 7)'], fresh: true });
  });

  it('or not: what writes past an array ends in one way or another, and the session evaluates again or is said to be lost', async ({
    onTestFinished,
  }) => {
    const session = await sessionsFixture({}, onTestFinished).open();
    const rows = [
      await endOf(
        session,
        `(let ((a (make-array 4)))
           (declare (optimize (safety 0) (speed 3)) (type (simple-vector 4) a))
           (dotimes (i 400000) (setf (svref a i) #x123456789abcdef)))`,
      ),
    ];
    // The damage may show in any later evaluation, until the image ends.
    while (rows.at(-1)?.forms[0]?.values[0] !== '3' && rows.length < 5)
      rows.push(await endOf(session, '(+ 1 2)'));
    expect(rows.at(-1)).toMatchObject({ outcome: 'ok', forms: [{ values: ['3'] }] });
    for (const { outcome, notes } of rows.slice(0, -1)) {
      const lost = notes.some(({ text }) => text === DEFINITIONS_RETURN);
      expect(lost || outcome === 'ok' || outcome === 'error').toBe(true);
    }
  });

  it('what redefines WRITE-CHAR kills its image or silences it, which a cancel ends; the session evaluates again', async ({
    onTestFinished,
  }) => {
    const session = await sessionsFixture({}, onTestFinished).open();
    await evaluate(session, '(defvar *kept* 7)').settled;
    const code = '(sb-ext:unlock-package :cl) (defun write-char (&rest a) a 42) (list 1 2)';
    const { outcome, notes } = await endOf(session, code);
    const lost = notes.some(({ text }) => text === DEFINITIONS_RETURN);
    // On a slow machine the cancel arrives before the new WRITE-CHAR is defined, and the image survives.
    expect(lost ? ['crashed', 'interrupted'] : ['interrupted']).toContain(outcome);
    expect(await next(session)).toEqual({ values: ['(3 7)'], fresh: lost });
  });
});
