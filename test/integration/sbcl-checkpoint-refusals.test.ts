/** What prevents or interrupts a checkpoint or a branch of an SBCL image, and what they cannot contain. */
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { HarborError } from '../../electron/contract/errors';
import { LocalLauncher } from '../../electron/launchers/local';
import { sampled } from '../rounds';
import { keptFolder, LAUNCHERS, SAVING_MS, SavableImage } from './sbcl-checkpointing';

vi.setConfig({ testTimeout: SAVING_MS });

const LOOP = '(progn (write-line "ready") (finish-output) (loop))';

/**
 * Defines (limit RESOURCE VALUE), which sets a soft limit of the process (setrlimit(2), numbers of Linux).
 */
const LIMIT = `
  (defun limit (resource value)
    (sb-alien:with-alien ((limit (array sb-alien:unsigned-long 2)))
      (macrolet ((call (name)
                   \`(sb-alien:alien-funcall
                     (sb-alien:extern-alien ,name (function sb-alien:int sb-alien:int (* t)))
                     resource (sb-alien:alien-sap limit))))
        (call "getrlimit")
        (setf (sb-alien:deref limit 0) value)
        (call "setrlimit"))))`;

const local = () => new LocalLauncher('a test');

/** The errors of saving into a folder that must stay empty, and of branching. */
async function refusals(image: SavableImage): Promise<HarborError[]> {
  const kept = keptFolder();
  const [save, branch] = await Promise.allSettled([
    image.checkpoints.save(path.join(kept, 'checkpoint')),
    image.brancher.branch(),
  ]);
  expect(await readdir(kept)).toEqual([]);
  expect(await image.leftovers()).toEqual([]);
  return [save, branch].map((settled) => (settled.status === 'rejected' ? settled.reason : undefined));
}

describe('an image that is busy is refused', () => {
  it('while an evaluation runs, or is held in the debugger', async () => {
    const image = await SavableImage.start(local());
    const { settled } = await image.image.running(LOOP);
    for (const refused of await refusals(image)) expect(refused).toMatchObject({ code: 'busy' });
    await image.image.interrupt('cooperative');
    await settled;
    const held = Promise.withResolvers<void>();
    const watcher = { suspended: () => held.resolve(), exited: () => undefined };
    const request = { id: 77, code: '(car 1)', onError: 'debug' as const };
    const outcome = image.image.image.evaluate(request, () => undefined, watcher);
    await held.promise;
    for (const refused of await refusals(image)) expect(refused).toMatchObject({ code: 'busy' });
    await image.image.image.debugger?.abort(0);
    expect((await outcome).outcome).toBe('error');
    expect(await image.values('(+ 1 2)')).toEqual([['3']]);
  });

  it('not because of what is asked of it: that is waited for', async () => {
    const image = await SavableImage.start(local());
    const asked = [1, 2, 3].map(() => image.image.image.knowledge?.describe({ symbol: 'cl:print-object' }));
    const branch = await image.branch();
    expect(await Promise.all(asked)).toHaveLength(3);
    await branch.image.end();
  });
});

describe('threads of the image', () => {
  it('prevent a copy and are named; they and all else go on', async () => {
    const image = await SavableImage.start(local());
    await image.values(`
      (defvar *beats* 0)
      (defvar *threads*
        (list (sb-thread:make-thread (lambda () (loop (incf *beats*) (sleep 0.01))) :name "heart")
              (sb-thread:make-thread (lambda () (sleep 1000)))))
      (defvar *here* 42)`);
    for (const refused of await refusals(image)) {
      expect(refused.code).toBe('threads_running');
      expect(refused.message).toMatch(/"heart".*a thread without a name|a thread without a name.*"heart"/);
      expect(refused.message).toContain('sb-thread:terminate-thread');
    }
    const beats =
      '(let ((beats *beats*)) (sb-ext:with-timeout 20 (loop until (> *beats* beats) do (sleep 0.01))) *here*)';
    expect(await image.values(beats)).toEqual([['42']]);
    expect(await image.values('(progn (format t "printed") *)')).toEqual([['42']]);
    await image.values('(mapc (function sb-thread:terminate-thread) *threads*) nil');
    const branch = await image.branch();
    expect((await branch.evaluate('*here*')).values).toEqual([['42']]);
  });

  it('that have just ended prevent nothing', async () => {
    const image = await SavableImage.start(local());
    for (const _round of [1, 2, 3]) {
      await image.values(`
        (mapcar #'sb-thread:join-thread (loop repeat 10 collect (sb-thread:make-thread (lambda () (make-list 1000)))))`);
      const branch = await image.branch();
      await branch.image.end();
    }
  });
});

const TRIED = sampled('sbcl-checkpoint-refusals', LAUNCHERS, 1);

describe.each(TRIED)('an image that runs %s and cannot be saved', (_how, launcher) => {
  it('says why, leaves nothing behind and goes on', async () => {
    const image = await SavableImage.start(await launcher());
    const failure = async () => (await refusals(image))[0];
    await image.values('(defvar *here* 42)');

    await image.values('(push (lambda () (error "not with me")) sb-ext:*save-hooks*)');
    expect(await failure()).toMatchObject({
      code: 'checkpoint_failed',
      message: expect.stringContaining('not with me'),
    });
    await image.values(
      '(setf sb-ext:*save-hooks* (list (lambda () (sb-ext:run-program "/bin/sh" (list "-c" "kill -9 $PPID")))))',
    );
    expect(await failure()).toMatchObject({
      code: 'checkpoint_failed',
      message: expect.stringContaining('killed by SIGKILL'),
    });
    await image.values('(setf sb-ext:*save-hooks* nil)');

    await image.values(LIMIT);
    await image.values('(limit 7 5)'); // RLIMIT_NOFILE
    expect(await refusals(image)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('Too many open files') }),
      expect.objectContaining({ message: expect.stringContaining('Too many open files') }),
    ]);
    await image.values('(limit 7 1000)');
    const branch = await image.branch();
    expect((await branch.evaluate('*here*')).values).toEqual([['42']]);

    // RLIMIT_FSIZE, to simulate a full disk: 20 MB are less than any core.
    await image.values('(sb-sys:enable-interrupt sb-unix:sigxfsz :ignore) (limit 1 20000000)');
    expect(await failure()).toMatchObject({
      code: 'checkpoint_failed',
      message: expect.stringContaining('File too large'),
    });
    expect(await image.values('*here*')).toEqual([['42']]);
  });

  it('because it ends meanwhile says so, and leaves nothing behind', async () => {
    const image = await SavableImage.start(await launcher());
    await image.holdSaving();
    const kept = keptFolder();
    const saving = image.checkpoints.save(path.join(kept, 'checkpoint'));
    const failed = expect(saving).rejects.toMatchObject({
      code: expect.stringMatching(/checkpoint_failed|image_lost/),
    });
    await image.values('(+ 1 2)');
    await image.image.image.end();
    await failed;
    expect(await readdir(kept)).toEqual([]);
    expect(await image.leftovers()).toEqual([]);
    await expect(image.brancher.branch()).rejects.toMatchObject({ code: 'image_lost' });
  });
});

describe('what no checkpoint carries', () => {
  it('is told, and is closed where it starts', async () => {
    const image = await SavableImage.start(local());
    await image.values(`
      (defvar *file* (open "notes.txt" :direction :output :if-exists :supersede))
      (defvar *socket* (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp))
      (defvar *program* (sb-ext:run-program "/bin/cat" () :wait nil :input :stream))
      (sb-alien:load-shared-object "libz.so.1")
      (sb-ext:schedule-timer (sb-ext:make-timer (lambda ()) :name "alarm") 1000)`);
    const { file, missing } = await image.save();
    expect(missing).toEqual([
      expect.stringContaining(`An open file, ${image.request.project}/notes.txt`),
      expect.stringContaining('A socket'),
      expect.stringContaining('A pipe'),
      expect.stringContaining('A timer, "alarm"'),
      expect.stringMatching(/A program that was started, process \d+/),
      expect.stringContaining('libz.so.1'),
    ]);
    const restored = await SavableImage.start(local(), file);
    const { condition } = await restored.image.evaluate(
      '(progn (write-line "lost" *file*) (finish-output *file*))',
    );
    expect(condition?.type).toContain('CLOSED');
    // Its end must not reach another process with the reused pid.
    await restored.image.image.end();
    expect(await image.values('(sb-ext:process-alive-p *program*)')).toEqual([['T']]);
  });
});

describe('a checkpoint', () => {
  it('whose file is gone, or is none, is an error at the start', async () => {
    const kept = keptFolder();
    await expect(SavableImage.start(local(), path.join(kept, 'gone'))).rejects.toMatchObject({
      code: 'unknown_checkpoint',
    });
    const script = path.join(kept, 'script');
    await writeFile(script, '#!/bin/sh\necho "no core" >&2; exit 3\n');
    await chmod(script, 0o700);
    await expect(SavableImage.start(local(), script)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('no core'),
    });
  });

  it('of another version of the harbor is refused at once', async () => {
    const script = path.join(keptFolder(), 'script');
    await writeFile(
      script,
      `#!/bin/sh\necho '{"event":"hello","protocol":99,"version":"9","package":"CL-USER"}' >&3; read -r line <&3; exit 0\n`,
    );
    await chmod(script, 0o700);
    await expect(SavableImage.start(local(), script)).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining('another version of Lisp Harbor'),
    });
  });

  it('that cannot be written where the image saves itself, or kept, is none', async () => {
    const image = await SavableImage.start(local());
    await expect(image.checkpoints.save('/nowhere/checkpoint')).rejects.toMatchObject({
      code: 'checkpoint_failed',
      message: expect.stringContaining('ENOENT'),
    });
    await rm(image.request.checkpoints, { recursive: true });
    await expect(image.save()).rejects.toMatchObject({
      code: 'checkpoint_failed',
      message: expect.stringContaining('No such file or directory'),
    });
    await mkdir(image.request.checkpoints);
    expect(await image.values('(+ 1 2)')).toEqual([['3']]);
  });
});
