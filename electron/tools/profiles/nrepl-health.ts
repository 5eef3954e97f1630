/** The five checks of `nrepl-test`: that the server answers, and that what it answers is right. */
import type { Evaluation } from '../../contract/model';
import type { Session } from '../../sessions/session/session';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { evaluateFor } from '../evaluation/own-evaluation';
import type { Caller } from '../tool';

export interface CheckResult {
  name: string;
  passed: boolean;
  said: string;
}

interface Check {
  name: string;
  code: string;
  /** What a server that is well answers. */
  expected: string;
  answer(row: Evaluation): string;
}

const value = (row: Evaluation): string => row.forms.at(-1)?.values[0] ?? '';

const CHECKS: readonly Check[] = [
  { name: 'Basic Arithmetic', code: '(+ 2 3)', expected: '5', answer: value },
  { name: 'String Operations', code: '(str "hello" " " "world")', expected: '"hello world"', answer: value },
  { name: 'Data Structures', code: '(count [1 2 3 4 5])', expected: '5', answer: value },
  {
    name: 'Output Handling',
    code: '(println "test-output")',
    expected: 'test-output',
    answer: ({ stdout }) => stdout.trim(),
  },
];

/** @param session null when there is no connection: nothing passes then */
export async function checkHealth(
  caller: Caller,
  session: Session | null,
  options: EvaluateToolOptions,
): Promise<CheckResult[]> {
  const results = [described(session)];
  for (const check of CHECKS) results.push(await run(check, caller, session, options));
  return results;
}

/** Milliseconds of one evaluation of `nil`, the way of every other included. */
export async function roundTrip(
  caller: Caller,
  session: Session,
  options: EvaluateToolOptions,
): Promise<number> {
  const began = performance.now();
  await evaluateFor(caller, session, { kind: 'eval', code: 'nil' }, options);
  return performance.now() - began;
}

/** Lines as the document prints them. */
export function healthText(results: readonly CheckResult[], milliseconds: number): string {
  const passed = results.filter((result) => result.passed).length;
  return [
    `Health Test Results: ${passed}/${results.length} tests passed (took ${Math.round(milliseconds)}ms)`,
    ...results.map(({ name, passed: well, said }) => `${well ? '✅' : '❌'} ${name}: ${said}`),
  ].join('\n');
}

function described(session: Session | null): CheckResult {
  const name = 'Server Description';
  try {
    const { operations, failures } = session?.ability('heartbeat') ?? { operations: 0, failures: 1 };
    return { name, passed: failures === 0 && operations > 0, said: `${operations} operations` };
  } catch {
    return { name, passed: false, said: 'not connected' };
  }
}

async function run(
  { name, code, expected, answer }: Check,
  caller: Caller,
  session: Session | null,
  options: EvaluateToolOptions,
): Promise<CheckResult> {
  if (!session) return { name, passed: false, said: 'not connected' };
  const row = await evaluateFor(caller, session, { kind: 'eval', code }, options);
  const said = row.outcome === 'ok' ? answer(row) : (row.condition?.message ?? row.outcome);
  return { name, passed: said === expected, said: `${code} -> ${said}` };
}
