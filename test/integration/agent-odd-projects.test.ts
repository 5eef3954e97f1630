/** What agents meet in projects that are not tidy: tests that hang or print without end, systems of packages, odd names. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationRecord } from '../../electron/tools/evaluation/record';
import { type Agent, AgentProject, agentOf, COMPILING_MS } from '../agent-project';
import { PATIENT } from '../started-harbor';

const ODD_FILE = 'a folder/λ-ünï.lisp';

const LONG = Array.from(
  { length: 20_000 },
  (_, n) => `(defun long-${n} (x)\n  "The ${n}th."\n  (+ x ${n}))\n`,
);

const FILES = {
  'noisy.asd': '(defsystem "noisy" :depends-on ("fiveam") :components ((:file "noisy")))\n',
  'noisy.lisp': `(defpackage :noisy (:use :cl :5am))
(in-package :noisy)

(defvar *kept* nil)

(test loud
  (dotimes (line 30000) (format t "line ~D~%" line))
  (is (= 1 2)))

(test hangs
  (setf *kept* :kept)
  (format t "it hangs~%")
  (is (loop)))
`,
  'inferred.asd': '(defsystem "inferred" :class :package-inferred-system :depends-on ("inferred/top"))\n',
  'top.lisp': `(defpackage :inferred/top (:use :cl :inferred/base) (:export #:four))
(in-package :inferred/top)
(defun four () (twice 2))
`,
  'base.lisp': `(defpackage :inferred/base (:use :cl) (:export #:twice))
(in-package :inferred/base)
(defun twice (x) (* 2 x))
`,
  [ODD_FILE]: '(in-package :cl-user)\r\n\r\n(defun odd () "λ")\r\n',
  'long.lisp': LONG.join('\n'),
};

let project: AgentProject;
let agent: Agent;

beforeAll(async () => {
  // Long enough for all that ends by itself, with what compiles it.
  project = await AgentProject.start({ engine: 'sbcl', files: FILES, softLimitMs: 5_000 });
  agent = agentOf(await project.harbor.client());
});
afterAll(() => project.stop());

/** The record of what a call came to, also where that was a job at first. */
async function ended(tool: string, args: Record<string, unknown>): Promise<EvaluationRecord> {
  const record = await agent.record(tool, args);
  if (record.job === undefined) return record;
  return agent.record('job', { job: record.job, action: 'wait', wait_ms: COMPILING_MS });
}

describe('tests', () => {
  it(
    'that print much still tell what failed, and where the rest is',
    async () => {
      const record = await ended('run_tests', { system: 'noisy', test: 'loud' });
      expect(record).toMatchObject({ truncated: true, notes: [expect.stringMatching(/pages through/)] });
      expect(record.stdout).toMatch(/line 0\n[\s\S]*line 29999\n/);
      expect(record.report?.runs[0]).toMatchObject({
        counts: { passed: 0, failed: 1 },
        failures: [{ test: 'NOISY::LOUD', expected: '1', actual: '2', line: 6 }],
      });
    },
    COMPILING_MS,
  );

  it(
    'that hang become a job, which is cancelled without a loss',
    async () => {
      const { job, outcome } = await agent.record('run_tests', { system: 'noisy', test: 'hangs' });
      expect(outcome).toBe('running');
      const printed = async () => (await agent.done('job', { job, action: 'output' })).structured.output;
      await expect.poll(printed, PATIENT).toContain('it hangs');
      const stopped = await agent.done('job', { job, action: 'cancel' });
      expect(stopped.structured.outcome).toBe('interrupted');
      expect(await ended('eval', { code: 'noisy::*kept*' })).toMatchObject({ values: [':KEPT'] });
    },
    COMPILING_MS,
  );
});

describe('files', () => {
  it('of systems that are inferred from packages are loaded and found', async () => {
    expect(await ended('load', { system: 'inferred' })).toMatchObject({ outcome: 'ok' });
    expect(await ended('eval', { code: '(inferred/top:four)' })).toMatchObject({ values: ['4'] });
    const { text } = await agent.done('find', { kind: 'definition', query: 'inferred/base:twice' });
    expect(text).toContain('base.lisp:3');
  });

  it('with blanks and other scripts in their names keep their line ends, and are loaded', async () => {
    const edit = { path: ODD_FILE, form_type: 'defun', form_name: 'odd', operation: 'insert_after' };
    const { text } = await agent.done('edit_form', { ...edit, content: '(defun even ()\n  (odd))' });
    expect(text).toContain(` · ${ODD_FILE} · hash `);
    expect(project.read(ODD_FILE)).toBe(`${FILES[ODD_FILE]}\r\n(defun even ()\r\n  (odd))\r\n`);
    expect(await ended('load', { path: ODD_FILE })).toMatchObject({ outcome: 'ok' });
    expect(await ended('eval', { code: '(even)' })).toMatchObject({ values: ['"λ"'] });
  });

  it('of a megabyte are read in part and edited', async () => {
    const named = { path: 'long.lisp', name_pattern: 'long-12345$' };
    const { text } = await agent.done('read_file', named);
    expect(text).toMatch(
      /^49381:\n\(defun long-12345 \(x\)\n {2}"The 12345th\."\n {2}\(\+ x 12345\)\)\n; hash /,
    );
    const edit = { path: 'long.lisp', form_type: 'defun', form_name: 'long-12345', operation: 'delete' };
    await agent.done('edit_form', edit);
    expect(project.read('long.lisp')).toBe(LONG.filter((_, n) => n !== 12345).join('\n'));
  });
});
