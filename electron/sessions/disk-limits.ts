/**
 * Bounds how much the files of a session's own folder and of its project grow: the evaluation that exceeds a
 * limit is stopped; if none runs, the image is ended. A look asks the file system for its free space only. Files
 * are measured when that has shrunk by enough to exceed a limit, and from time to time while code runs.
 */
import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Note, note } from '../contract/note';
import { quotedPath } from '../contract/visible-text';
import { every } from '../host/listeners';
import { BLOCK_BYTES, deletedFiles } from '../launchers/processes';
import { isWithin } from '../sandbox/paths';

/** A bounded folder and its limit; null for none. */
interface BoundedFolder {
  folder: string;
  /** The folder in words. */
  title: string;
  mostMiB: number | null;
  setting: string;
}

interface DiskLimitsOptions {
  /** Called before each look. */
  folders: (session: string, project: string) => readonly BoundedFolder[];
}

/** A session while its image lives. */
interface BoundedSession {
  session: string;
  project: string;
  /** The process of the image; null if unknown. */
  pid: () => Promise<number | null>;
  /** Ends the image, because its programs write although no evaluation runs. */
  endImage: (reason: Note) => void;
}

/** Milliseconds between two looks while code runs, where a limit is exceeded already, and between evaluations. */
const LOOK_MS = 250;
const QUICK_LOOK_MS = 25;
const IDLE_LOOK_MS = 2_000;

const MIB = 1024 ** 2;

export class DiskLimits {
  readonly #options: DiskLimitsOptions;
  readonly #sessions = new Map<string, WatchedSession>();
  #stopLooking: (() => void) | null = null;

  constructor(options: DiskLimitsOptions) {
    this.#options = options;
  }

  /**
   * Begins to watch an evaluation.
   * @param stop stops it; called once, when it exceeds a limit
   * @returns a function that ends this, after a last look; programs that it left running are watched on
   */
  async begin(bounded: BoundedSession, stop: (reason: Note) => void): Promise<() => Promise<void>> {
    const { session, project } = bounded;
    const folders = () => this.#options.folders(session, project);
    const watched = this.#sessions.get(session) ?? (await WatchedSession.begin(bounded, folders));
    this.#sessions.set(session, watched);
    this.#stopLooking ??= every(IDLE_LOOK_MS, () => void this.#lookAtIdle());
    return watched.evaluate(stop);
  }

  forget(session: string): void {
    this.#sessions.delete(session);
    if (this.#sessions.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = null;
  }

  async #lookAtIdle(): Promise<void> {
    for (const watched of this.#sessions.values()) await watched.lookIfIdle();
  }
}

class WatchedSession {
  readonly #bounded: BoundedSession;
  readonly #folders: () => readonly BoundedFolder[];
  readonly #growths: readonly Growth[];
  #evaluations = 0;
  #looking: Promise<Note | null> | null = null;

  private constructor(bounded: BoundedSession, folders: () => readonly BoundedFolder[]) {
    this.#bounded = bounded;
    this.#folders = folders;
    this.#growths = folders().map(({ folder }) => new Growth(folder));
  }

  static async begin(
    bounded: BoundedSession,
    folders: () => readonly BoundedFolder[],
  ): Promise<WatchedSession> {
    const watched = new WatchedSession(bounded, folders);
    await Promise.all(watched.#growths.map((each) => each.begin()));
    return watched;
  }

  async evaluate(stop: (reason: Note) => void): Promise<() => Promise<void>> {
    this.#evaluations += 1;
    for (const growth of this.#growths) growth.evaluationBegins();
    let hasEnded = false;
    const look = async () => {
      const reason = await this.#look();
      if (reason === null || hasEnded) return;
      stopLooking();
      hasEnded = true;
      stop(reason);
    };
    const stopLooking = every(this.#isExceeded ? QUICK_LOOK_MS : LOOK_MS, () => void look());
    const begun = performance.now();
    return async () => {
      stopLooking();
      // Little can be written in less time.
      if (performance.now() - begun > QUICK_LOOK_MS) await look();
      hasEnded = true;
      this.#evaluations -= 1;
    };
  }

  async lookIfIdle(): Promise<void> {
    if (this.#evaluations > 0) return;
    const reason = await this.#look();
    if (reason !== null && this.#evaluations === 0) this.#bounded.endImage(reason);
  }

  get #isExceeded(): boolean {
    if (this.#growths.every(({ bytes }) => bytes === 0)) return false;
    return this.#folders().some(
      ({ mostMiB }, index) => mostMiB !== null && (this.#growths[index]?.bytes ?? 0) > mostMiB * MIB,
    );
  }

  /** Returns the limit that was exceeded since the evaluation began, as a note. */
  #look(): Promise<Note | null> {
    this.#looking ??= this.#findExceeded()
      .catch(() => null)
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #findExceeded(): Promise<Note | null> {
    for (const [index, bounded] of this.#folders().entries()) {
      const growth = this.#growths[index];
      if (bounded.mostMiB === null || !growth) continue;
      if (await growth.exceeds(bounded.mostMiB * MIB, this.#bounded.pid, this.#evaluations === 0))
        return exceeded(bounded, bounded.mostMiB, growth.bytes);
    }
    return null;
  }
}

function exceeded({ folder, title, setting }: BoundedFolder, mostMiB: number, bytes: number): Note {
  return note(
    'disk_limit',
    `${title}, ${quotedPath(folder)}, has grown by ${Math.ceil(bytes / MIB)} MiB since the session's first evaluation; the limit is ${mostMiB} MiB (${setting} in the settings). Nothing was deleted. Delete what is not needed, or let the user raise the limit.`,
  );
}

/** Least growth that stops an evaluation where the limit is exceeded already: it can still delete files. */
const STEP_BYTES = MIB;

/** Milliseconds between two measurements while code runs, which take at most this share of the time. */
const MEASURE_MS = 2_000;
const SHARE = 1 / 20;

/** How much the files in one folder have grown since it was first looked at. */
class Growth {
  readonly #folder: string;
  /** Files that changed later count. The clock of a file system may be a little late. */
  readonly #since = Date.now() - 1_000;
  /** Free bytes of the file system at the last measurement. */
  #free = 0;
  #bytes = 0;
  #measuredAt = performance.now();
  #tookMs = 0;
  /** The growth before the evaluation, or when the last one was stopped. */
  #bytesBefore = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async begin(): Promise<void> {
    this.#free = await freeBytes(this.#folder);
  }

  evaluationBegins(): void {
    this.#bytesBefore = this.#bytes;
  }

  /** Reports whether the growth is more than `most`, and has become more since the evaluation began. */
  async exceeds(most: number, pid: () => Promise<number | null>, isIdle: boolean): Promise<boolean> {
    const allowed = Math.max(most, this.#bytesBefore + STEP_BYTES);
    const free = await freeBytes(this.#folder);
    // Others may free as much as the code writes, so files are also measured from time to time.
    const isDue =
      !isIdle && performance.now() - this.#measuredAt > Math.max(MEASURE_MS, this.#tookMs / SHARE);
    if (!isDue && this.#bytes + this.#free - free <= allowed) return false;
    const begun = performance.now();
    this.#bytes = (await changedBytes(this.#folder, this.#since)) + (await this.#deletedBytes(pid));
    this.#free = free;
    this.#measuredAt = performance.now();
    this.#tookMs = this.#measuredAt - begun;
    if (this.#bytes <= allowed) return false;
    this.#bytesBefore = this.#bytes;
    return true;
  }

  /** The size of files that programs of the image have deleted but not closed. */
  async #deletedBytes(pid: () => Promise<number | null>): Promise<number> {
    const image = await pid();
    const files = image === null ? [] : await deletedFiles(image);
    return files
      .filter((file) => isWithin(file.path, this.#folder, process.platform))
      .reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bfree, bsize } = await statfs(folder);
  return bfree * bsize;
}

/** Returns the size on disk of the files in the folder that changed after `since`. Links are not followed. */
async function changedBytes(folder: string, since: number): Promise<number> {
  const counted = new Set<string>();
  let sum = 0;
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) waiting.push(path.join(at, entry.name));
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(at, name));
    const found = await Promise.all(files.map((file) => stat(file).catch(() => null)));
    for (const file of found) {
      const identity = file && `${file.dev} ${file.ino}`;
      if (!identity || file.ctimeMs < since || counted.has(identity)) continue;
      if (file.nlink > 1) counted.add(identity);
      sum += file.blocks * BLOCK_BYTES;
    }
  }
  return sum;
}
