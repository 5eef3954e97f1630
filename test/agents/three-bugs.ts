/** Three bugs in a library of Debian's, with the tests that it comes with. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Task } from './task.ts';

const LIBRARY = '/usr/share/common-lisp/source/alexandria';

const BUGS = [
  {
    file: 'alexandria-1/lists.lisp',
    name: 'flatten',
    right: '(traverse (cdr subtree)))',
    wrong: '(traverse (car subtree)))',
    seen: /\(traverse \(car subtree\)\)\)/,
  },
  {
    file: 'alexandria-1/numbers.lisp',
    name: 'variance',
    right: '(if biased 0 1)',
    wrong: '(if biased 1 0)',
    seen: /\(if biased 1 0\)/,
  },
  {
    file: 'alexandria-1/sequences.lisp',
    name: 'ends-with',
    right: `(elt sequence (1- len))
                           (return-from ends-with nil)`,
    wrong: `(elt sequence 0)
                           (return-from ends-with nil)`,
    seen: /\(elt sequence 0\)/,
  },
];

/** An agent at a shell has learnt to look at the end of what tests print. */
const TESTING = [
  `sbcl --noinform --non-interactive --eval '(require :asdf)'`,
  `--eval '(asdf:initialize-source-registry (quote (:source-registry (:tree "'$PWD'") :inherit-configuration)))'`,
  `--eval '(asdf:load-system :alexandria-tests)' --eval '(sb-ext:exit :code (if (alexandria-tests::run-tests :compiled nil) 0 1))'`,
  '> run.log 2>&1; code=$?; tail -40 run.log; exit $code',
].join(' ');

export const threeBugs: Task = {
  what: 'three bugs in a library',
  engine: 'sbcl',
  prepare(project) {
    cpSync(LIBRARY, project, { recursive: true });
    for (const { file, right, wrong } of BUGS) {
      const place = path.join(project, file);
      const [before, after, ...more] = readFileSync(place, 'utf8').split(right);
      if (after === undefined || more.length > 0) throw new Error(`${file} has not one ${right}.`);
      writeFileSync(place, `${before}${wrong}${after}`);
    }
  },
  async tools(agent) {
    const testing = { system: 'alexandria-tests' };
    await agent.call('run_tests', testing, /FLATTEN\.1[\s\S]*VARIANCE\.1[\s\S]*ENDS-WITH\.1/);
    for (const { file, name, seen } of BUGS)
      await agent.call('read_file', { path: file, name_pattern: `^${name}$` }, seen);
    const edits = BUGS.map(({ file: path, name, right, wrong }) => ({
      ...{ path, operation: 'patch', form_type: 'defun', form_name: name, old_text: wrong, new_text: right },
    }));
    await agent.call('edit_form', { edits }, /Written/);
    await agent.call('run_tests', testing, /249 passed in 249 tests/);
  },
  shell: [
    TESTING,
    `grep -nE 'defun (flatten|variance|ends-with)' -A 16 alexandria-1/*.lisp`,
    `grep -nE 'deftest (flatten|variance|ends-with)' -A 8 alexandria-1/tests.lisp`,
    [
      `sed -i 's/(traverse (car subtree)))/(traverse (cdr subtree)))/' alexandria-1/lists.lisp`,
      `sed -i 's/(if biased 1 0)/(if biased 0 1)/' alexandria-1/numbers.lisp`,
      `sed -i '/defun ends-with /,/defun map-combinations/s/(elt sequence 0)/(elt sequence (1- len))/' alexandria-1/sequences.lisp`,
    ].join(' && '),
    TESTING,
  ],
  goal: 27_000,
};
