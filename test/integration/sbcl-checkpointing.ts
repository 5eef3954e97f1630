/** SBCL images that are saved, and images that start from what was saved. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Brancher, StartRequest } from '../../electron/images/image';
import type { Checkpoints, SavedImage } from '../../electron/images/optional-groups';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { landlockLauncher } from '../landlock-launcher';
import { engine, type RecordedLog, recordedLog, startRequest } from './sbcl-fixture';
import { TestImage } from './test-image';

export const LAUNCHERS: readonly (readonly [string, () => Promise<Launcher>])[] = [
  ['unconfined', async () => new LocalLauncher('a test')],
  ['confined', async () => new BubblewrapLauncher(readHostLayout())],
  ['confined by Landlock', landlockLauncher],
];

/** Milliseconds for tests that save: each core takes two seconds of a processor that others may need as well. */
export const SAVING_MS = 180_000;

/** A folder of the test's own, where checkpoints are kept and no image may write. */
export function keptFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-kept-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export class SavableImage {
  readonly image: TestImage;
  readonly request: StartRequest;
  readonly log: RecordedLog;

  /** An image that is ended with the test; `checkpoint` is what it starts from. */
  static async start(launcher: Launcher, checkpoint?: string): Promise<SavableImage> {
    const log = recordedLog();
    const request = {
      ...(await startRequest({ launcher })),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    };
    const image = new TestImage(await engine(log).start(request));
    onTestFinished(() => image.image.end());
    return new SavableImage(image, request, log);
  }

  private constructor(image: TestImage, request: StartRequest, log: RecordedLog) {
    this.image = image;
    this.request = request;
    this.log = log;
  }

  get checkpoints(): Checkpoints {
    const { checkpoints } = this.image.image;
    if (!checkpoints) throw new Error('an SBCL image offers checkpoints');
    return checkpoints;
  }

  get brancher(): Brancher {
    const { brancher } = this.image.image;
    if (!brancher) throw new Error('an SBCL image offers branches');
    return brancher;
  }

  /** The values of `code`, form by form, which must succeed. */
  async values(code: string): Promise<string[][]> {
    const { outcome, values, condition, notes } = await this.image.evaluate(code);
    if (outcome !== 'ok') throw new Error(`${outcome}: ${condition?.message ?? notes.join(' ')}`);
    return values;
  }

  /** Saves it into a folder of its own. */
  async save(): Promise<SavedImage & { file: string }> {
    const file = path.join(keptFolder(), 'checkpoint');
    return { file, ...(await this.checkpoints.save(file)) };
  }

  /** From now on a copy that is to be saved waits until the function that is answered is called. */
  async holdSaving(): Promise<() => void> {
    const flag = path.join(this.request.project, 'may-be-saved');
    await this.values(`
      (push (lambda ()
              (setf sb-ext:*save-hooks* nil) ; what starts from the copy does not wait
              (loop until (probe-file "${flag}") do (sleep 0.01)))
            sb-ext:*save-hooks*)`);
    return () => writeFileSync(flag, '');
  }

  /** A branch that ends with the test at the latest. */
  async branch(): Promise<TestImage> {
    const branch = await this.brancher.branch();
    onTestFinished(() => branch.end());
    return new TestImage(branch);
  }

  /** What the image has left where it saves itself. */
  leftovers(): Promise<string[]> {
    return readdir(this.request.checkpoints);
  }
}
