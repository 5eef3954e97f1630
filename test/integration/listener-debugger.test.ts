/** A listener on a real SBCL: the engine's prompts, values, and its debugger as a person types at it. */
import { describe, expect, it } from 'vitest';
import { Listener } from '../../electron/sessions/listener';
import { PATIENT } from '../started-harbor';
import { evaluate, sessionsFixture } from './sessions-fixture';

async function listener() {
  const { sessions, open } = sessionsFixture();
  const session = await open();
  const typed = new Listener(session, sessions.events, 'you');
  /** What is shown for what is typed, from the line's end to the next prompt. */
  const type = async (text: string) => {
    const before = typed.transcript.length + text.length + 1;
    await typed.submit(text);
    return typed.transcript.slice(before);
  };
  return { session, typed, type };
}

describe('a listener', () => {
  it('says that nothing confines the image, then shows output, values and the prompt', async () => {
    const { typed, type } = await listener();
    expect(typed.transcript).toBe('; not sandboxed: a test\n* ');
    expect(await type('(progn (write-line "x > y") (values 1 2))')).toBe('x > y\n1\n2\n* ');
  });

  it('waits for the rest of a form', async () => {
    const { type } = await listener();
    expect(await type('(list 1')).toBe('');
    expect(await type('2)')).toBe('(1 2)\n* ');
  });
});

describe('an error at a listener', () => {
  const TWO_WAYS = '(+ 1 (restart-case (error "bad") (seven () 7) (use-value (v) v)))';

  it('shows the condition, the restarts and the prompt of the level', async () => {
    const { session, type } = await listener();
    expect(await type(TWO_WAYS)).toBe(`debugger invoked on a SIMPLE-ERROR:
  bad

restarts (type a number to take one):
  0: [SEVEN] SEVEN
  1: [USE-VALUE] USE-VALUE
  2: [ABORT] Return to the top level.

(EVAL (+ 1 (RESTART-CASE # # #)))
0] `);
    expect(session.view().state).toBe('debugger');
  });

  it('takes the restart whose number is typed', async () => {
    const { session, type } = await listener();
    await type(TWO_WAYS);
    expect(await type('0')).toMatch(/^8\n; It was held .* went on by SEVEN\.\n\* $/);
    expect(session.view().state).toBe('idle');
    expect(await type('0')).toBe('0\n* ');
  });

  it('asks for the value that a restart wants', async () => {
    const { type } = await listener();
    await type(TWO_WAYS);
    expect(await type('1')).toBe('Enter a form for the value: ');
    expect(await type('(* 2 20)')).toMatch(/^41\n; It was held .*\n\* $/);
  });

  it('evaluates at its level, and goes one level deeper', async () => {
    const { type } = await listener();
    await type(TWO_WAYS);
    expect(await type('(+ 1 2)')).toBe('3\n0] ');
    expect(await type('(error "deeper")')).toMatch(
      /deeper[\s\S]*0: \[ABORT\] Return to debugger level 1\.[\s\S]*\n1\] $/,
    );
    expect(await type('0')).toMatch(/\n?0\] $/);
    expect(await type('2')).toBe('* ');
  });

  it('shows what is printed after the restart', async () => {
    const { type } = await listener();
    await type('(progn (cerror "Go on." "stop") (write-line "after") 1)');
    expect(await type('0')).toMatch(/^after\n1\n; .*\n\* $/);
  });

  it('says of a number that there is no such restart', async () => {
    const { type } = await listener();
    await type('(error "bad")');
    expect(await type('7')).toMatch(/^; There is no restart 7; there are \d, from 0\.\n0\] $/);
  });
});

it('what is typed at a prompt is not evaluated at a level that somebody opened meanwhile', async () => {
  const { session, type } = await listener();
  const agent = session.evaluate({
    client: 'agent',
    grant: null,
    kind: 'eval',
    code: '(error "agent")',
    onError: 'debug',
  });
  await expect.poll(() => agent.condition?.message, PATIENT).toBe('agent');
  expect(await type('(defvar *mine* 1)')).toMatch(
    /^; The session is suspended at debugger level 1[\s\S]*\n0\] $/,
  );
  expect(await type("(boundp '*mine*)")).toBe('NIL\n0] ');
  expect(await type('0')).toBe('; A person at the window chose the restart ABORT.\n* ');
  expect((await agent.settled).outcome).toBe('error');
  expect((await evaluate(session, '(+ 1 2)').settled).outcome).toBe('ok');
});
