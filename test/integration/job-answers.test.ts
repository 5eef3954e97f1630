/** The first answer of a job, and pages of its output: what it does now, without notes of the compiler. */
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { StartedHarbor } from '../started-harbor';
import { writeFiles } from './loading-fixture';

let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'], settings: { softLimitMs: 4_000 } });
  client = await harbor.client();
  const folder = path.join(harbor.project, 'slow');
  writeFiles(folder, {
    'slow.asd': '(asdf:defsystem "slow" :serial t :components ((:file "quick") (:file "late")))',
    'quick.lisp': `(in-package :cl-user)
(defun quick (x y) (declare (optimize speed)) (+ x y))
(eval-when (:compile-toplevel) (format t "a line of the build~%"))`,
    'late.lisp': `(in-package :cl-user)
(eval-when (:compile-toplevel) (loop until (probe-file "${folder}/go") do (sleep 0.05)))`,
  });
}, 120_000);
afterAll(() => harbor.stop());

it('the first answer of a load says which file is compiled and has the last lines; output has no notes', async () => {
  const begun = await call<{ job: string }>(client, 'load', { system: 'slow' });
  const { job } = begun.structured;
  expect(begun.text).toMatch(/a line of the build[\s\S]*; running as job-\d+.* compiling slow\/late\.lisp/);
  const page = await call<{ output: string }>(client, 'job', { job, action: 'output', offset: 0 });
  expect(page.structured.output).toContain('a line of the build');
  expect(page.structured.output).not.toContain('NOTE');
  expect(page.text).toMatch(/; \d+ compiler notes? left out/);
  writeFiles(harbor.project, { 'slow/go': '' });
  const ended = await call(client, 'job', { job, action: 'wait' });
  expect(ended.text).not.toContain('compiling');
});
