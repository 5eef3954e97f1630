/** Code that does not end, or takes all there is, beside state that must not be lost. */
import type { Task } from './task.ts';

const LOOP = '(loop)';
const RECURSION = '(labels ((down (n) (1+ (down n)))) (down 0))';
const HEAP = '(let ((all ())) (loop (push (make-array 1000000) all)))';
const FLOOD = '(loop (print :more))';
const DEAF = '(sb-sys:without-interrupts (loop (sleep 1)))';

/** At a shell each attempt is a process of its own, which has to build the state anew. */
const attempt = (form: string) =>
  `echo '(defvar *state* (list 1 2 3)) ${form}' > attempt.lisp; timeout -k 1 2 sbcl --noinform --non-interactive --load attempt.lisp 2>&1 | tail -40`;

export const runaways: Task = {
  what: 'five runaways',
  engine: 'sbcl',
  prepare() {},
  async tools(agent) {
    await agent.call('eval', { code: '(defvar *state* (list 1 2 3))' }, /STATE/);
    for (const code of [LOOP, FLOOD, DEAF])
      await agent.call('eval', { code, limit_ms: 1_000 }, /interrupted/);
    await agent.call('eval', { code: RECURSION }, /stack exhausted/i);
    await agent.call('eval', { code: HEAP }, /heap exhausted|filled the heap/i);
    await agent.call('eval', { code: '*state*' }, /\(1 2 3\)/);
  },
  shell: [
    ...[LOOP, FLOOD, DEAF, RECURSION, HEAP].map(attempt),
    `sbcl --noinform --non-interactive --eval '(defvar *state* (list 1 2 3))' --eval '(print *state*)'`,
  ],
  goal: 10_800,
};
