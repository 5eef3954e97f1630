/** Output of SBCL: separate streams, in order, while the code runs; raw descriptors; large output. */
import { expect, it } from 'vitest';
import { startImage } from './sbcl-fixture';

it('tells stdout, stderr and trace output apart, in the order they came', async () => {
  const image = await startImage();
  const { output } = await image.evaluate(`
    (defun traced (x) (format t "inside") x)
    (format t "one") (format *error-output* "two") (format t "three")
    (trace traced) (traced 1)`);
  expect(output.map(([stream]) => stream)).toEqual([
    'stdout',
    'stderr',
    'stdout',
    'stderr',
    'stdout',
    'stderr',
  ]);
  expect(output.slice(0, 3).map(([, text]) => text)).toEqual(['one', 'two', 'three']);
  expect(output[3]?.[1]).toContain('0: (TRACED 1)');
  expect(output[4]?.[1]).toBe('inside');
  expect(output[5]?.[1]).toContain('TRACED returned 1');
});

it('starts each evaluation at the first column', async () => {
  const image = await startImage();
  await image.evaluate('(format t "no newline")');
  expect((await image.evaluate('(format t "~&~10Tx")')).stdout).toBe('          x');
});

it('streams while the code runs', async () => {
  const image = await startImage();
  const { settled } = await image.running('(progn (write-string "ready") (loop))');
  await image.interrupt('cooperative');
  expect(await settled).toMatchObject({ outcome: 'interrupted', stdout: 'ready' });
});

it('streams also after code has ended the thread that sends output', async () => {
  const image = await startImage();
  await image.evaluate(`
    (let ((flusher (find "lisp-harbor output" (sb-thread:list-all-threads) :key #'sb-thread:thread-name :test #'equal)))
      (sb-thread:terminate-thread flusher)
      (sb-thread:join-thread flusher :default nil))`);
  const { settled } = await image.running('(progn (write-string "ready") (loop))');
  await image.interrupt('cooperative');
  expect((await settled).stdout).toBe('ready');
});

it('survives code that sets or closes its streams', async () => {
  const image = await startImage();
  await image.evaluate('(setf *standard-output* (make-broadcast-stream))');
  expect((await image.evaluate('(write-string "heard")')).stdout).toBe('heard');
  await image.evaluate('(close *standard-output*) (close *standard-input*)');
  expect((await image.evaluate('(write-string "again")')).stdout).toBe('again');
});

it('gives bytes on descriptors 1 and 2 to the evaluation that runs, UTF-8 or not', async () => {
  const image = await startImage();
  const { stdout, stderr } = await image.evaluate(`
    (flet ((write-raw (descriptor &rest octets)
             (let ((bytes (coerce octets '(vector (unsigned-byte 8)))))
               (sb-unix:unix-write descriptor bytes 0 (length bytes)))))
      (write-raw 1 #xC3 #xA9 10)
      (write-raw 2 #xFF 65 10))`);
  expect(stdout).toBe('é\n');
  expect(stderr).toBe('\ufffdA\n');
});

it('hears child processes, which do not get the wire', async () => {
  const image = await startImage();
  const { stdout, values } = await image.evaluate(`
    (alien-funcall (extern-alien "system" (function int c-string)) "echo from a child; test ! -e /proc/self/fd/3")`);
  expect(stdout).toBe('from a child\n');
  expect(values).toEqual([['0']]);
});

it('decodes what a program prints to the session, UTF-8 or not', async () => {
  const image = await startImage();
  const { outcome, stdout, stderr } = await image.evaluate(`
    (sb-ext:run-program "/bin/sh" '("-c" "printf 'a\\\\377\\\\303\\\\251\\\\n'; echo bad >&2")
                        :output *standard-output* :error (make-synonym-stream '*error-output*))`);
  expect({ outcome, stdout, stderr }).toEqual({ outcome: 'ok', stdout: 'a\ufffdé\n', stderr: 'bad\n' });
});

it('carries 5 MB whole', async () => {
  const image = await startImage();
  const { outcome, stdout } = await image.evaluate(
    '(dotimes (i 50000) (format t "~6,\'0D~A~%" i (make-string 93 :initial-element #\\x)))',
  );
  expect(outcome).toBe('ok');
  expect(stdout.length).toBe(5_000_000);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.every((line, index) => line === String(index).padStart(6, '0') + 'x'.repeat(93))).toBe(true);
});

it('loses nothing of what a thread prints between two evaluations', async () => {
  const image = await startImage();
  const first = await image.evaluate(`
    (defvar *gate* (sb-thread:make-semaphore))
    (defvar *writer* (sb-thread:make-thread
      (lambda () (sb-thread:wait-on-semaphore *gate*) (write-line "late words") (finish-output))))
    (sb-thread:signal-semaphore *gate*)`);
  const second = await image.evaluate('(sb-thread:join-thread *writer*)');
  const heard = [first.stdout, ...second.notes, second.stdout].filter((text) => text.includes('late words'));
  expect(heard).toHaveLength(1);
});

it('tells on stderr that a thread died, and goes on', async () => {
  const image = await startImage();
  const { outcome, stderr } = await image.evaluate(`
    (sb-thread:join-thread (sb-thread:make-thread (lambda () (error "boom")) :name "worker") :default :died)`);
  expect(outcome).toBe('ok');
  expect(stderr).toMatch(/Unhandled SIMPLE-ERROR in thread "?worker"?, which is ended:\n {2}boom/);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});
