/** Costs and profiles of evaluations in SBCL. Figures are compared with each other, never with a clock. */
import { describe, expect, it } from 'vitest';
import type { SampledProfile } from '../../electron/contract/report';
import { startImage } from './sbcl-fixture';
import type { Evaluated, TestImage } from './test-image';

/** Busy without allocating, and in a function of its own. */
const WORK = `
  (defvar *stop* nil)
  (defun inner (n) (declare (notinline inner)) (let ((sum 0)) (dotimes (i n sum) (setf sum (logxor sum (random 1000))))))
  (defun outer (n) (prog1 (inner n) (setf *stop* t)))
  (defun fill-up (n) (let ((all '())) (dotimes (i n (length all)) (push (make-array 100) all))))`;

async function working(): Promise<TestImage> {
  const sbcl = await startImage();
  expect((await sbcl.evaluate(WORK)).outcome).toBe('ok');
  return sbcl;
}

function profileIn({
  report,
  notes,
}: Pick<Evaluated, 'report'> & { notes: readonly unknown[] }): SampledProfile {
  if (!report?.profile) throw new Error(`there is no profile: ${JSON.stringify(notes)}`);
  return report.profile;
}

/** Stacks by their functions, with their samples. */
function stacks({ folded }: SampledProfile): [string[], number][] {
  return folded.split('\n').map((line) => {
    const end = line.lastIndexOf(' ');
    return [line.slice(0, end).split(';'), Number(line.slice(end + 1))];
  });
}

function totals(profile: SampledProfile): Map<string, number> {
  return new Map(profile.functions.map(({ name, total }) => [name, total.samples]));
}

describe('the cost of an evaluation', () => {
  it('is that of its forms, garbage collection included', async () => {
    const sbcl = await working();
    const little = (await sbcl.evaluate('(+ 1 2)')).cost;
    const much = (await sbcl.evaluate('(fill-up 200000)')).cost;
    expect(much?.bytes).toBeGreaterThan(200_000 * 100 * 8);
    expect(little?.bytes).toBeLessThan(1_000_000);
    expect(much?.runMs).toBeGreaterThan(little?.runMs ?? Number.NaN);
    const collected = (await sbcl.evaluate('(sb-ext:gc :full t)')).cost;
    expect(collected?.gcMs).toBeGreaterThan(0);
    expect(collected?.gcMs).toBeLessThanOrEqual(collected?.runMs ?? Number.NaN);
  });

  it('is told of what failed or was interrupted too, and not of what never began', async () => {
    const sbcl = await working();
    expect((await sbcl.evaluate('(fill-up 100000) (error "late")')).cost?.bytes).toBeGreaterThan(1e7);
    const { settled } = await sbcl.running('(fill-up 100000) (princ "ready") (finish-output) (loop)');
    await sbcl.interrupt('cooperative');
    expect((await settled).cost?.bytes).toBeGreaterThan(1e7);
    expect(await sbcl.evaluate('(1 2')).not.toHaveProperty('cost');
    expect(await sbcl.evaluate('1', { level: 3 })).not.toHaveProperty('cost');
  });

  it('leaves out what is done while it is held', async () => {
    const sbcl = await working();
    const { promise: held, resolve } = Promise.withResolvers<void>();
    const outcome = sbcl.image.evaluate(
      { id: 1000, code: '(error "wait")', onError: 'debug' },
      () => undefined,
      { suspended: () => resolve(), exited: () => undefined },
    );
    await held;
    const inside = await sbcl.evaluate('(fill-up 100000)', { level: 1 });
    expect(inside.cost?.bytes).toBeGreaterThan(1e7);
    await sbcl.image.debugger?.abort(0);
    expect((await outcome).cost?.bytes).toBeLessThan(1e7);
  });
});

describe('a profile', () => {
  it('by CPU time tells functions and stacks, the user’s alone', async () => {
    const sbcl = await working();
    const outcome = await sbcl.evaluate('(outer 30000000)', { profile: 'cpu' });
    const profile = profileIn(outcome);
    expect(outcome.outcome).toBe('ok');
    expect(profile.mode).toBe('cpu');
    expect(totals(profile).get('INNER')).toBeGreaterThan(profile.samples / 2);
    const told = stacks(profile);
    expect(told[0]?.[0].slice(0, 2)).toEqual(['OUTER', 'INNER']);
    expect(told.reduce((sum, [, count]) => sum + count, profile.omitted.samples)).toBe(profile.samples);
    expect(profile.folded).not.toMatch(/LISP-HARBOR|CALL-USER-CODE|SIMPLE-EVAL|foreign function/);
    const shares = profile.functions.reduce((sum, { self }) => sum + self.samples, 0);
    expect(shares).toBeLessThanOrEqual(profile.samples);
    expect(profile.functions.find(({ name }) => name === 'OUTER')?.total.percent).toBeGreaterThan(50);
  });

  it('by allocation finds who allocates', async () => {
    const sbcl = await working();
    const profile = profileIn(await sbcl.evaluate('(fill-up 300000)', { profile: 'alloc' }));
    expect(profile.mode).toBe('alloc');
    expect(totals(profile).get('FILL-UP')).toBeGreaterThan(profile.samples / 2);
  });

  it('sees threads that the code starts, by their names', async () => {
    const sbcl = await working();
    const code = `(sb-thread:join-thread (sb-thread:make-thread (lambda () (outer 30000000)) :name "a worker; mine"))`;
    const profile = profileIn(await sbcl.evaluate(code, { profile: 'cpu' }));
    const [top] = stacks(profile);
    expect(top?.[0][0]).toBe('thread a worker, mine');
    expect(top?.[0]).toContain('INNER');
  });

  it('of a deep recursion says where its beginning is missing', async () => {
    const sbcl = await working();
    await sbcl.evaluate('(defun down (n) (if (zerop n) (outer 20000000) (1+ (down (1- n)))))');
    const profile = profileIn(await sbcl.evaluate('(down 500)', { profile: 'cpu' }));
    const [top] = stacks(profile);
    expect(top?.[0]).toEqual(expect.arrayContaining(['DOWN', 'OUTER', 'INNER']));
    expect(top?.[0][0]).toBe('…');
  });

  it.each([
    ['an error', '(progn (outer 30000000) (error "late"))', 'error'],
    ['a throw out of everything', '(progn (outer 30000000) (abort))', 'interrupted'],
    ['the end of its thread', '(progn (outer 30000000) (sb-thread:abort-thread))', 'interrupted'],
  ])('is there after %s, and the next evaluation is not profiled', async (_what, code, outcome) => {
    const sbcl = await working();
    const ended = await sbcl.evaluate(code, { profile: 'cpu' });
    expect(ended.outcome).toBe(outcome);
    expect(totals(profileIn(ended)).get('INNER')).toBeGreaterThan(0);
    const next = await sbcl.evaluate('(list (outer 10000000) sb-sprof::*profiling*)');
    expect(next.values[0]?.[0]).toMatch(/ NIL\)$/);
    expect(next).not.toHaveProperty('report');
  });

  it('is there after an interrupt', async () => {
    const sbcl = await working();
    const { settled } = await sbcl.running(
      '(progn (outer 20000000) (princ "ready") (finish-output) (loop))',
      {
        profile: 'cpu',
      },
    );
    await sbcl.interrupt('cooperative');
    const ended = await settled;
    expect(ended.outcome).toBe('interrupted');
    expect(totals(profileIn(ended)).get('INNER')).toBeGreaterThan(0);
  });

  it('that a crash took along is missed by a note', async () => {
    const sbcl = await working();
    const { outcome, notes } = await sbcl.evaluate('(sb-ext:exit :code 3 :abort t)', { profile: 'cpu' });
    expect(outcome).toBe('crashed');
    expect(notes.join()).toContain('The samples of the profiler are lost with the image.');
  });

  it.each(['cpu', 'alloc'] as const)('of too little work by %s says so', async (profile) => {
    const sbcl = await working();
    // A sample may fall on the least of work; without the reset there would be one now and then.
    const outcome = await sbcl.evaluate('(progn (sleep 0.01) (sb-sprof:reset))', { profile });
    expect(outcome.outcome).toBe('ok');
    expect(outcome).not.toHaveProperty('report');
    expect(outcome.notes.join()).toContain('The profile is empty');
  });

  it('is one at a time: nested ones are refused, and so is one beside the code’s own', async () => {
    const sbcl = await working();
    const { promise: held, resolve } = Promise.withResolvers<void>();
    const outer = sbcl.image.evaluate(
      { id: 1000, code: '(progn (outer 20000000) (error "wait"))', onError: 'debug', profile: 'cpu' },
      () => undefined,
      { suspended: () => resolve(), exited: () => undefined },
    );
    await held;
    const nested = await sbcl.evaluate('(outer 1)', { level: 1, profile: 'cpu' });
    expect([nested.outcome, nested.notes.join()]).toEqual([
      'refused',
      expect.stringMatching(/^Evaluation 1000 is being profiled and has not ended/),
    ]);
    // What is evaluated at the level meanwhile is no part of the profile.
    await sbcl.evaluate('(defun elsewhere () (inner 30000000)) (elsewhere)', { level: 1 });
    await sbcl.image.debugger?.abort(0);
    const profile = profileIn(await outer);
    expect(totals(profile).has('OUTER')).toBe(true);
    expect(profile.folded).not.toContain('ELSEWHERE');
    await sbcl.evaluate('(sb-sprof:start-profiling :mode :alloc)');
    const beside = await sbcl.evaluate('1', { profile: 'cpu' });
    expect([beside.outcome, beside.notes.join()]).toEqual(['refused', expect.stringContaining('SB-SPROF')]);
    await sbcl.evaluate('(sb-sprof:stop-profiling)');
    expect((await sbcl.evaluate('(outer 1)', { profile: 'alloc' })).outcome).toBe('ok');
  });

  it('disturbs neither the wire nor input, nor code that profiles by itself', async () => {
    const sbcl = await working();
    const { settled } = await sbcl.running(
      '(progn (princ "ready") (finish-output) (setf *stop* nil) (loop until *stop* do (inner 1000)) 7)',
      {
        profile: 'cpu',
      },
    );
    for (let asked = 0; asked < 100; asked += 1)
      expect((await sbcl.image.knowledge?.describe({ symbol: 'inner' }))?.symbol).toBe('INNER');
    await sbcl.interrupt('cooperative');
    expect((await settled).outcome).toBe('interrupted');
    const own = await sbcl.evaluate('(sb-sprof:with-profiling (:mode :cpu) (outer 3000000))', {
      profile: 'cpu',
    });
    expect(own.outcome).toBe('ok');
    expect((await sbcl.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });
});
