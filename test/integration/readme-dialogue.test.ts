/** The dialogue at the beginning of the README, played: what stands there is what is asked, and what is answered. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { ROOT, StartedHarbor } from '../started-harbor';
import { writeFiles } from './loading-fixture';

const FLEET = `(defpackage :fleet (:use :cl) (:export #:mean-knots))
(in-package :fleet)

(defvar ships '())

(defun knots (ship)
  (/ (getf ship :miles) (getf ship :hours)))

(defun mean-knots (ships)
  (/ (reduce #'+ (mapcar #'knots ships)) (length ships)))
`;

const SHIPS = `(defvar kea '(:name :kea :miles 40 :hours 5))
(defvar moa '(:name :moa :miles 12 :hour 2))
(setf fleet::ships (list kea moa))`;

/** A line of the README as a call, and what the answer has of what the README says of it. */
interface Step {
  line: string;
  arguments: Record<string, unknown>;
  answers: readonly string[];
}

const STEPS: readonly Step[] = [
  {
    line: 'eval      (fleet:mean-knots (list kea moa)), on_error: debug',
    arguments: { code: '(fleet:mean-knots (list kea moa))', on_error: 'debug' },
    answers: ['TYPE-ERROR', 'NIL is not of type NUMBER', '1: (FLEET:MEAN-KNOTS', 'held'],
  },
  {
    line: 'debug     eval in frame 1: (remove-if (lambda (s) (getf s :hours)) fleet::ships)',
    arguments: {
      ...{ action: 'eval', frame: 1 },
      code: '(remove-if (lambda (s) (getf s :hours)) fleet::ships)',
    },
    answers: ['→ ((:NAME :MOA :MILES 12 :HOUR 2))'],
  },
  {
    line: 'edit_form patch defun knots: (getf ship :hours) → (or (getf ship :hours) (getf ship :hour))',
    arguments: {
      ...{ path: 'fleet.lisp', operation: 'patch', form_type: 'defun', form_name: 'knots' },
      ...{ old_text: '(getf ship :hours)', new_text: '(or (getf ship :hours) (getf ship :hour))' },
    },
    answers: ['Written, lines -1 +1'],
  },
  {
    line: 'eval      (load "fleet.lisp"), level: 1',
    arguments: { code: '(load "fleet.lisp")', level: 1 },
    answers: ['→ T'],
  },
  {
    line: 'debug     restart RESTART-FRAME, frame 1',
    arguments: { action: 'restart', restart: 'RESTART-FRAME', frame: 1 },
    answers: ['→ 7'],
  },
];

/** The lines of the dialogue, each with what is answered. */
function dialogue(): readonly string[] {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, block = ''] = /An agent at work[^`]*```\n([\s\S]*?)```/.exec(readme) ?? [];
  return block
    .replaceAll(/\n {2,}→/g, ' →')
    .trim()
    .split('\n');
}

it('goes as it stands in the README', async () => {
  const harbor = await StartedHarbor.start();
  onTestFinished(async () => void (await harbor.stop()));
  writeFiles(harbor.project, { 'fleet.lisp': FLEET });
  const client = await harbor.client();
  await call(client, 'eval', { code: `(load "fleet.lisp")\n${SHIPS}` });
  const lines = dialogue();
  expect(lines).toHaveLength(STEPS.length);
  for (const [index, { line, arguments: args, answers }] of STEPS.entries()) {
    const written = lines[index] ?? '';
    expect(written.slice(0, line.length)).toBe(line);
    const { text } = await call(client, line.split(' ', 1)[0] ?? '', args);
    for (const answer of answers) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(answer.replace('→', '=>'));
      expect(written.slice(line.length)).toContain(answer);
    }
  }
});
