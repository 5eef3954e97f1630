/** Branches of SBCL images: forks that are used and discarded, with and without bubblewrap. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Image } from '../../electron/images/image';
import { sampled } from '../rounds';
import { LAUNCHERS, SavableImage } from './sbcl-checkpointing';
import type { TestImage } from './test-image';

/** Loops so that only SIGKILL ends it; prints "ready" first. */
const STUCK = '(sb-sys:without-interrupts (write-line "ready") (finish-output) (loop (sleep 0.1)))';

/**
 * Sends SBCL's own signal to a thread that a garbage collection waits for: the wire's signal waits for one
 * that never arrives.
 */
const PARALYSE = 'SIGUSR2';

async function pidOf(image: Image): Promise<number> {
  const usage = await image.usage();
  if (!usage) throw new Error('the image has no process');
  return usage.pid;
}

/** Whether process `pid` exists and is not a zombie, which init may not have reaped yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The children of process `pid`, including zombies. */
function childrenOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

function valuesOf(image: TestImage, code: string): Promise<string[][]> {
  return image.evaluate(code).then(({ values }) => values);
}

const TRIED = sampled('sbcl-branches', LAUNCHERS, 1);

describe.each(TRIED)('a branch of an image that runs %s', (_how, launcher) => {
  it('has the same state, from then on for itself', async () => {
    const image = await SavableImage.start(await launcher());
    await image.values(`
      (defpackage :app (:use :cl)) (in-package :app)
      (defvar *data* (make-array (* 32 1024 1024) :element-type '(unsigned-byte 8) :initial-element 1))
      (defvar *count* 1) (defun count-on () (sb-ext:gc :full t) (incf *count* (aref *data* 4711)))
      (count-on)`);
    const branch = await image.branch();
    expect(branch.image.package).toBe('APP');
    expect(branch.image.sandbox).toEqual(image.image.image.sandbox);
    expect(await valuesOf(branch, '*')).toEqual([['2']]);
    const both = await Promise.all([
      valuesOf(branch, '(dotimes (i 5 *count*) (count-on))'),
      image.values('(count-on)'),
    ]);
    expect(both).toEqual([[['7']], [['3']]]);
    // It is an image like any other and can have branches itself.
    const inner = await branch.image.brancher?.branch();
    const { forms } = (await inner?.evaluate({ id: 9, code: '(count-on)' }, () => undefined)) ?? {};
    expect(forms?.[0]?.values).toEqual(['8']);
    await inner?.end();
    expect(await valuesOf(branch, '*count*')).toEqual([['7']]);
    await branch.image.end();
    expect(await branch.image.ended).toMatchObject({ expected: true });
    expect(await image.values('*count*')).toEqual([['3']]);
    expect(image.log.warnings).toEqual([]);
  });

  it('tells its own process and memory, is reaped when it ends, and says how it did', async () => {
    const image = await SavableImage.start(await launcher());
    const parent = await pidOf(image.image.image);
    const [ending, leaving, killed] = [await image.branch(), await image.branch(), await image.branch()];
    const pids = await Promise.all([ending, leaving, killed].map((branch) => pidOf(branch.image)));
    expect(new Set([parent, ...pids]).size).toBe(4);
    await ending.image.end();
    expect(await ending.image.usage()).toBeNull();
    expect((await leaving.evaluate('(sb-ext:exit :code 7 :abort t)')).notes).toEqual([
      'SBCL exited with code 7.',
    ]);
    process.kill(pids[2] ?? 0, 'SIGKILL');
    expect(await killed.image.ended).toEqual({ description: 'SBCL was killed by SIGKILL', expected: false });
    expect(await killed.evaluate('1')).toMatchObject({ outcome: 'crashed' });
    expect(childrenOf(parent)).toBe('');
    expect(await image.values('(+ 1 2)')).toEqual([['3']]);
  });

  it('is interrupted and debugged while the image that it came from works', async () => {
    const image = await SavableImage.start(await launcher());
    const branch = await image.branch();
    const parentWorks = await image.image.running(
      '(progn (write-line "ready") (finish-output) (loop (sleep 0.1)))',
    );
    const branchWorks = await branch.running(
      '(progn (write-line "ready") (finish-output) (loop (sleep 0.1)))',
    );
    expect(await branch.interrupt('cooperative')).toBe(true);
    expect((await branchWorks.settled).outcome).toBe('interrupted');
    expect((await branch.evaluate('(sb-ext:with-timeout 0.1 (loop))')).condition?.type).toBe('TIMEOUT');
    expect(await image.image.interrupt('cooperative')).toBe(true);
    expect((await parentWorks.settled).outcome).toBe('interrupted');
    expect(await branch.image.knowledge?.describe({ symbol: 'cl:car' })).toBeDefined();
  });

  it('prints into its own evaluation, also what does not come from Lisp', async () => {
    const image = await SavableImage.start(await launcher());
    const branch = await image.branch();
    const print = (name: string) => `
      (progn (format t "${name} é~%") (finish-output)
             (sb-ext:run-program "/bin/sh" '("-c" "echo ${name} ö; echo ${name} ü >&2") :output nil)
             (flet ((raw (descriptor text)
                      (let ((octets (sb-ext:string-to-octets text :external-format :utf-8)))
                        (sb-unix:unix-write descriptor octets 0 (length octets)))))
               (raw 1 (format nil "${name} ö~%")) (raw 2 (format nil "${name} ü~%"))) :printed)`;
    const [inner, outer] = await Promise.all([
      branch.evaluate(print('branch')),
      image.image.evaluate(print('parent')),
    ]);
    for (const [name, { stdout, stderr }] of [
      ['branch', inner],
      ['parent', outer],
    ] as const) {
      expect(stdout).toBe(`${name} é\n${name} ö\n`);
      expect(stderr).toBe(`${name} ü\n`);
    }
  });

  it('has all that does not come from Lisp in its evaluation, also when that is over before anybody reads it', async () => {
    const image = await SavableImage.start(await launcher());
    const branch = await image.branch();
    // The image blocks on reading until the branch, after reporting that it is done, requests more.
    await branch.evaluate(`
      (sb-int:encapsulate 'lisp-harbor-agent::next-request 'go-on
        (lambda (next-request) (sb-posix:kill (sb-posix:getppid) sb-posix:sigcont) (funcall next-request)))`);
    const printed = await branch.evaluate(`
      (sb-posix:kill (sb-posix:getppid) sb-posix:sigstop)
      (sb-posix:fcntl 1 1031 131072) ; F_SETPIPE_SZ
      (sb-unix:unix-write 1 (make-array 131072 :element-type '(unsigned-byte 8) :initial-element 120) 0 131072)`);
    expect(printed).toMatchObject({ outcome: 'ok', stdout: 'x'.repeat(131_072) });
    expect(await branch.evaluate('(+ 1 2)')).toMatchObject({ values: [['3']], notes: [], stdout: '' });
  });

  it('is made also of an image whose threads and descriptors its code has ended', async () => {
    const image = await SavableImage.start(await launcher());
    expect((await image.image.evaluate('(sb-thread:abort-thread)')).outcome).toBe('interrupted');
    await image.values(`
      (dolist (thread (sb-thread:list-all-threads))
        (when (equal (sb-thread:thread-name thread) "lisp-harbor output") (sb-thread:terminate-thread thread)))
      (mapc #'sb-unix:unix-close '(0 1 2))`);
    const branch = await image.branch();
    const raw = `
      (loop for descriptor in '(1 2)
            do (sb-unix:unix-write descriptor (sb-ext:string-to-octets "raw") 0 3))
      (sb-posix:s-issock (sb-posix:stat-mode (sb-posix:fstat 3)))`;
    const { stdout, stderr, values } = await branch.evaluate(raw);
    expect({ stdout, stderr, values }).toEqual({ stdout: 'raw', stderr: 'raw', values: [['NIL'], ['T']] });
    expect(await image.values('(+ 1 2)')).toEqual([['3']]);
  });

  it('ends with the image that it came from, in whatever state both are', async () => {
    const image = await SavableImage.start(await launcher());
    const [idle, stuck, paralysed] = [await image.branch(), await image.branch(), await image.branch()];
    const branches = [idle, stuck, paralysed];
    const pids = await Promise.all(branches.map((branch) => pidOf(branch.image)));
    const { settled } = await stuck.running(STUCK);
    process.kill(await pidOf(paralysed.image), PARALYSE);
    process.kill(await pidOf(image.image.image), 'SIGKILL');
    await Promise.all(branches.map((branch) => branch.image.ended));
    expect((await settled).outcome).toBe('crashed');
    await until(() => !pids.some(isAlive));
  });

  it('that hangs keeps nobody waiting, and can be ended', async () => {
    const image = await SavableImage.start(await launcher());
    const [stopped, looping, flooding] = [await image.branch(), await image.branch(), await image.branch()];
    const pids = await Promise.all([stopped, looping, flooding].map((branch) => pidOf(branch.image)));
    process.kill(pids[0] ?? 0, 'SIGSTOP');
    // More than the socket buffers hold.
    const unanswered = stopped.evaluate(`(length "${'x'.repeat(2_000_000)}")`);
    const stuck = await looping.running(STUCK);
    const flood = await flooding.running('(progn (write-line "ready") (loop (write-line "flood")))');
    expect(await image.values('(+ 1 2)')).toEqual([['3']]);
    const busy = await image.image.running('(progn (write-line "ready") (finish-output) (loop (sleep 0.1)))');
    expect(await image.image.interrupt('cooperative')).toBe(true);
    expect((await busy.settled).outcome).toBe('interrupted');
    await Promise.all([stopped, looping, flooding].map((branch) => branch.image.end()));
    const outcomes = await Promise.all([unanswered, stuck.settled, flood.settled]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['crashed', 'crashed', 'crashed']);
    expect(childrenOf(await pidOf(image.image.image))).toBe('');
    expect(await image.values('(+ 1 2)')).toEqual([['3']]);
  });

  it('has no part in programs and timers of the image that it came from', async () => {
    const image = await SavableImage.start(await launcher());
    await image.values(`
      (defvar *ticks* 0)
      (defvar *program* (sb-ext:run-program "/bin/cat" () :wait nil :input :stream :output :stream))
      (sb-ext:schedule-timer (sb-ext:make-timer (lambda () (incf *ticks*))) 0.01 :repeat-interval 0.01)`);
    const ticked =
      '(let ((ticks *ticks*)) (sb-ext:with-timeout 20 (loop until (> *ticks* (+ 3 ticks)) do (sleep 0.01))) t)';
    // The timer may go off at any point of the making of a branch.
    for (let round = 0; round < 8; round += 1) {
      const branch = await image.branch();
      expect(await image.values(ticked)).toEqual([['T']]);
      expect(await valuesOf(branch, '(sb-ext:list-all-timers)')).toEqual([['NIL']]);
      await branch.image.end();
    }
    const echo =
      '(let ((in (sb-ext:process-input *program*))) (write-line "x" in) (finish-output in) (read-line (sb-ext:process-output *program*)))';
    expect(await image.values(echo)).toEqual([['"x"', 'NIL']]);
  });
});
