/**
 * The harbor as it is sold, judged by the conformance suite. Most scenarios call tools, prompts and resources that only a
 * fixture has; `baseline.json` lists them, and nothing else may fail, nor anything that is listed pass.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedHarbor } from '../shared-harbor';
import { ROOT, type StartedHarbor } from '../started-harbor';
import { failures, RUNS, type Run, runSuite } from './suite';

/** By reason: the checks that fail, as `scenario:check`. */
type Baseline = Record<string, readonly string[]>;

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});

afterAll(() => harbor.stop());

describe('the harbor conforms but for what the suite looks for in fixtures', () => {
  it.each(Object.keys(RUNS) as Run[])('%s', { timeout: 120_000 }, async (run) => {
    const checks = await runSuite(run, { url: harbor.ready.mcp, token: harbor.ready.token });
    expect(failures(checks)).toEqual(expected(run));
  });
});

function expected(run: Run): string[] {
  const file = path.join(ROOT, 'test/conformance/baseline.json');
  const baseline = JSON.parse(readFileSync(file, 'utf8')) as Record<Run, Baseline>;
  return Object.values(baseline[run]).flat().sort();
}
