/**
 * Checkpoints and branches of an SBCL image: copies of its process, of which one saves itself as a core and ends, and
 * the other is an image of its own (resources/lisp/sbcl/forks/checkpoints.lisp).
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import { boundedJson } from '../../host/bounded-json';
import type { Launched } from '../../launchers/launcher';
import type { Checkpoints, SavedImage } from '../checkpoints';
import type { Brancher, Image } from '../image';
import { lastWords } from './image-end';
import { takeSavedCore } from './saved-core';
import type { AgentTraits } from './traits';
import type { ForkPurpose } from './wire';

export interface AgentCheckpointsOptions {
  /** The session's folder where the image saves itself. */
  folder: string;
  /** Bytes of the largest core that it can save. */
  largest: number;
  describeEnd: AgentTraits['describeEnd'];
  isBusy: () => boolean;
  /** @throws HarborError as `AgentForks.make` does */
  fork: (purpose: ForkPurpose) => Promise<Launched>;
  /** @throws HarborError `engine_failed` */
  start: (fork: Launched) => Promise<Image>;
}

/** The one line that a copy writes before it saves itself: what the saved core will not hold. */
const MissingEvent = z.object({ event: z.literal('losses'), sentences: z.array(z.string()).max(200) });

/** Kept of what a copy writes to its wire, and to its stderr. */
const KEPT_CHARACTERS = 500_000;

export class AgentCheckpoints implements Checkpoints, Brancher {
  readonly #options: AgentCheckpointsOptions;
  #saving = false;
  #copying: Promise<unknown> | null = null;

  constructor(options: AgentCheckpointsOptions) {
    this.#options = options;
  }

  /** Settles when the copy that the image is making is made, or refused; null when it makes none. */
  get copying(): Promise<unknown> | null {
    return this.#copying;
  }

  async save(file: string): Promise<SavedImage> {
    this.#refuseIfBusy();
    if (this.#saving)
      throw new HarborError('busy', 'The image is being saved already. Wait until that is done.');
    this.#saving = true;
    const unfinished = path.join(this.#options.folder, `${randomUUID()}.core`);
    try {
      const missing = await this.#saveInCopy(unfinished);
      return { bytes: await takeSavedCore(unfinished, file, this.#options.largest), missing };
    } finally {
      this.#saving = false;
      await rm(unfinished, { force: true });
    }
  }

  async branch(): Promise<Image> {
    this.#refuseIfBusy();
    const fork = await this.#copy({ op: 'branch' });
    return this.#options.start(fork).catch((error: unknown) => {
      throw new HarborError('checkpoint_failed', `The branch did not begin: ${asFailure(error).message}`);
    });
  }

  #refuseIfBusy(): void {
    if (this.#options.isBusy())
      throw new HarborError(
        'busy',
        'An evaluation runs or is held in the debugger. Wait until it has ended, or interrupt it.',
      );
  }

  async #copy(purpose: ForkPurpose): Promise<Launched> {
    const copy = this.#options.fork(purpose);
    const settled = Promise.allSettled([this.#copying, copy]);
    this.#copying = settled;
    void settled.then(() => {
      if (this.#copying === settled) this.#copying = null;
    });
    return copy;
  }

  /** Answers what is missing from the core. */
  async #saveInCopy(file: string): Promise<string[]> {
    const copy = await this.#copy({ op: 'save', file });
    copy.stdout.resume();
    const [end, said, stderr] = await Promise.all([copy.ended, lastOf(copy.wire), lastOf(copy.stderr)]);
    if (end.code === 0) return sentencesIn(said);
    const words = lastWords(stderr);
    throw new HarborError(
      'checkpoint_failed',
      `The image was not saved; the session goes on. The copy that was to be saved ended: ${this.#options.describeEnd(end, stderr)}.${words ? ` It printed:\n${words}` : ''}`,
    );
  }
}

/** The last of what comes from `source`, which code of the image may fill without end. */
async function lastOf(source: Readable): Promise<string> {
  let last = '';
  source.setEncoding('utf8');
  for await (const text of source) last = (last + String(text)).slice(-KEPT_CHARACTERS);
  return last;
}

function sentencesIn(said: string): string[] {
  try {
    return MissingEvent.parse(boundedJson(said)).sentences;
  } catch {
    return ['It is not known what the checkpoint does not hold: code of the image kept it from telling.'];
  }
}
