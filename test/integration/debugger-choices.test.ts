/** Who lets go on what another client has held is told there, and only there; and where frames of files and of evaluations are. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { PERSON_KEY } from '../../electron/contract/known-clients';
import { noteTexts } from '../../electron/contract/note';
import { shownSource } from '../../electron/sessions/frames';
import type { RunningEvaluation } from '../../electron/sessions/session/pending-evaluations';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { type SessionsFixture, sessionsFixture } from './sessions-fixture';

let fixture: SessionsFixture;
let session: Session;

beforeAll(async () => {
  let giveBack = async () => {};
  fixture = sessionsFixture({}, (give) => {
    giveBack = give;
  });
  session = await fixture.open();
  return () => giveBack();
});

async function hold(code: string, client = 'agent'): Promise<RunningEvaluation> {
  const level = session.level > 0 ? { level: session.level } : {};
  const held = session.evaluate({ client, grant: null, kind: 'eval', code, onError: 'debug', ...level });
  await expect.poll(() => held.condition?.message, PATIENT).toBeDefined();
  return held;
}

const act = (client: string) => ({ client, grant: null, tool: 'debug', code: 'restart' });
const FAILS = '(restart-case (error "first") (go-on () :first))';
const notes = async (evaluation: RunningEvaluation) => noteTexts((await evaluation.settled).notes).join('\n');

it('the notes say what somebody else chose', async () => {
  const held = await hold(FAILS);
  await (await session.debuggerFor(act(PERSON_KEY))).restart({ restart: 0 });
  expect(await notes(held)).toContain('A person at the window chose the restart GO-ON.');
  const mine = await hold(FAILS);
  await (await session.debuggerFor(act('agent'))).restart({ restart: 0 });
  expect(await notes(mine)).not.toContain('chose');
});

it('they say nothing where the restart is refused, or the level outside stays', async () => {
  const outer = await hold(FAILS);
  const inner = await hold('(error "second")');
  const other = await session.debuggerFor(act('other'));
  await expect(other.restart({ restart: 'none-such' })).rejects.toMatchObject({ code: 'bad_arguments' });
  await session.debugger('other').abort(1);
  expect(await notes(inner)).toContain('other chose to abort to level 1.');
  await (await session.debuggerFor(act('agent'))).restart({ restart: 'go-on' });
  expect(await notes(outer)).not.toContain('chose');
});

it('a frame is shown in the text of its file, or of the evaluation that defined it', async () => {
  const file = path.join(fixture.project, 'depth.lisp');
  writeFileSync(
    file,
    '(defvar *low* 1)\n\n(defun depth (x)\n  (list (car x)\n        (car (list :deep x))\n        (sqrt x)))\n',
  );
  const define = (code: string) =>
    session.evaluate({ client: 'agent', grant: null, kind: 'eval', code }).settled;
  await define(`(load ${JSON.stringify(file)})`);
  const { id } = await define('(defvar *𝛼* 2)\n(defun measured (x)\n  (list :x (depth x)))');
  await hold("(measured 'buoy)");
  const shown = async (call: RegExp) => {
    const { frames } = await session.debugger('agent').show({ offset: 0, limit: 20 });
    const index = frames.findIndex((frame) => call.test(frame.call));
    const { source } = await session.debugger('agent').frame(index);
    return shownSource(source, fixture.project, (row) => fixture.history.evaluations.find(row));
  };
  expect(await shown(/^\(MEASURED/)).toMatchObject({
    running: '(depth x)',
    before: '(defun measured (x)\n  (list :x ',
    line: 2,
    evaluation: id,
    file: null,
  });
  expect(await shown(/^\(DEPTH/)).toMatchObject({ running: '(car x)', line: 3, file, evaluation: null });
  await session.debugger('agent').abort(0);
});

it('a level has the frames of its own evaluation alone', async () => {
  session = await fixture.open();
  const define = '(defun inner (x) (car x)) (defun outer (x) (list (inner x)))';
  await session.evaluate({ client: 'agent', grant: null, kind: 'eval', code: define }).settled;
  const frames = async (code: string) => (await hold(code)).condition?.frames.map(({ call }) => call);
  // A trap of the machine holds the outermost, calls of ERROR some of the others.
  expect(await frames('(outer 20)')).toEqual(['(INNER 20)', '(OUTER 20)']);
  expect(await frames('(error "nested")')).toEqual(['(EVAL (ERROR "nested"))']);
  expect(await frames('(outer 30)')).toEqual(['(INNER 30)', '(OUTER 30)']);
  expect(await frames('(parse-integer "x")')).toEqual([expect.stringMatching(/^\(PARSE-INTEGER "x"/)]);
});
