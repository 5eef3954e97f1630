/** Looking into proofs: what rules did and cost, and what instructions to the proof-builder leave, as data. */
import { expect, it } from 'vitest';
import { form as read } from '../forms';
import { ENDLESS, PIGEONS } from '../pigeons';
import { proofOf, startImage, verdicts } from './acl2-fixture';
import type { TestImage } from './test-image';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const APP_NIL = '(defthm app-nil (implies (true-listp x) (equal (app x nil) x)))';
const ASSOC = '(equal (app (app x y) z) (app x (app y z)))';
const STUCK = '(thm (implies (true-listp a) (equal (app (app a b) nil) (app a b))))';

async function accept(image: TestImage, code: string): Promise<void> {
  expect((await image.evaluate(code)).outcome).toBe('ok');
}

async function startLists() {
  const image = await startImage();
  await accept(image, `${APP} ${APP_NIL}`);
  const world = image.image.world;
  if (!world) throw new Error('an ACL2 image has a world');
  return { image, world };
}

it('tells each attempt to apply a watched rule: on what, with which terms, and why it failed', async () => {
  const { image, world } = await startLists();
  const stuck = await image.evaluate(world.observeCode(read(STUCK), [read('app-nil')]));
  expect([stuck.outcome, verdicts(stuck)]).toEqual(['error', ['failed']]);
  const { observation } = proofOf(stuck);
  expect(observation?.attempts[0]).toEqual({
    rule: '(:REWRITE APP-NIL)',
    target: '(APP (APP A B) NIL)',
    substitution: [{ variable: 'X', term: '(APP A B)' }],
    result: null,
    failure: ':HYP 1 rewrote to (TRUE-LISTP (APP A B)).',
    depth: 1,
  });
  expect(observation?.attemptCount).toBe(observation?.attempts.length);
  expect(stuck.stdout).toBe('');
  expect(proofOf(stuck).events[0]?.checkpoints?.top).toHaveLength(1);
});

it('tells what a rule made of its target where it was applied, and nothing of rules that are not watched', async () => {
  const { image, world } = await startLists();
  const form =
    '(thm (implies (true-listp a) (equal (car (app a nil)) (car a))) :hints (("Goal" :do-not-induct t)))';
  const { outcome, report } = await image.evaluate(
    world.observeCode(read(form), [read('(:rewrite app-nil)')]),
  );
  expect(outcome).toBe('ok');
  expect(report?.proof?.observation).toMatchObject({
    attempts: [{ target: '(APP A NIL)', result: 'A', failure: null }],
    attemptCount: 1,
    costs: [],
  });
});

it('without rules tells what all of them have cost', async () => {
  const { image, world } = await startLists();
  const { report } = await image.evaluate(world.observeCode(read(`(thm ${ASSOC})`), []));
  const costs = report?.proof?.observation?.costs ?? [];
  expect(costs.find(({ rule }) => rule === '(:DEFINITION APP)')).toMatchObject({ usefulTries: 5 });
  expect(costs.map(({ frames }) => frames)).toEqual(
    costs.map(({ frames }) => frames).toSorted((a, b) => b - a),
  );
  expect(report?.proof?.observation?.attempts).toEqual([]);
});

it('leaves what is monitored and counted as it was, also when it is interrupted', async () => {
  const { image, world } = await startLists();
  await accept(
    image,
    `${PIGEONS.replace(APP, '')} (accumulated-persistence t) ${APP_NIL.replace('app-nil', 'other')}`,
  );
  const counted = async () => (await image.evaluate('(show-accumulated-persistence :runes :raw)')).stdout;
  const before = await counted();
  const endless = image.evaluate(world.observeCode(read(ENDLESS), [read('app')]));
  await expect.poll(async () => (await image.image.progress?.())?.goal, { timeout: 20_000 }).toBeTruthy();
  await image.interrupt('cooperative');
  expect((await endless).outcome).toBe('interrupted');
  expect(await counted()).toBe(before);
  const { stdout } = await image.evaluate('(monitored-runes)');
  expect(stdout).not.toContain('APP');
  expect((await image.evaluate('(cw "told~%")')).stdout).toBe('told\n');
});

it.each([
  ['nonsense', /NONSENSE is not a rule of this world/],
  ['(:rewrite no-such)', /\(:REWRITE NO-SUCH\) is not a rule/],
])('%s is no rule, and the proof is not tried', async (rule, message) => {
  const { image, world } = await startLists();
  const { outcome, condition, report } = await image.evaluate(world.observeCode(read(STUCK), [read(rule)]));
  expect([outcome, condition?.message]).toEqual(['error', expect.stringMatching(message)]);
  expect(report?.proof?.events).toEqual([]);
});

it('tells the goals that instructions leave, with their hypotheses and the place dived to', async () => {
  const { image, world } = await startLists();
  const term = `(implies (and (true-listp x) (consp y)) ${ASSOC})`;
  const { outcome, report } = await image.evaluate(world.buildCode(read(term), read('(:promote (:dv 1))')));
  expect(outcome).toBe('ok');
  expect(report?.proof?.builder).toEqual({
    goals: [
      {
        name: 'MAIN',
        hypotheses: ['(TRUE-LISTP X)', '(CONSP Y)'],
        conclusion: '(EQUAL (APP (APP X Y) Z) (APP X (APP Y Z)))',
        address: [1],
      },
    ],
  });
  const induct = proofOf(await image.evaluate(world.buildCode(read(ASSOC), read('(:induct)'))));
  expect(induct.builder?.goals.map(({ name, hypotheses }) => [name, hypotheses.length])).toEqual([
    ['(MAIN . 1)', 1],
    ['(MAIN . 2)', 2],
  ]);
  expect(induct).toMatchObject({ command: 2, events: [] });
});

it('with nothing left says so and claims no theorem; a DEFTHM with the same instructions is one', async () => {
  const { image, world } = await startLists();
  const built = await image.evaluate(world.buildCode(read(ASSOC), read('(:induct :prove :prove)')));
  expect([built.outcome, proofOf(built).builder, verdicts(built)]).toEqual(['ok', { goals: [] }, []]);
  const admitted = await image.evaluate(
    `(defthm assoc-of-app ${ASSOC} :instructions (:induct :prove :prove))`,
  );
  expect(verdicts(admitted)).toEqual(['admitted']);
});

it.each([
  ['(:bogus)', 'MAIN', 'The instruction :BOGUS failed: Undefined instruction, :BOGUS.'],
  [
    '(:induct :prove (:dv 9))',
    '(MAIN . 2)',
    'The instruction (:DV 9) failed: Unable to perform the requested dive.',
  ],
  ['((:dv 1) :s-prop)', 'MAIN', 'The instruction :S-PROP failed: No simplification took place.'],
  [
    '((:claim (equal x y)))',
    'MAIN',
    'failed: Proof failed. SEQUENCE failed, with protection on. Reverting back to existing state of the proof-builder.',
  ],
])(
  '%s stops at the instruction that fails, and tells what those before it left and ACL2’s own reason',
  async (instructions, goal, reason) => {
    const { image, world } = await startLists();
    // The reason is told even where a session has switched off what the proof-builder prints.
    await image.evaluate('(set-inhibit-output-lst (quote (proof-builder proof-tree)))');
    const { outcome, condition, report } = await image.evaluate(
      world.buildCode(read(ASSOC), read(instructions)),
    );
    expect(outcome).toBe('error');
    expect(condition?.message.replaceAll(/\s+/g, ' ')).toContain(reason);
    expect(report?.proof?.builder?.goals.map(({ name }) => name)).toEqual([goal]);
  },
);

it('of the proof-builder leaves a session of a person’s own as it was', async () => {
  const { image, world } = await startLists();
  const depth = async () =>
    (await image.evaluate("(len (cdr (assoc 'state-stack (f-get-global 'pc-output state))))")).values[0]?.[0];
  await image.evaluate(`(verify ${ASSOC} :instructions (:induct :prove (:exit)))`);
  const before = await depth();
  expect(Number(before)).toBeGreaterThan(1);
  await image.evaluate(world.buildCode(read('(equal x x)'), read('(:prove)')));
  expect(await depth()).toBe(before);
});
