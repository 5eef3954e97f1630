/** What the ACL2 MCP Bridge promises of its own tests, of ours: the groups that it names, and commands that run them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../started-harbor';
import { setupModule } from '../unit/setup-checkout';

/** Where our tests of each of its groups are. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'startup and dispatch': ['integration/endpoint-http.test.ts', 'integration/toolbox.test.ts'],
  lifecycle: ['integration/endpoint-http-sessions.test.ts', 'integration/sessions.test.ts'],
  isolation: ['checklist/s3-profile.test.ts', 'e2e/isolation.spec.ts', 'integration/acl2-sandbox.test.ts'],
  construction: ['integration/sbcl-image.test.ts', 'integration/pool.test.ts'],
};

const A_TEST = /^\s*(?:it|test)(?:\.each\b[\s\S]*?\))?\(/gm;
const NOT_RUN = /\b(?:it|test|describe)\.(?:skip|only|todo|fails|fixme)\b/;

function sourceOf(file: string): string {
  return readFileSync(path.join(ROOT, 'test', file), 'utf8');
}

/** Names of the steps of `npm test`. */
async function stepNames(): Promise<string[]> {
  const { steps } = await setupModule<{ steps: { name: string }[] }>('test-steps');
  return steps.map(({ name }) => name);
}

it('S3-19 the suite has its four groups, with more tests than it has, of which none is left out', async () => {
  const counts = Object.entries(GROUPS).map(([group, files]) => {
    const sources = files.map(sourceOf);
    expect(
      sources.filter((source) => NOT_RUN.test(source)),
      group,
    ).toEqual([]);
    return sources.flatMap((source) => source.match(A_TEST) ?? []).length;
  });
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(38);
  const run = await stepNames();
  const folders = new Set(Object.values(GROUPS).flatMap((files) => files.map((file) => file.split('/')[0])));
  expect(run).toEqual(expect.arrayContaining([...folders]));
});

it('S3-40 one command runs the unit and the integration tests', async () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const file = /^node (\S+)$/.exec(scripts.test)?.[1] ?? 'none';
  expect(existsSync(path.join(ROOT, file))).toBe(true);
  const run = await stepNames();
  for (const folder of ['unit', 'integration']) {
    expect(run).toContain(folder);
    expect(readdirSync(path.join(ROOT, 'test', folder)).some((name) => name.endsWith('.test.ts'))).toBe(true);
  }
});
