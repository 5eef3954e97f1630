/** Dialogues of docs/, played: what stands there is what is asked, and what is answered. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import { ROOT, type StartedHarbor } from '../started-harbor';
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

/** A line as a call, and what the answer has of what the line says of it. */
interface Step {
  line: string;
  arguments: Record<string, unknown>;
  answers: readonly string[];
}

const OF_TOOLS: readonly Step[] = [
  {
    line: 'eval      (fleet:mean-knots (list kea moa)), on_error: debug',
    arguments: { code: '(fleet:mean-knots (list kea moa))', on_error: 'debug' },
    answers: ['TYPE-ERROR', 'NIL is not of type NUMBER', '1: (FLEET:MEAN-KNOTS', 'suspended'],
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

const OF_PROFILES: readonly Step[] = [
  {
    line: 'evaluate-lisp    (defun area (r) (* pi r r))',
    arguments: { code: '(defun area (r) (* pi r r))' },
    answers: ['→ AREA'],
  },
  { line: 'evaluate-lisp    (area 2)', arguments: { code: '(area 2)' }, answers: ['→ 12.566370614359172d0'] },
  { line: 'describe-symbol  area', arguments: { name: 'area' }, answers: ['function AREA (R)'] },
];

/** The lines of the first block of a page behind `heading`, each with what is answered. */
function dialogue(page: string, heading: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const [, block = ''] = new RegExp(`${heading}[^\`]*\`\`\`\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  return block
    .replaceAll(/\n {2,}→/g, ' →')
    .trim()
    .split('\n');
}

/** Calls what the lines say, and compares each with its answer. */
async function play(client: Client, lines: readonly string[], steps: readonly Step[]): Promise<void> {
  expect(lines).toHaveLength(steps.length);
  for (const [index, { line, arguments: args, answers }] of steps.entries()) {
    const written = lines[index] ?? '';
    expect(written.slice(0, line.length)).toBe(line);
    const { text } = await call(client, line.split(' ', 1)[0] ?? '', args);
    for (const answer of answers) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain(answer.replace('→', '=>'));
      expect(written.slice(line.length)).toContain(answer);
    }
  }
}

async function startHarbor(): Promise<StartedHarbor> {
  const harbor = await sharedHarbor();
  onTestFinished(async () => void (await harbor.stop()));
  return harbor;
}

it('of an agent at work, in docs/tools.md', async () => {
  const harbor = await startHarbor();
  writeFiles(harbor.project, { 'fleet.lisp': FLEET });
  const client = await harbor.client();
  await call(client, 'eval', { code: `(load "fleet.lisp")\n${SHIPS}` });
  await play(client, dialogue('docs/tools.md', 'An agent at work'), OF_TOOLS);
});

it('of a client of another system, in docs/profiles.md', async () => {
  const harbor = await startHarbor();
  const client = await harbor.client('legacy', { profile: 'cl-mcp-server' });
  await play(client, dialogue('docs/profiles.md', 'A client of cl-mcp-server'), OF_PROFILES);
});
