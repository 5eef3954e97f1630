/** SLIME's debugger and interrupts: they are for what Emacs evaluates, and ours for what the agent does. */
import { expect, it } from 'vitest';
import { PATIENT } from '../started-harbor';
import { evaluate } from './sessions-fixture';
import { attachedSession, valuesOf } from './slime-fixture';

const attached = attachedSession();

it('shows an error of Emacs in SLDB, with its restarts', async () => {
  const { session, emacs } = attached();
  await evaluate(session, '(defvar *done* nil)').settled;
  await emacs.begin('(restart-case (error "no such ~A" :quay) (use-another () (setf *done* :another)))');
  const debuggerShown = await emacs.do('(test-debugger)');
  expect(debuggerShown).toMatch(/^\(1 "no such QUAY" \("USE-ANOTHER" .*"\*?ABORT"/);
  expect(await valuesOf(session, '*done*')).toEqual(['NIL']);
  await emacs.do('(test-restart "USE-ANOTHER")');
  await expect.poll(() => valuesOf(session, '*done*'), PATIENT).toEqual([':ANOTHER']);
});

it('leaves the errors of the agent, and of its threads, to the agent', async () => {
  const { session, emacs } = attached();
  const failed = await evaluate(session, '(error "of the agent")').settled;
  expect(failed).toMatchObject({ outcome: 'error', condition: { message: 'of the agent' } });
  const thread = `(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "in a thread"))) :default :ended)`;
  expect(await evaluate(session, thread).settled).toMatchObject({
    forms: [{ values: [':ENDED', expect.any(String)] }],
    stderr: expect.stringContaining('in a thread'),
  });
  expect(await emacs.do('(sldb-buffers)')).toBe('nil');
});

it('holds an evaluation of the agent while SLDB holds one of Emacs', async () => {
  const { session, emacs } = attached();
  await emacs.begin('(error "of Emacs")');
  await emacs.do('(test-debugger)');
  const request = {
    client: 'tester',
    grant: null,
    kind: 'eval',
    code: '(error "of the agent")',
    onError: 'debug',
  } as const;
  const held = session.evaluate(request);
  expect(await held.settledOrSuspended).toBeNull();
  expect(held.condition).toMatchObject({ message: 'of the agent', level: 1 });
  await emacs.do('(test-restart "*ABORT")');
  await session.debugger('tester').abort(0);
  expect((await held.settled).outcome).toBe('error');
  expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
});

it('interrupts what was asked to be interrupted', async () => {
  const { sessions, session, emacs } = attached();
  await evaluate(session, '(defvar *begun* nil)').settled;
  await emacs.begin('(progn (setf *begun* t) (loop))');
  await expect.poll(() => valuesOf(session, '*begun*'), PATIENT).toEqual(['T']);
  let printed = '';
  sessions.events.on('output', ({ text }) => {
    printed += text;
  });
  const looping = evaluate(session, '(princ "running") (loop)');
  await expect.poll(() => printed, PATIENT).toBe('running');
  await emacs.do('(slime-interrupt)');
  expect(await emacs.do('(test-debugger)')).toMatch(/Interrupt/);
  expect(session.running?.id).toBe(looping.id);
  await session.interrupt('tester');
  expect(await looping.settled).toMatchObject({ outcome: 'interrupted', stdout: 'running' });
  await emacs.do('(test-restart "*ABORT")');
  expect(await emacs.evaluate('(+ 1 2)')).toBe('("" "3")');
  expect(session.generation).toBe(1);
});
