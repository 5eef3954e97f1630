/** The guide for agents, tried: a real ACL2 evaluates what it shows, in the order in which it shows it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../started-harbor';
import { issues, startImage } from './acl2-fixture';
import type { Evaluated, TestImage } from './test-image';

const GUIDE = readFileSync(path.join(ROOT, 'resources/guides/acl2.md'), 'utf8');

/** Longer ones are not read to the end. */
const MOST_WORDS = 1_200;

/** Each piece of code with whether it has to fail. */
const SHOWN = [...GUIDE.matchAll(/^```lisp( fails)?\n([\s\S]*?)^```$/gm)].map(([, fails, code = '']) => ({
  fails: fails !== undefined,
  code,
}));

/** What an agent finds in that part of the guide. */
async function evaluateAll(image: TestImage): Promise<Map<string, Evaluated>> {
  const answers = new Map<string, Evaluated>();
  for (const { fails, code } of SHOWN) {
    const answer = await image.evaluate(code);
    expect(answer.outcome, code).toBe(fails ? 'error' : 'ok');
    answers.set(code.split('\n')[0] ?? '', answer);
  }
  return answers;
}

it('is short', () => {
  expect(GUIDE.split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
});

it('shows what is so', { timeout: 120_000 }, async () => {
  const image = await startImage();
  const answers = await evaluateAll(image);
  expect(answers.size).toBe(SHOWN.length);
  const printed = (line: string) => `${answers.get(line)?.stdout}${answers.get(line)?.stderr}`;
  expect(printed('(defthm rev-rev (equal (rev (rev x)) x))')).toContain('(IMPLIES (NOT (CONSP X)) (NOT X))');
  expect(printed('(defthm rev-app (equal (rev (app x y)) (app (rev y) (rev x))))')).toMatch(
    /\(EQUAL \(REV Y\) \(APP \(REV Y\) NIL\)\)/,
  );
  const told = (beginning: string) =>
    [...answers].find(([line]) => line.startsWith(beginning))?.[1].report?.proof;
  expect(told('(harbor-observe () ')?.observation?.costs[0]?.frames).toBeGreaterThan(0);
  expect(told('(harbor-observe (rev-rev) ')?.observation?.attempts[0]?.failure).toMatch(
    /^:HYP 1 rewrote to \(TRUE-LISTP/,
  );
  expect(told('(harbor-verify ')?.builder?.goals[0]?.hypotheses).toEqual(['(TRUE-LISTP X)']);
  expect(printed('(brr t)')).toMatch(/1 Breaking \(:REWRITE APP-ASSOC\)[\s\S]*produced[\s\S]*X : A/);
  expect(issues(await image.evaluate('(thm (true-listp (rev x)))'))).toEqual([]);
});

it('is right about commands that would wait for a person', async () => {
  const image = await startImage();
  await evaluateAll(image);
  const before = await image.evaluate(':pbt :x');
  expect((await image.evaluate('(verify (equal (app x nil) x))')).condition?.message).toContain('HARBOR-');
  expect((await image.evaluate(':pbt :x')).stdout).toBe(before.stdout);
  await image.evaluate("(brr t) (monitor '(:rewrite rev-rev) 't)");
  const waiting = await image.evaluate('(thm (equal (rev (rev (cons a b))) c))');
  expect(waiting.outcome).toBe('error');
  expect((await image.evaluate('(brr nil) (+ 1 2)')).values).toEqual([['NIL'], ['3']]);
});

it('names commands that there are', async () => {
  const image = await startImage();
  await evaluateAll(image);
  for (const [command, shown] of [
    [':pl (app (app a b) c)', /APP-ASSOC/],
    [':pr app-assoc', /Lhs: +\(APP \(APP X Y\) Z\)/],
    [':pe rev', /DEFUN REV/],
    [':pbt 1', /DEFUN APP/],
    [':doc accumulated-persistence', /Parent/],
  ] as const)
    expect((await image.evaluate(command)).stdout, command).toMatch(shown);
  expect((await image.evaluate("(ubt! 'rev-app)")).outcome).toBe('ok');
  expect((await image.evaluate(':pe rev-app')).outcome).toBe('error');
});
