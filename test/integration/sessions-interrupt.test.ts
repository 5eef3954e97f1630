/** The interrupt ladder of a session on a real SBCL: what keeps the state, and what is ended and said to be. */

import { describe, expect, it } from 'vitest';
import { PERSON_KEY } from '../../electron/contract/known-clients';
import { noteTexts } from '../../electron/contract/note';
import { DEFINITIONS_RETURN } from '../../electron/sessions/session/session-image';
import { PATIENT } from '../started-harbor';
import { evaluate, sessionsFixture } from './sessions-fixture';

const READY = '(write-line "ready") (finish-output)';

/** A session with *KEPT*, in which `code` runs; it is READY. */
async function running(code: string) {
  const { sessions, open } = sessionsFixture();
  const session = await open();
  await evaluate(session, '(defvar *kept* 7)').settled;
  let printed = '';
  sessions.events.on('output', ({ text }) => {
    printed += text;
  });
  const evaluation = evaluate(session, code);
  await expect.poll(() => printed, PATIENT).toContain('ready');
  return { session, evaluation };
}

/** As long as a collector may stop it that has a big heap to copy. */
const SILENT = '(progn (sb-thread:interrupt-thread (sb-thread:main-thread) (lambda () (sleep 3))) (loop))';

const FOREIGN_SLEEP =
  '(sb-alien:alien-funcall (sb-alien:extern-alien "sleep" (function sb-alien:int sb-alien:int)) 100)';

describe('an interrupt keeps the state', () => {
  it.each([
    ['of a loop', '(loop)'],
    ['of a foreign call that waits', FOREIGN_SLEEP],
    ['of a cleanup form that loops', '(unwind-protect (loop) (loop))'],
    ['of a stretch without interrupts that ends', '(sb-sys:without-interrupts (sleep 1))'],
    ['of an image that answers nothing for seconds', SILENT],
    ['of what handles every condition', '(loop (handler-case (loop) (condition () nil)))'],
  ])('%s', async (_what, code) => {
    const { session, evaluation } = await running(`(progn ${READY} ${code})`);
    expect(await session.interrupt('tester')).toBe(true);
    expect((await evaluation.settled).outcome).toBe('interrupted');
    const kept = await evaluate(session, '*kept*').settled;
    expect(kept.forms.at(-1)?.values).toEqual(['7']);
    expect(session.view().generation).toBe(1);
  });
});

it('code without interrupts that never ends is ended with its image, which is said', async () => {
  const { session, evaluation } = await running(`(sb-sys:without-interrupts ${READY} (loop (sleep 1)))`);
  expect(await session.interrupt('tester')).toBe(true);
  const { outcome, notes } = await evaluation.settled;
  expect(outcome).toBe('interrupted');
  expect(noteTexts(notes).join()).toContain(DEFINITIONS_RETURN);
  const next = await evaluate(session, '*kept*').settled;
  expect(next.forms.at(-1)?.values).toEqual(['7']);
  expect(noteTexts(next.notes).join()).toContain('could only be stopped by ending its image');
});

it('whoever’s evaluation somebody else stops is told who', async () => {
  const byPerson = await running(`(progn ${READY} (loop))`);
  await byPerson.session.interrupt(PERSON_KEY);
  expect(noteTexts((await byPerson.evaluation.settled).notes)).toContain(
    'A person at the window stopped it.',
  );
  const bySelf = await running(`(progn ${READY} (loop))`);
  await bySelf.session.interrupt(bySelf.evaluation.row.client);
  expect(noteTexts((await bySelf.evaluation.settled).notes).join()).not.toContain('stopped');
});
