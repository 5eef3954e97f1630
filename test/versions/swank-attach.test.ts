/** A session attached to a real Swank of each version: what its Lisp serves is used through our own code in it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attach, evaluate, hold } from '../integration/swank-fixture';
import { PATIENT } from '../started-harbor';
import { COMPILING_MS, type ServerOptions, SwankServer } from '../swank-server';
import { VERSIONS } from './slime-versions';

/** Prints a line of 80 characters `$count` times. */
const PRINTING = (count: number) =>
  `(dotimes (i ${count}) (format t "~80,,,'.A~%" i) (when (zerop (mod i 100)) (finish-output)))`;

describe.each(VERSIONS)('the Swank of SLIME $name', ({ folder }) => {
  let server: SwankServer;
  beforeAll(async () => {
    server = await started({ slime: folder });
  }, 2 * COMPILING_MS);
  afterAll(() => server.stop());

  it('tells values, warnings and all output in its order', async () => {
    const image = await attach(server.port);
    const { outcome, values, warnings, stdout, stderr } = await evaluate(
      image,
      `${PRINTING(5000)} (write-string "err" *error-output*) (warn "w") (values 1 "two")`,
    );
    expect({ outcome, values, stderr }).toEqual({
      outcome: 'ok',
      values: ['NIL', '"err"', 'NIL', '1', '"two"'],
      stderr: 'err',
    });
    expect(warnings).toMatchObject([{ message: 'w', form: 2 }]);
    expect(stdout).toHaveLength(5000 * 81);
    expect(stdout.trimEnd().split('\n').map(Number.parseFloat)).toEqual([...Array(5000).keys()]);
    expect((await evaluate(image, '(read-line)', { input: async () => 'typed' })).values[0]).toBe('"typed"');
  });

  it('stops code that prints without end', async () => {
    const image = await attach(server.port);
    const runs = Promise.withResolvers<void>();
    const outcome = image.evaluate({ id: 900, code: '(loop (print :more))' }, () => runs.resolve());
    await runs.promise;
    await expect.poll(() => image.interrupt(900, 'cooperative'), PATIENT).toBe(true);
    expect((await outcome).outcome).toBe('interrupted');
    expect((await evaluate(image, '(+ 1 2)')).values).toEqual(['3']);
  });

  it('holds errors, shows frames and takes restarts', async () => {
    const image = await attach(server.port);
    await evaluate(image, '(defun f (x) (restart-case (error "bad ~S" x) (seven () 7)))');
    const { held, outcome } = await hold(image, '(f 1)');
    expect(held.condition).toMatchObject({ message: 'bad 1', level: 1 });
    const view = await image.debugger?.show({ offset: 0, limit: 5 });
    expect(view?.frames.length).toBeGreaterThan(0);
    expect(await image.debugger?.frame(0)).toMatchObject({ locals: expect.any(Array) });
    await image.debugger?.restart({ restart: 'seven' });
    expect((await outcome).forms.at(-1)?.values).toEqual(['7']);
  });

  it('answers what it knows, and inspects', async () => {
    const image = await attach(server.port);
    await evaluate(image, '(defun known (x) "Documented." x)');
    const described = await image.knowledge?.describe({ symbol: 'known' });
    expect(described?.definitions).toContainEqual(
      expect.objectContaining({ kind: 'function', documentation: 'Documented.' }),
    );
    const asked = { query: 'known', limit: 5, package: 'CL-USER' };
    for (const kind of ['definitions', 'completions', 'apropos'] as const)
      expect((await image.knowledge?.find({ ...asked, kind }))?.total, kind).toBeGreaterThan(0);
    await evaluate(image, '(list :a (list 2))');
    const inspected = await image.inspector?.inspect({ start: { last: true }, path: [1], offset: 0 });
    expect(inspected?.parts).toMatchObject([{ name: '0', text: '2' }]);
  });

  it('lets one after another in, also when one leaves in the middle of something', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const image = await attach(server.port);
      await hold(image, '(error "left in the debugger")');
      if (round % 2 === 0)
        void image.evaluate({ id: 901, code: '(loop (print :more))', level: 1 }, () => undefined);
      await image.end();
    }
    expect((await evaluate(await attach(server.port), '(+ 1 2)')).values).toEqual(['3']);
  });

  it.each<[string, ServerOptions]>([
    ['without threads', { style: 'nil' }],
    ['for one connection', { once: true }],
  ])('serves %s', async (_how, options) => {
    const own = await started({ slime: folder, ...options });
    const image = await attach(own.port);
    expect(await evaluate(image, `${PRINTING(500)} 7`)).toMatchObject({
      values: ['NIL', '7'],
      outcome: 'ok',
    });
    await image.end();
    await own.stop();
  });
});

/** In ECL where the version is too old for this SBCL. */
async function started(options: ServerOptions): Promise<SwankServer> {
  return SwankServer.start(options).catch(() => SwankServer.start({ ...options, lisp: 'ecl' }));
}
