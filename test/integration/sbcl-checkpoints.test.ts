/** Saving SBCL images and starting from checkpoints, with and without bubblewrap. */
import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SbclEngine } from '../../electron/images/sbcl/engine';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import { LocalLauncher } from '../../electron/launchers/local';
import { sampled } from '../rounds';
import { keptFolder, LAUNCHERS, SAVING_MS, SavableImage } from './sbcl-checkpointing';
import { HEAP_MIB, recordedLog, SOURCES, startRequest } from './sbcl-fixture';
import { TestImage } from './test-image';

vi.setConfig({ testTimeout: SAVING_MS });

/** State of many kinds, and code that checks all of it. */
const STATE = `
  (defpackage :app (:use :cl))
  (in-package :app)
  (defvar *count* 41)
  (defun next () (incf *count*))
  (defclass point () ((x :initarg :x :accessor x-of)))
  (defvar *point* (make-instance 'point :x 7))
  (defvar *table* (let ((table (make-hash-table :test 'eq))) (setf (gethash *point* table) :found) table))
  (trace next)
  (setf *print-base* 16)
  (next)`;
const LOOK = '(list (next) (gethash *point* *table*) (x-of *point*) (trace) (package-name *package*))';

const TRIED = sampled('sbcl-checkpoints', LAUNCHERS, 1);

describe.each(TRIED)('an image that runs %s', (_how, launcher) => {
  it('is there again after a restore, and goes on itself', async () => {
    const image = await SavableImage.start(await launcher());
    await image.values(STATE);
    await image.image.evaluate('(list *point*)', { keepValues: true });
    const inspected = await image.image.image.inspector?.inspect({
      start: { evaluation: 2 },
      path: [],
      offset: 0,
    });
    const { file, bytes, missing } = await image.save();
    expect(missing).toEqual([]);
    expect(bytes).toBe((await stat(file)).size);
    expect(await image.leftovers()).toEqual([]);
    for (const each of [image, await SavableImage.start(await launcher(), file)]) {
      expect(each.image.image.package).toBe('APP');
      expect(await each.values('(eq (first *) *point*) (first **)')).toEqual([['T'], [expect.any(String)]]);
      expect(await each.values(LOOK)).toEqual([['(2B :FOUND 7 (NEXT) "APP")']]);
      const again = await each.image.image.inspector?.inspect({
        start: { evaluation: 2 },
        path: [],
        offset: 0,
      });
      expect(again?.object).toBe(inspected?.object);
      expect(each.log.warnings).toEqual([]);
    }
  });

  it('starts from a checkpoint in surroundings of its own', async () => {
    const image = await SavableImage.start(await launcher());
    const surroundings = `
      (namestring *default-pathname-defaults*) (namestring (user-homedir-pathname))
      (namestring (uiop:temporary-directory)) (namestring (asdf:apply-output-translations "/x/y.fasl"))
      (sb-ext:posix-getenv "CL_SOURCE_REGISTRY") (ash (sb-ext:dynamic-space-size) -20)
      (asdf:initialize-source-registry)
      (loop repeat 20 collect (random 1000000))`;
    await image.values(`
      (defvar *fired* nil)
      (defvar *timer* (sb-ext:make-timer (lambda () (setf *fired* t)) :name "tea"))
      (sb-ext:schedule-timer *timer* 1000)`);
    const before = await image.values(surroundings);
    const { file, missing } = await image.save();
    expect(missing).toEqual([expect.stringContaining('"tea"')]);
    const goesOff = `
      (sb-ext:schedule-timer *timer* 0)
      (sb-ext:with-timeout 20 (loop until *fired* do (sleep 0.01)))`;
    expect(await image.values(`(length (sb-ext:list-all-timers)) ${goesOff}`)).toEqual([
      ['1'],
      expect.anything(),
      ['NIL'],
    ]);
    const restored = await SavableImage.start(await launcher(), file);
    const after = await restored.values(surroundings);
    const { project, home } = restored.request;
    expect(after.slice(0, 6).flat()).toEqual([
      `"${project}/"`,
      `"${home}/"`,
      `"${home}/tmp/"`,
      expect.stringContaining(`"${home}/.cache/common-lisp/`),
      expect.stringContaining(`(:tree \\"${project}/\\")`),
      String(HEAP_MIB),
    ]);
    expect(after.at(-1)).not.toEqual(before.at(-1));
    expect(await restored.values(`(list (sb-ext:list-all-timers) *fired*) ${goesOff}`)).toEqual([
      ['(NIL NIL)'],
      expect.anything(),
      ['NIL'],
    ]);
  });
});

describe('a checkpoint', () => {
  it('of 100 MB is made while the image answers, which is not saved a second time meanwhile; so does what was saved, also when saved again', async () => {
    const launcher = new BubblewrapLauncher(readHostLayout());
    const image = await SavableImage.start(launcher);
    await image.values(`
      (defvar *data* (loop repeat 100 collect (make-array (* 1024 1024) :element-type '(unsigned-byte 8) :initial-element 1)))
      (defun sum () (sb-ext:gc :full t) (loop for each in *data* sum (aref each 4711)))`);
    const file = path.join(keptFolder(), 'checkpoint');
    const goOn = await image.holdSaving();
    const saving = image.checkpoints.save(file);
    const answers = async () => expect(await image.values('(+ 1 2)')).toEqual([['3']]);
    await answers();
    await expect(image.checkpoints.save(path.join(keptFolder(), 'second'))).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining('already being saved'),
    });
    await answers();
    goOn();
    const saved = saving.then(() => true);
    while (!(await Promise.race([saved, delay(20, false)]))) await answers();
    expect((await saving).bytes).toBeGreaterThan(100 * 1024 * 1024);
    expect(await image.values('(sum)')).toEqual([['100']]);
    const restored = await SavableImage.start(launcher, file);
    // The file is running, so its name is no longer needed.
    await rm(file);
    await restored.values('(defvar *more* 1) (setf *data* (last *data* 2))');
    const again = await restored.save();
    expect(await restored.values('(sum)')).toEqual([['2']]);
    expect(await (await SavableImage.start(launcher, again.file)).values('(+ (sum) *more*)')).toEqual([
      ['3'],
    ]);
  });

  it('may be one of a branch, and of what started from that', async () => {
    const image = await SavableImage.start(new LocalLauncher('a test'));
    const branch = await image.branch();
    await branch.evaluate('(defvar *of-branch* 1)');
    const file = path.join(keptFolder(), 'checkpoint');
    const saved = await branch.image.checkpoints?.save(file);
    expect(saved?.missing).toEqual([]);
    expect(await image.leftovers()).toEqual([]);
    const restored = await SavableImage.start(new LocalLauncher('a test'), file);
    await restored.image.image.knowledge?.describe({ symbol: 'cl:car' });
    const again = await restored.branch();
    expect((await again.evaluate('(incf *of-branch*)')).values).toEqual([['2']]);
    expect(await restored.values('*of-branch*')).toEqual([['1']]);
    expect((await image.image.evaluate('*of-branch*')).outcome).toBe('error');
  });

  it('starts where the SBCL of the machine works no more, with calls as they were', async () => {
    const saved = await SavableImage.start(new LocalLauncher('a test'));
    // Saving does not make calls direct: SBCL would disassemble all code for it.
    const undirected = "(sb-int:encapsulated-p 'sb-vm::statically-link-core :lisp-harbor)";
    expect(await saved.values(undirected)).toEqual([['T']]);
    const { file } = await saved.save();
    const searchPath = keptFolder();
    await writeFile(path.join(searchPath, 'sbcl'), '#!/bin/sh\nexit 1\n', { mode: 0o700 });
    const broken = new SbclEngine({
      sources: SOURCES,
      cores: searchPath,
      heapMiB: () => HEAP_MIB,
      log: recordedLog(),
      searchPath,
    });
    await expect(broken.start(await startRequest())).rejects.toMatchObject({ code: 'engine_unavailable' });
    const image = new TestImage(await broken.start({ ...(await startRequest()), checkpoint: file }));
    onTestFinished(() => image.image.end());
    expect((await image.evaluate(undirected)).values).toEqual([['T']]);
  });
});
