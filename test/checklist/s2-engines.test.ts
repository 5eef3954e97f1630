/** Rows about the Lisps that are spoken to: which versions, what is asked of each, and whose tests are run. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EngineFound } from '../../electron/contract/model';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { call, evaluate } from '../evaluation';
import { system, writeFiles } from '../integration/loading-fixture';
import { STARTING_MS } from '../nrepl-server';
import { ONE_WAY, StartedHarbor, temporaryFolder } from '../started-harbor';

async function started(options: Parameters<typeof StartedHarbor.start>[0] = {}): Promise<StartedHarbor> {
  const harbor = await StartedHarbor.start(options);
  onTestFinished(async () => {
    await harbor.stop();
  });
  return harbor;
}

/** A folder with an `sbcl` that answers as one of `version` would. */
function folderWithSbcl(version: string): string {
  const folder = temporaryFolder('old-sbcl');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = path.join(folder, 'sbcl');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' ${version} /usr/bin/sbcl /usr/lib/sbcl/\n`);
  chmodSync(program, 0o755);
  return folder;
}

describe.each(ONE_WAY)('over %s', (way) => {
  it('S2-10 S2-11 tells the version of SBCL, which has ASDF', async () => {
    const harbor = await started({ args: ['--engine', 'sbcl'] });
    const client = await harbor.over(way);
    const { structured } = await call<{ engines: EngineFound[] }>(client, 'images');
    const { available, version } = structured.engines.find(({ engine }) => engine === 'sbcl') ?? {};
    expect(available).toBe(true);
    expect(version).toMatch(/^2\.\d+\.\d+/);
    expect((await evaluate(client, '(asdf:asdf-version)')).structured.outcome).toBe('ok');
  });

  it('S2-10 refuses an SBCL that is too old, and says what to do', async () => {
    const env = { PATH: `${folderWithSbcl('1.4.16.debian')}:${process.env.PATH}` };
    const client = await (await started({ env })).over(way);
    const { structured } = await call<{ engines: EngineFound[] }>(client, 'images');
    const { available, reason } = structured.engines.find(({ engine }) => engine === 'sbcl') ?? {};
    expect(available).toBe(false);
    expect(reason).toMatch(/is SBCL 1\.4\.16\.debian; 2\.2\.9 or later is needed\. Install it/);
  });

  it('S2-56 runs the tests that Rove knows', async () => {
    const harbor = await started({ args: ['--engine', 'sbcl'] });
    writeFiles(harbor.project, {
      'rove.asd': system('rove', '(:file "rove")'),
      'rove.lisp': readFileSync(path.join(import.meta.dirname, '../frameworks/rove.lisp'), 'utf8'),
      'shop.asd': system('shop', '(:file "tests")', ':depends-on ("rove")'),
      'tests.lisp': `(defpackage :shop-tests (:use :cl :rove))
(in-package :shop-tests)
(deftest prices (ok (= (* 2 4) 8)) (ok (= (* 2 4) 9)))
`,
    });
    const client = await harbor.over(way);
    const { structured } = await call<EvaluationRecord>(client, 'run_tests', { system: 'shop' });
    expect(structured.report?.runs).toMatchObject([
      {
        framework: 'rove',
        counts: { passed: 1, failed: 1 },
        failures: [{ expected: '9', actual: '8', line: 3 }],
      },
    ]);
  });

  it.each([
    ['sbcl', '(defun twice (x) (* 2 x))'],
    ['acl2', '(defun twice (x) (* 2 x))'],
    ['clojure', '(defn twice [x] (* 2 x))'],
  ])('S2-60 describes and finds what %s knows', { timeout: STARTING_MS }, async (engine, code) => {
    const client = await (await started({ args: ['--engine', engine] })).over(way);
    expect((await evaluate(client, code)).isError).toBe(false);
    expect((await call(client, 'describe', { symbol: 'twice' })).text).toMatch(/twice/i);
    expect((await call(client, 'find', { query: 'twic', kind: 'apropos' })).text).toMatch(/twice/i);
  });
});
