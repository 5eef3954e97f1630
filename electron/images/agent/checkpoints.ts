/**
 * Checkpoints and branches of an SBCL image. Both fork the process: one fork saves itself as a core and
 * exits, the other becomes an image (resources/lisp/sbcl/forks/checkpoints.lisp).
 */

import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { asFailure, HarborError } from '../../contract/errors';
import { boundedJson } from '../../host/json';
import type { Launched } from '../../launchers/launcher';
import type { Brancher, Image } from '../image';
import type { Checkpoints, SavedImage } from '../optional-groups';
import { type AgentTraits, lastWords } from './traits';
import type { ForkPurpose } from './wire';

interface AgentCheckpointsOptions {
  /** The session's folder where the image saves itself. */
  folder: string;
  /** Maximum size of its core in bytes. */
  largest: number;
  describeEnd: AgentTraits['describeEnd'];
  isBusy: () => boolean;
  /** @throws HarborError as `AgentForks.make` */
  fork: (purpose: ForkPurpose) => Promise<Launched>;
  /** @throws HarborError `engine_failed` */
  start: (fork: Launched) => Promise<Image>;
}

/** The line that a fork writes before it saves itself: what the core will not contain. */
const MissingEvent = z.object({ event: z.literal('losses'), sentences: z.array(z.string()).max(200) });

/** Maximum characters of the wire and stderr of a fork. */
const MAX_CHARACTERS = 500_000;

export class AgentCheckpoints implements Checkpoints, Brancher {
  readonly #options: AgentCheckpointsOptions;
  #saving = false;
  #copying: Promise<unknown> | null = null;

  constructor(options: AgentCheckpointsOptions) {
    this.#options = options;
  }

  /** Resolves when the fork in progress is made or refused; null if there is none. */
  get copying(): Promise<unknown> | null {
    return this.#copying;
  }

  async save(file: string): Promise<SavedImage> {
    this.#refuseIfBusy();
    if (this.#saving)
      throw new HarborError('busy', 'The image is already being saved. Wait until that is done.');
    this.#saving = true;
    const unfinished = path.join(this.#options.folder, `${randomUUID()}.core`);
    try {
      const missing = await this.#saveInCopy(unfinished);
      return { bytes: await copySavedCore(unfinished, file, this.#options.largest), missing };
    } finally {
      this.#saving = false;
      await rm(unfinished, { force: true });
    }
  }

  async branch(): Promise<Image> {
    this.#refuseIfBusy();
    const fork = await this.#copy({ op: 'branch' });
    return this.#options.start(fork).catch((error: unknown) => {
      throw new HarborError(
        'checkpoint_failed',
        `The branch could not be started: ${asFailure(error).message}`,
      );
    });
  }

  #refuseIfBusy(): void {
    if (this.#options.isBusy())
      throw new HarborError(
        'busy',
        'An evaluation is running or suspended in the debugger. Wait until it has ended, or interrupt it.',
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

  /** Returns what the core does not contain. */
  async #saveInCopy(file: string): Promise<string[]> {
    const copy = await this.#copy({ op: 'save', file });
    copy.stdout.resume();
    const [end, output, stderr] = await Promise.all([copy.ended, lastOf(copy.wire), lastOf(copy.stderr)]);
    if (end.code === 0) return sentencesIn(output);
    const words = lastWords(stderr);
    throw new HarborError(
      'checkpoint_failed',
      `The image was not saved; the session continues. The fork that was to be saved ended: ${this.#options.describeEnd(end, stderr)}.${words ? ` It printed:\n${words}` : ''}`,
    );
  }
}

/** Returns the end of the text from `source`, which code in the image can fill without limit. */
async function lastOf(source: Readable): Promise<string> {
  let last = '';
  source.setEncoding('utf8');
  for await (const text of source) last = (last + String(text)).slice(-MAX_CHARACTERS);
  return last;
}

function sentencesIn(output: string): string[] {
  try {
    return MissingEvent.parse(boundedJson(output)).sentences;
  } catch {
    return ['It is unknown what the checkpoint does not contain: code in the image prevented the report.'];
  }
}

/** Marks the end of a core with an embedded runtime (SBCL's save.c); missing if the file was truncated. */
const CORE_MAGIC = Buffer.from('LCBS');

/** Bytes per read. */
const PIECE = 1024 * 1024;

const MIB = 1024 ** 2;

/** Maximum size of a core besides the heap: the runtime and fixed-size spaces. */
const NON_HEAP_BYTES = 256 * MIB;

/** Returns the maximum core size in bytes for a heap. */
export function largestCore(heapMiB: number): number {
  return heapMiB * MIB + NON_HEAP_BYTES;
}

/**
 * Copies a saved core from the image's folder to `to`, which appears when complete. Copies bytes rather than
 * moving the file, because the image may still have it open, or may have replaced it by a link. Zeros become
 * holes. Returns the size.
 * @param most maximum bytes: code in the image can create a file of any size
 * @throws HarborError `checkpoint_failed`
 */
export async function copySavedCore(from: string, to: string, most: number): Promise<number> {
  const unfinished = `${to}.part`;
  try {
    const bytes = await copyCore(from, unfinished, most);
    await rename(unfinished, to);
    return bytes;
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof HarborError) throw error;
    throw new HarborError(
      'checkpoint_failed',
      `The checkpoint could not be stored: ${asFailure(error).message}.`,
    );
  }
}

async function copyCore(from: string, to: string, most: number): Promise<number> {
  // Does not follow a link or block on a pipe.
  const source = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const bytes = await sizeOfCore(source, most);
    await rm(to, { force: true });
    const target = await open(to, 'wx', 0o500);
    try {
      await copySparsely(source, target, bytes);
      await target.sync();
    } finally {
      await target.close();
    }
    return bytes;
  } finally {
    await source.close();
  }
}

const EMPTY = Buffer.alloc(PIECE);

/** Skips blocks of zeros. */
async function copySparsely(source: FileHandle, target: FileHandle, bytes: number): Promise<void> {
  const buffer = Buffer.alloc(PIECE);
  await target.truncate(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(PIECE, bytes - at), at);
    if (bytesRead === 0) throw new Error('the file was truncated meanwhile');
    const piece = buffer.subarray(0, bytesRead);
    if (!piece.equals(EMPTY.subarray(0, bytesRead))) await writeAll(target, piece, at);
    at += bytesRead;
  }
}

async function writeAll(target: FileHandle, piece: Buffer, at: number): Promise<void> {
  for (let done = 0; done < piece.length; )
    done += (await target.write(piece, done, piece.length - done, at + done)).bytesWritten;
}

async function sizeOfCore(file: FileHandle, most: number): Promise<number> {
  const stats = await file.stat();
  if (stats.size > most)
    throw new HarborError(
      'checkpoint_failed',
      `The saved file has ${stats.size} bytes, but a core of this heap has at most ${most}: it was written by other code in the image.`,
    );
  const end = Buffer.alloc(8);
  if (stats.isFile()) await file.read(end, 0, end.length, Math.max(0, stats.size - end.length));
  if (end.includes(CORE_MAGIC)) return stats.size;
  throw new HarborError(
    'checkpoint_failed',
    'The saved file is not a complete core. If the disk is full, free some space and save again.',
  );
}
