/** The listener over a real session: what is typed while code reads goes to that code, as at a terminal. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { History } from '../../electron/history/history';
import { SessionEvents } from '../../electron/sessions/events';
import { HistoryJournal } from '../../electron/sessions/journal';
import { Listener } from '../../electron/sessions/listener';
import { Session } from '../../electron/sessions/session';
import { temporaryFolder } from '../unit/history-folder';
import { startImage } from './sbcl-fixture';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface Shown {
  session: Session;
  listener: Listener;
  /** Resolves when the listener has shown `text`, counted from the beginning. */
  shown: (text: string) => Promise<void>;
}

async function startListener(): Promise<Shown> {
  const { image } = await startImage();
  const history = new History(path.join(temporaryFolder(), 'history.db'), pathToFileURL('unused.js'));
  onTestFinished(() => history.close());
  const events = new SessionEvents();
  const identity = {
    id: 'typed',
    engine: 'sbcl',
    name: 'typed',
    client: 'you',
    project: '/',
    openedAt: 0,
  } as const;
  const again = () => Promise.reject(new Error('the image must not end'));
  const session = new Session(identity, image, again, new HistoryJournal(history, events, silent));
  const listener = new Listener(session, events, 'you');
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
    '(progn (format t "name? ") (finish-output) (list (read-line) (y-or-n-p "sure?")))',
  );
  await shown('name? ');
  await listener.submit('Ada');
  await shown('(y or n) ');
  await listener.submit('y');
  await evaluated;
  await listener.submit('(+ 1 2)');
  expect(listener.transcript).toMatch(
    /^\* \(progn .*\nname\? Ada\n\s*sure\? \(y or n\) y\n\("Ada" T\)\n\* \(\+ 1 2\)\n3\n\* $/,
  );
});

it('gives code that reads what was typed ahead', async () => {
  const { listener } = await startListener();
  await Promise.all([
    listener.submit('(list (read-line) (read-line))'),
    listener.submit('one'),
    listener.submit('two'),
  ]);
  expect(listener.transcript).toBe('* (list (read-line) (read-line))\none\ntwo\n("one" "two")\n* ');
});

it('evaluates what is typed after a wait that was interrupted', async () => {
  const { session, listener, shown } = await startListener();
  const waiting = listener.submit('(progn (format t "name? ") (read-line))');
  await shown('name? ');
  await session.interrupt();
  await waiting;
  await listener.submit('(+ 1 2)');
  expect(listener.transcript).toMatch(/; Evaluation interrupted\.\n\* \(\+ 1 2\)\n3\n\* $/);
});

it('shows warnings where they came', async () => {
  const { listener } = await startListener();
  await listener.submit('(progn (format t "before") (warn "careful") (format t "after") 7)');
  expect(listener.transcript).toMatch(/\nbefore\n; WARNING: careful\nafter\n7\n\* $/);
});
