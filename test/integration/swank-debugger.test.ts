/** Swank's debugger in an attached server: evaluations are suspended, inspected and resumed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Image } from '../../electron/images/image';
import type { Debugger } from '../../electron/images/optional-groups';
import { form } from '../forms';
import { PATIENT } from '../started-harbor';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { attach, evaluate, hold } from './swank-fixture';

let server: SwankServer;

beforeAll(async () => {
  server = await SwankServer.start();
}, COMPILING_MS);
afterAll(() => server.stop());

const DEFINITIONS = `
(declaim (optimize (debug 3)))
(defun inner (z)
  (restart-case (error "bad ~S" z)
    (use-value (value) :report "Use a value." :interactive (lambda () (list (eval (read *query-io*)))) value)
    (add (a b) (+ a b))
    (seven () 7)))
(defun outer (x &optional (y 2))
  (let ((z (list x y)))
    (catch :tag (values (+ 1 (inner z))))))`;

function debuggerOf(image: Image): Debugger {
  if (!image.debugger) throw new Error('it has no debugger');
  return image.debugger;
}

async function held(more: Parameters<typeof hold>[2] = {}) {
  const image = await attach(server.port);
  await evaluate(image, DEFINITIONS);
  return { image, debug: debuggerOf(image), ...(await hold(image, '(outer 1)', more)) };
}

describe('a held evaluation', () => {
  it('tells its condition, restarts and frames, and what came before', async () => {
    const image = await attach(server.port);
    await evaluate(image, DEFINITIONS);
    const { held: told } = await hold(image, ':before (warn "w") (outer 1)');
    expect(told.condition).toMatchObject({ type: 'SIMPLE-ERROR', message: 'bad (1 2)', level: 1 });
    expect(told.condition.restarts.slice(0, 3)).toEqual([
      { index: 0, name: 'USE-VALUE', description: 'Use a value.', arguments: [] },
      { index: 1, name: 'ADD', description: 'ADD', arguments: [] },
      { index: 2, name: 'SEVEN', description: 'SEVEN', arguments: [] },
    ]);
    expect(told.forms.map(({ values }) => values)).toEqual([[':BEFORE'], ['NIL']]);
    expect(told.warnings).toHaveLength(1);
  });

  it('shows its levels and its stack page by page', async () => {
    const { debug, id } = await held();
    const view = await debug.show({ offset: 0, limit: 50 });
    expect(view.levels).toEqual([{ level: 1, evaluation: id, type: 'SIMPLE-ERROR', message: 'bad (1 2)' }]);
    expect(view.frames.slice(0, 2).map(({ call }) => call)).toEqual(['(INNER (1 2))', '(OUTER 1 2)']);
    expect(view.total).toBe(view.frames.length);
    expect(view.frames.map(({ call }) => call).join('\n')).not.toMatch(/SWANK/);
    const second = await debug.show({ offset: 1, limit: 1 });
    expect(second.frames).toEqual([{ index: 1, call: '(OUTER 1 2)' }]);
    expect(second.total).toBeGreaterThanOrEqual(view.total);
  });

  it('shows a frame with its locals, and evaluates there', async () => {
    const { debug, image } = await held();
    expect(await debug.frame(1)).toMatchObject({
      call: '(OUTER 1 2)',
      locals: [
        { name: 'X', value: '1' },
        { name: 'Y', value: '2' },
        { name: 'Z', value: '(1 2)' },
      ],
      catches: [':TAG'],
      restarts: ['RETURN-FROM-FRAME', 'RESTART-FRAME'],
    });
    const seen = await evaluate(image, '(list x y z) (setf y 40) y', { level: 1, frame: 1 });
    expect(seen.values).toEqual(['(1 2 (1 2))', '40', '40']);
    const wrong = await evaluate(image, '(car y)', { level: 1, frame: 1 });
    expect(wrong).toMatchObject({ outcome: 'error', condition: { type: 'TYPE-ERROR', level: 2 } });
    expect((await debug.show({ offset: 0, limit: 1 })).levels).toHaveLength(1);
    await expect(debug.frame(999)).rejects.toMatchObject({ code: 'bad_arguments', message: /no frame 999/ });
  });

  it.each([
    [{ restart: 2 }, '8', 'SEVEN'],
    [{ restart: 'seven' }, '8', 'SEVEN'],
    [{ restart: 'use-value', arguments: [form('(* 2 20)')] }, '41', 'USE-VALUE with (* 2 20)'],
    [{ restart: 'ADD', arguments: [form('40'), form('1')] }, '42', 'ADD with 40, 1'],
    [{ restart: 'RETURN-FROM-FRAME', frame: 1, arguments: [form('77')] }, '77', 'returning 77 from frame 1'],
  ])('goes on by %j', async (choice, value, told) => {
    const { debug, id, outcome } = await held();
    expect(await debug.restart(choice)).toEqual({ evaluation: id });
    const finished = await outcome;
    expect(finished).toMatchObject({ outcome: 'ok', condition: null });
    expect(finished.forms.at(-1)?.values).toEqual([value]);
    expect(noteTexts(finished.notes).join()).toContain(
      `suspended at debugger level 1 by SIMPLE-ERROR (bad (1 2)) and resumed by ${told}`,
    );
  });

  it('goes on by a restart that asks, and is answered as input is', async () => {
    const { debug, outcome } = await held({ input: async () => '(+ 1 1)' });
    await debug.restart({ restart: 'use-value' });
    expect((await outcome).forms.at(-1)?.values).toEqual(['3']);
  });

  it.each([
    [{ restart: 'use-value' }, /prompts for a value: pass `arguments`/],
    [{ restart: 'use-value', arguments: [form('(car 3)')] }, /TYPE-ERROR/],
    [{ restart: 'use-value', arguments: [form('1'), form('2')] }, /argument/],
    [{ restart: 99 }, /There is no restart 99/],
    [{ restart: 'none-such' }, /There is no restart none-such/],
  ])('is held as before when %j is refused', async (choice, message) => {
    const { debug, outcome } = await held();
    await expect(debug.restart(choice)).rejects.toMatchObject({
      code: 'bad_arguments',
      message: expect.stringMatching(message),
    });
    expect((await debug.show({ offset: 0, limit: 1 })).levels).toHaveLength(1);
    await debug.restart({ restart: 'seven' });
    expect((await outcome).notes.filter(({ kind }) => kind === 'debugger_left')).toHaveLength(1);
  });

  it('restarts a frame, as its function is defined now', async () => {
    const { debug, image, outcome } = await held();
    await evaluate(image, '(defun inner (z) (length z))', { level: 1 });
    await debug.restart({ restart: 'restart-frame', frame: 0 });
    expect((await outcome).forms.at(-1)?.values).toEqual(['3']);
  });

  it('is given up with its condition', async () => {
    const { debug, id, outcome } = await held();
    expect(await debug.abort(0)).toEqual({ evaluation: id });
    expect(await outcome).toMatchObject({ outcome: 'error', condition: { message: 'bad (1 2)' } });
  });

  it('is held anew when going on meets another error', async () => {
    const image = await attach(server.port);
    await evaluate(image, DEFINITIONS);
    const conditions: string[] = [];
    const twice = Promise.withResolvers<void>();
    const outcome = image.evaluate({ id: 77, code: '(outer 1)', onError: 'debug' }, () => undefined, {
      suspended: ({ condition }) => {
        conditions.push(`${condition.level} ${condition.type}`);
        if (conditions.length === 2) twice.resolve();
        else void debuggerOf(image).restart({ restart: 'use-value', arguments: [form(':none')] });
      },
      exited: () => undefined,
    });
    await twice.promise;
    expect(conditions).toEqual(['1 SIMPLE-ERROR', '1 TYPE-ERROR']);
    await debuggerOf(image).abort(0);
    expect((await outcome).outcome).toBe('error');
  });
});

describe('levels within each other', () => {
  it('are counted, left one by one, or all at once', async () => {
    const image = await attach(server.port);
    const debug = debuggerOf(image);
    const first = await hold(image, '(car 1)');
    const second = await hold(image, '(car 2)', { level: 1 });
    const third = await hold(image, '(car 3)', { level: 2 });
    expect(third.held.condition.level).toBe(3);
    expect((await debug.show({ offset: 0, limit: 1 })).levels.map(({ evaluation }) => evaluation)).toEqual([
      third.id,
      second.id,
      first.id,
    ]);
    expect((await evaluate(image, '(+ 1 2)', { level: 3 })).values).toEqual(['3']);
    expect(await debug.abort(2)).toEqual({ evaluation: third.id });
    expect((await third.outcome).outcome).toBe('error');
    expect((await evaluate(image, '(+ 2 2)', { level: 2 })).values).toEqual(['4']);
    expect(await debug.abort(0)).toEqual({ evaluation: first.id });
    expect((await second.outcome).outcome).toBe('error');
    expect((await first.outcome).outcome).toBe('error');
    expect((await evaluate(image, '(+ 3 2)')).values).toEqual(['5']);
  });

  it('are each connection’s own', async () => {
    const [one, other] = [await attach(server.port), await attach(server.port)];
    const { outcome } = await hold(one, '(car 1)');
    expect((await evaluate(other, '(+ 1 2)')).values).toEqual(['3']);
    await expect(debuggerOf(other).show({ offset: 0, limit: 1 })).rejects.toMatchObject({ code: 'not_held' });
    await debuggerOf(one).abort(0);
    await outcome;
  });
});

describe('an error in a thread that nobody asked anything', () => {
  it('is left to the server’s own debugger, and told', async () => {
    const own = await SwankServer.start();
    const image = await attach(own.port);
    const making = await evaluate(image, '(sb-thread:make-thread (lambda () (error "astray")))');
    await expect.poll(() => own.printed, PATIENT).toMatch(/astray/);
    const after = await evaluate(image, '1');
    expect(noteTexts([...making.notes, ...after.notes]).join()).toMatch(
      /SIMPLE-ERROR \(astray\).*left to the server's own debugger/,
    );
    await own.stop();
  });
});
