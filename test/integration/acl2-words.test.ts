/** What answers about proofs cost on the wire, text and data together: each keeps its goal, and says what it is for. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../rounds';
import { StartedHarbor } from '../started-harbor';

/** Characters of an event that went well, and of a failure with all that it says. */
const SUCCESS = 400;
const FAILURE = 4_000;

/** Characters of all that a program is told of the tools. */
const LISTING = 24_000;

const FUNCTIONS = `(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defun rev (x) (if (consp x) (app (rev (cdr x)) (list (car x))) nil))
(defun size (x) (if (consp x) (+ 1 (size (cdr x))) 0))
(defun has (a x) (if (consp x) (or (equal a (car x)) (has a (cdr x))) nil))`;

/** Ten operations of a machine, of which a false claim leaves a goal each. */
const MANY_CASES = `(defun run-one (op a b stack)
  (case op ${Array.from({ length: 10 }, (_, n) => `(:op-${n} (list* (+ ${n} a (* b (len stack))) (list op a b) (append stack (list ${n} a b)) stack))`).join(' ')}
    (otherwise stack)))`;
const FALSE_CLAIM = '(equal (run-one op a b (append s s2)) (append (run-one op b a s) (append s2 s)))';

const LAST_PRINTED = 1_400;
const PRINTING = `(cw "~x0" '${`(${Array.from({ length: 400 }, (_, n) => n + 1_001).join(' ')})`})`;

/** The size of a number is no measure of it, which takes more than a hundred goals to find out. */
const GROWING = `(defun hail (n)
  (if (<= n 1) 0 (if (evenp n) (hail (/ n 2)) (hail (+ 1 (* 3 n))))))`;

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'acl2'] });
});
afterAll(() => harbor.stop());

/** In which tools an agent submits events, and asks. */
const TOOLS = [
  { profile: 'acl2', admit: 'admit', prove: 'check_theorem' },
  { profile: 'default', admit: 'eval', prove: 'eval' },
] as const;

const TRIED = sampled('acl2-words', TOOLS, 1);

describe.each(TRIED)('in profile $profile', ({ profile, admit, prove }) => {
  let client: Client;

  beforeAll(async () => {
    client = await harbor.client('legacy', { profile });
  });

  async function answered(name: string, code: string): Promise<{ wire: string; text: string }> {
    const result = await client.callTool({ name, arguments: { code } });
    const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return { wire: JSON.stringify(result), text };
  }

  it('a success is a line or two', async () => {
    const first = await answered(admit, '(defun same (x) x)');
    expect(first.wire.length, first.wire).toBeLessThanOrEqual(SUCCESS);
    expect(first.text).toContain('DEFUN SAME: admitted\n; no trust issues · command 1');
    const four = await answered(admit, FUNCTIONS);
    expect(four.wire.length, four.wire).toBeLessThanOrEqual(2 * SUCCESS);
    for (const name of ['1. DEFUN APP', '2. DEFUN REV', '3. DEFUN SIZE', '4. DEFUN HAS'])
      expect(four.text).toContain(`${name}: admitted\n`);
    const theorem = await answered(admit, '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))');
    expect(theorem.wire.length, theorem.wire).toBeLessThanOrEqual(SUCCESS);
    expect(theorem.text).toMatch(/DEFTHM APP-ASSOC: admitted · \d+ steps\n; no trust issues · command 6/);
    const proved = await answered(prove, '(thm (equal (car (cons x y)) x))');
    expect(proved.wire.length, proved.wire).toBeLessThanOrEqual(SUCCESS);
    expect(proved.text).toMatch(/THM: proved/);
    const warned = await answered(admit, '(defthm same-same (equal (same (same x)) (same x)))');
    expect(warned.wire.length, warned.wire).toBeLessThanOrEqual(SUCCESS);
    expect(warned.text).toMatch(/DEFTHM SAME-SAME: admitted · .*warnings: Subsume Non-rec/);
  });

  it('a failure has its reason, each key checkpoint once, at most three suggestions and the log', async () => {
    const failed = await answered(prove, '(thm (equal (rev (app x y)) (app (rev x) (rev y))))');
    expect(failed.wire.length, failed.wire).toBeLessThanOrEqual(FAILURE);
    expect(failed.text).toContain(
      'key checkpoints at the top level:\n    Goal (pushed for induction: *1): the conjecture itself\n',
    );
    expect(failed.text).not.toContain('(REV (APP X Y))');
    const goals = failed.text.match(/^ {4}(?:Sub)?goal.*\n(?: {4}\|.*\n)*/gim);
    expect(new Set(goals).size).toBe(goals?.length);
    expect(failed.text).toContain('counterexample: The theorem is false for ');
    const lacking = await answered(prove, '(thm (equal (rev (app x y)) (app (rev y) (rev x))))');
    expect(lacking.wire.length, lacking.wire).toBeLessThanOrEqual(FAILURE);
    const suggested = lacking.text.match(/^ {4}(?:lemma|hypothesis|induction|generalize|theory): /gm);
    expect(suggested?.length).toBeLessThan(4);
    expect(failed.text).toMatch(/; command 7 · whole log: job job-\d+, action output/);
    expect(failed.text).not.toContain('debugger level');
  });

  it('of many large key checkpoints the first are shown and the rest counted', async () => {
    await answered(admit, MANY_CASES);
    const { wire, text } = await answered(prove, `(thm ${FALSE_CLAIM})`);
    expect(wire.length, wire).toBeLessThanOrEqual(FAILURE);
    expect(text).toMatch(/… \d+ more key checkpoints?: job-\d+/);
    expect(text).toMatch(/whole log: job job-\d+, action output/);
  });

  it('output of a successful event is shortened, and output of a value is complete', async () => {
    const event = await answered(admit, `(make-event (prog2$ ${PRINTING} '(defun printed (x) x)))`);
    expect(event.wire.length, event.wire).toBeLessThanOrEqual(4 * SUCCESS);
    expect(event.text).toMatch(/… \d+ more characters: job-\d+, action output/);
    const value = await answered(admit, PRINTING);
    expect(value.text).toContain(String(LAST_PRINTED));
    expect(value.text).not.toContain('more characters');
  });

  it('the report of a growing proof stays short, and names the measure', async () => {
    const { wire, text } = await answered(admit, GROWING);
    expect(wire.length, wire).toBeLessThanOrEqual(FAILURE);
    expect(text).toMatch(/… \d\d+ more key checkpoints: job-\d+/);
    expect(text).toContain('DEFUN HAIL: failed');
    expect(text).toContain('    measure: ');
    expect(text).not.toContain('cut to fit');
  });

  it('a refusal has its reason once', async () => {
    const { wire, text } = await answered(admit, '(defun f (x) (if (zp x) 0 (f (no-such x))))');
    expect(wire.length, wire).toBeLessThanOrEqual(FAILURE / 2);
    expect(text.match(/The symbol NO-SUCH/g)).toHaveLength(1);
  });

  it('data is available on request', async () => {
    const { text } = await answered(prove, '(thm (equal (app x y) (app y x)))');
    const [, job] = /job (job-\d+), action output/.exec(text) ?? [];
    const { structuredContent } = await client.callTool({
      name: 'job',
      arguments: { job, action: 'status' },
    });
    expect(structuredContent).toMatchObject({
      stderr: expect.stringContaining('Perhaps we can prove'),
      report: {
        proof: {
          events: [{ checkpoints: { top: [{ goal: 'Goal', form: '(EQUAL (APP X Y) (APP Y X))' }] } }],
        },
      },
    });
  });

  it('the tool descriptions are short', async () => {
    expect(JSON.stringify(await client.listTools()).length).toBeLessThanOrEqual(LISTING);
  });
});
