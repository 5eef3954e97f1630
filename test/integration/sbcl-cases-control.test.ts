/** Code that exits, aborts, throws or kills: debugger hooks, threads and signals to its own process. */
import { describe, expect, it } from 'vitest';
import { testCases } from './sbcl-cases';
import { evaluate, sessionsFixture } from './sessions-fixture';

/** Sends a signal to its own process and waits a while. */
const signal = (name: string) => `(progn (sb-unix:unix-kill (sb-unix:unix-getpid) ${name}) (sleep 20))`;

const gone = (how: string) => new RegExp(`^SBCL ${how}\\.$`);

describe('exits', () => {
  testCases([
    {
      what: '(exit)',
      code: '(sb-ext:exit)',
      outcome: 'crashed',
      note: gone('exited with code 0'),
      lost: true,
    },
    {
      what: '(exit :code 7), output before it',
      code: '(progn (write-line "bye") (sb-ext:exit :code 7))',
      outcome: 'crashed',
      output: /^bye\n$/,
      note: gone('exited with code 7'),
      lost: true,
    },
    {
      what: '(exit :abort t)',
      code: '(sb-ext:exit :code 8 :abort t)',
      outcome: 'crashed',
      note: gone('exited with code 8'),
      lost: true,
    },
    {
      what: 'an exit with cleanups',
      code: '(unwind-protect (sb-ext:exit :code 5) (print :cleaned))',
      outcome: 'crashed',
      output: /:CLEANED/,
      note: gone('exited with code 5'),
      lost: true,
    },
    {
      what: 'an exit while a thread does not end',
      code: `(progn
        (sb-thread:make-thread (lambda () (sb-sys:without-interrupts (sleep 30))))
        (sleep 0.1)
        (sb-ext:exit :code 5))`,
      outcome: 'crashed',
      note: gone('exited with code 5'),
      lost: true,
    },
    {
      what: 'an exit from another thread',
      code: '(sb-thread:make-thread (lambda () (sb-ext:exit :code 3))) (sleep 20)',
      outcome: 'crashed',
      note: gone('exited with code 3'),
      lost: true,
    },
    {
      what: 'a core of its own',
      code: '(sb-ext:save-lisp-and-die "user.core")',
      outcome: 'error',
      type: 'SB-IMPL::SAVE-WITH-MULTIPLE-THREADS-ERROR',
    },
    {
      what: 'a fork',
      code: '(sb-posix:fork)',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
      message: 'Cannot fork',
    },
  ]);
});

describe('leaving the evaluation', () => {
  testCases([
    { what: '(abort)', code: '(abort)', outcome: 'interrupted', note: /by the ABORT restart/ },
    {
      what: 'a throw to nobody',
      code: '(throw :nowhere 1)',
      outcome: 'error',
      type: 'SB-INT:SIMPLE-CONTROL-ERROR',
    },
    {
      what: "a throw to the agent's tag",
      code: "(throw 'lisp-harbor-agent::evaluation-ended nil)",
      outcome: 'interrupted',
      note: /a new thread serves the session/,
    },
    {
      what: 'the end of its own thread',
      code: '(sb-thread:abort-thread)',
      outcome: 'interrupted',
      note: /a new thread serves the session/,
    },
    { what: 'a signal that nobody handles', code: '(signal "x") :on', outcome: 'ok', values: [':ON'] },
    { what: 'a correctable error', code: '(cerror "go on" "bad")', outcome: 'error', type: 'SIMPLE-ERROR' },
    { what: '(break)', code: '(break "here")', outcome: 'error', type: 'SIMPLE-CONDITION', message: 'here' },
    {
      what: '(invoke-debugger)',
      code: "(invoke-debugger (make-condition 'warning))",
      outcome: 'error',
      type: 'WARNING',
    },
    {
      what: 'an interactive interrupt',
      code: "(error 'sb-sys:interactive-interrupt)",
      outcome: 'error',
      type: 'SB-SYS:INTERACTIVE-INTERRUPT',
    },
  ]);
});

describe('the debugger', () => {
  testCases([
    {
      what: 'its hooks set to NIL',
      code: '(progn (setf sb-ext:*invoke-debugger-hook* nil *debugger-hook* nil) (error "unhooked"))',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
      message: 'unhooked',
    },
    {
      what: 'its hook set to NIL for all threads',
      code: `(setf (sb-ext:symbol-global-value 'sb-ext:*invoke-debugger-hook*) nil)
        (sb-thread:join-thread (sb-thread:make-thread (lambda () (error "t"))) :default :died)`,
      outcome: 'ok',
      output: /Unhandled SIMPLE-ERROR in thread/,
    },
    {
      what: 'a hook that never returns',
      code: '(progn (setf *debugger-hook* (lambda (c h) (declare (ignore c h)) (loop))) (error "x"))',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
    },
    {
      what: '(disable-debugger)',
      code: '(progn (sb-ext:disable-debugger) (error "x"))',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
    },
    {
      what: '(enable-debugger)',
      code: '(progn (sb-ext:enable-debugger) (error "x"))',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
    },
    {
      what: 'a condition whose report fails',
      code: "(define-condition mute (error) () (:report (lambda (c s) (car s)))) (error 'mute)",
      outcome: 'error',
      type: 'MUTE',
      message: 'error printing a MUTE',
    },
    {
      what: 'a handler that errs',
      code: '(handler-bind ((error (lambda (c) (car c)))) (error "first"))',
      outcome: 'error',
      type: 'TYPE-ERROR',
    },
  ]);
});

describe('threads', () => {
  testCases([
    {
      what: 'one that prints',
      code: '(sb-thread:join-thread (sb-thread:make-thread (lambda () (write-line "from afar") (finish-output) 1)))',
      outcome: 'ok',
      output: /^from afar\n$/,
    },
    {
      what: 'one that errs',
      code: '(sb-thread:join-thread (sb-thread:make-thread (lambda () (error "boom")) :name "w") :default :died)',
      outcome: 'ok',
      output: /Unhandled SIMPLE-ERROR in thread "?w"?, which is ended:\n {2}boom/,
    },
    {
      what: 'one that exhausts its stack',
      code: `(defun deep (n) (+ 1 (deep n)))
        (sb-thread:join-thread (sb-thread:make-thread #'deep :arguments '(0)) :default :died)`,
      outcome: 'ok',
      output: /CONTROL-STACK-EXHAUSTED in thread/,
    },
    {
      what: 'five hundred of them',
      code: "(length (mapcar #'sb-thread:join-thread (loop repeat 500 collect (sb-thread:make-thread (lambda () 1)))))",
      outcome: 'ok',
      values: ['500'],
    },
    {
      what: 'the end of all others',
      code: `(mapc #'sb-thread:terminate-thread (remove sb-thread:*current-thread* (sb-thread:list-all-threads)))
        (sleep 20)`,
      outcome: 'crashed',
      note: gone('exited with code 1'),
      lost: true,
    },
    {
      what: 'the end of the main one',
      code: '(sb-thread:terminate-thread (sb-thread:main-thread)) (sleep 20)',
      outcome: 'crashed',
      note: gone('exited with code 1'),
      lost: true,
    },
    {
      what: 'a timer that errs',
      code: '(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (error "timer"))) 0.05) (sleep 20)',
      outcome: 'error',
      type: 'SIMPLE-ERROR',
      message: 'timer',
    },
  ]);
});

describe('signals to itself', () => {
  testCases([
    {
      what: 'SIGKILL',
      code: signal('sb-unix:sigkill'),
      outcome: 'crashed',
      note: gone('was killed by SIGKILL'),
      lost: true,
    },
    {
      what: 'SIGTERM',
      code: signal('sb-unix:sigterm'),
      outcome: 'crashed',
      note: gone('exited with code 0'),
      lost: true,
    },
    {
      what: 'SIGHUP',
      code: signal('sb-unix:sighup'),
      outcome: 'crashed',
      note: gone('was killed by SIGHUP'),
      lost: true,
    },
    {
      what: 'SIGUSR1',
      code: signal('sb-unix:sigusr1'),
      outcome: 'crashed',
      note: gone('was killed by SIGUSR1'),
      lost: true,
    },
    {
      what: 'SIGABRT',
      code: signal('6'),
      outcome: 'crashed',
      note: gone('exited with code 1 because its runtime reported a fatal error'),
      lost: true,
    },
    { what: 'SIGINT', code: signal('sb-unix:sigint'), outcome: 'interrupted' },
    {
      what: 'SIGPIPE',
      code: '(sb-unix:unix-kill (sb-unix:unix-getpid) sb-unix:sigpipe) :on',
      outcome: 'ok',
      values: [':ON'],
    },
    {
      what: 'SIGKILL from a child',
      code: '(sb-ext:run-program "/bin/sh" (list "-c" (format nil "kill -9 ~D" (sb-unix:unix-getpid))))',
      outcome: 'crashed',
      note: gone('was killed by SIGKILL'),
      lost: true,
    },
  ]);
});

it('SIGSEGV to itself harms at most the thread that it happens to meet, and that is replaced', async () => {
  const { sessions, open } = sessionsFixture();
  const session = await open();
  const code = '(progn (sb-unix:unix-kill (sb-unix:unix-getpid) sb-unix:sigsegv) (sleep 0.1))';
  const row = await evaluate(session, code).settled;
  expect([undefined, 'SB-SYS:MEMORY-FAULT-ERROR']).toContain(row.condition?.type);
  const { promise: streamed, resolve } = Promise.withResolvers<void>();
  sessions.events.on('output', ({ text }) => text.includes('ready') && resolve());
  const next = evaluate(session, '(progn (princ "ready") (loop))');
  await streamed;
  await session.cancel(next);
  const last = await evaluate(session, '(+ 1 2)').settled;
  expect(last).toMatchObject({ outcome: 'ok', forms: [{ values: ['3'] }] });
  expect(session.view().generation).toBe(1);
});
