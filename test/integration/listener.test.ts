/** The listener over a real session: what is typed while code reads goes to that code, as at a terminal. */
import { expect, it } from 'vitest';
import { Listener } from '../../electron/sessions/listener';
import type { Session } from '../../electron/sessions/session/session';
import { sessionsFixture } from './sessions-fixture';

interface Shown {
  session: Session;
  listener: Listener;
  /** Resolves when the listener has shown `text`, counted from the beginning: not what is in the code that was typed. */
  shown: (text: string) => Promise<void>;
}

async function startListener(): Promise<Shown> {
  const { sessions, open } = sessionsFixture();
  const session = await open();
  const listener = new Listener(session, sessions.events, 'you');
  const shown = async (text: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => listener.transcript.includes(text) && resolve();
    listener.on('output', look);
    look();
    await promise;
    listener.off('output', look);
  };
  return { session, listener, shown };
}

it('gives the next line to code that reads, then evaluates again', async () => {
  const { listener, shown } = await startListener();
  const evaluated = listener.submit(
    '(progn (format t "~(NAME~)? ") (finish-output) (list (read-line) (y-or-n-p "sure?")))',
  );
  await shown('name? ');
  await listener.submit('Ada');
  await shown('(y or n) ');
  await listener.submit('y');
  await evaluated;
  await listener.submit('(+ 1 2)');
  expect(listener.transcript).toMatch(
    /\n\* \(progn .*\nname\? Ada\n\s*sure\? \(y or n\) y\n\("Ada" T\)\n\* \(\+ 1 2\)\n3\n\* $/,
  );
});

it('gives code that reads what was typed ahead', async () => {
  const { listener } = await startListener();
  await Promise.all([
    listener.submit('(list (read-line) (read-line))'),
    listener.submit('one'),
    listener.submit('two'),
  ]);
  expect(listener.transcript).toBe(
    '; not sandboxed: a test\n* (list (read-line) (read-line))\none\ntwo\n("one" "two")\n* ',
  );
});

it('evaluates what is typed after a wait that was interrupted', async () => {
  const { session, listener, shown } = await startListener();
  const waiting = listener.submit('(progn (format t "~(NAME~)? ") (read-line))');
  await shown('name? ');
  await session.interrupt('you');
  await waiting;
  await listener.submit('(+ 1 2)');
  expect(listener.transcript).toMatch(
    /; Evaluation interrupted\.\n; It was interrupted in .*\n\* \(\+ 1 2\)\n3\n\* $/,
  );
});

it('shows warnings where they came', async () => {
  const { listener } = await startListener();
  await listener.submit('(progn (format t "before") (warn "careful") (format t "after") 7)');
  expect(listener.transcript).toMatch(/\nbefore\n; WARNING: careful\nafter\n7\n\* $/);
});

it('takes back all that waits, in its order, and interrupts what runs only after that', async () => {
  const { listener, shown } = await startListener();
  const looping = listener.submit('(progn (princ (+ 40 2)) (finish-output) (loop (sleep 0.1)))');
  await shown('\n42');
  const waiting = [listener.submit('(+ 1 1)'), listener.submit('(+ 2 2)')];
  expect(await listener.undo()).toEqual({ took: 'typed', text: '(+ 1 1)\n(+ 2 2)' });
  await Promise.all(waiting);
  expect(listener.view).toMatchObject({ typed: [], evaluation: listener.latest?.id });
  expect(await listener.undo()).toEqual({ took: 'running', text: null });
  await looping;
  expect(await listener.undo()).toEqual({ took: 'nothing', text: null });
});
