/**
 * Caches what images start from, built from our Lisp files: SBCL's core, compiled files of other Lisps, a jar
 * of compiled Clojure and its class data. The file name contains a hash of all inputs, so a cached file is
 * never stale.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { runAlone } from '../../host/child-process';
import { fileState } from '../../host/file-attributes';
import { printed } from './programs';

/** Maximum milliseconds of a build: SBCL takes 3 s, others half a minute of processor time. */
const BUILD_MS = 600_000;

/** Milliseconds after its last use when a file is deleted, if a newer one exists. */
const UNUSED_MS = 30 * 86_400_000;

/** How to build for one Lisp. */
export interface Build {
  /** The Lisp's display name. */
  title: string;
  /** Prefix and suffix of the file name: `sbcl-2.2.9`, `core`. */
  name: string;
  suffix: string;
  /** Files of the Lisp itself, which are part of the hash. */
  runtime: readonly string[];
  /** Arguments with which the user has the Lisp load files before the agent; absent if there are none. */
  own?: readonly string[];
  /** The command that writes `target`, and the environment it needs. */
  command: string;
  args: (target: string) => readonly string[];
  env: Readonly<Record<string, string>>;
}

export class Builds {
  readonly #sources: string;
  readonly #folder: string;
  readonly #running = new Map<string, Promise<string>>();
  readonly #failed = new Set<string>();
  #sourcesRead: { entries: readonly string[]; figures: string; digest: Buffer } | null = null;

  /**
   * @param sources folder of our Lisp files
   * @param folder the cache
   */
  constructor(sources: string, folder: string) {
    this.#sources = sources;
    this.#folder = folder;
  }

  /**
   * Returns the file for this Lisp, building it if needed; concurrent callers share one build. `report`
   * is called if there is something to wait for.
   * @throws HarborError `engine_failed`
   */
  async get(build: Build, report: (doing: string) => void): Promise<string> {
    const target = await this.#target(build);
    if (await isThereAndUsed(target)) return target;
    report(`building the start file of ${build.title} images, once per version`);
    return this.#made(build, target);
  }

  /** Returns the file for this Lisp if it exists. */
  async find(build: Build): Promise<string | undefined> {
    const target = await this.#target(build);
    return (await isThereAndUsed(target)) ? target : undefined;
  }

  /** Builds an optional file in the background. Never throws; a failed build is not retried. */
  async prepare(build: Build): Promise<void> {
    const target = await this.#target(build).catch(() => null);
    if (target === null || this.#failed.has(target) || (await isThereAndUsed(target))) return;
    await this.#made(build, target).catch(() => this.#failed.add(target));
  }

  async #target(build: Build): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Class data is bound to the path of its jar, so harbors that share a folder through links need one path.
    return path.join(await realpath(this.#folder), await this.#name(build));
  }

  #made(build: Build, target: string): Promise<string> {
    const running = this.#running.get(target);
    if (running) return running;
    const made = this.#make(build, target).finally(() => this.#running.delete(target));
    this.#running.set(target, made);
    return made;
  }

  async #name({ title, name, suffix, runtime, own }: Build): Promise<string> {
    const hash = createHash('sha256').update(name);
    if (own) hash.update(JSON.stringify(own));
    const figures = runtime.map(async (file) => {
      const { size, mtimeMs } = await stat(file).catch(() => {
        throw new HarborError('engine_unavailable', `${file} does not exist any more; reinstall ${title}.`);
      });
      return JSON.stringify([file, size, mtimeMs]);
    });
    for (const each of await Promise.all(figures)) hash.update(each);
    hash.update(this.#sourcesDigest());
    return `${name.replaceAll(/[^\w.-]/g, '_')}-${hash.digest('hex').slice(0, 16)}.${suffix}`;
  }

  /**
   * Hash of our Lisp files. They are read again only if a file or folder changed, because every start asks.
   */
  #sourcesDigest(): Buffer {
    const read = this.#sourcesRead;
    if (read && figuresOfAll(read.entries) === read.figures) return read.digest;
    const names = readdirSync(this.#sources, { recursive: true, encoding: 'utf8' }).sort();
    const files = names.filter((each) => /\.(lisp|asd|clj)$/.test(each));
    const at = (name: string) => path.join(this.#sources, name);
    const entries = [this.#sources, ...names.map(at)];
    const figures = figuresOfAll(entries);
    const hash = createHash('sha256');
    for (const file of files) hash.update(`\n${file}\n`).update(readFileSync(at(file)));
    const digest = hash.digest();
    this.#sourcesRead = { entries, figures, digest };
    return digest;
  }

  /** Writes to a temporary name first, so that an interrupted build leaves no incomplete file. */
  async #make({ title, suffix, command, args, env }: Build, target: string): Promise<string> {
    // Some Lisps depend on the file suffix.
    const unfinished = `${target}.${randomUUID()}.tmp.${suffix}`;
    const home = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-build-'));
    try {
      await runAlone(command, args(unfinished), {
        cwd: home,
        env: { HOME: home, LANG: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
        timeout: BUILD_MS,
        endsWithUs: true,
      });
      await chmod(unfinished, (await stat(unfinished)).mode & 0o700);
      await markUsed(unfinished);
      await rename(unfinished, target);
      // Failure only wastes disk space.
      await removeUnused(path.dirname(target), path.basename(target)).catch(() => undefined);
      return target;
    } catch (error) {
      throw new HarborError(
        'engine_failed',
        `The start file of ${title} images could not be built: ${printed(error)}`,
      );
    } finally {
      await rm(unfinished, { force: true });
      await rm(home, { recursive: true, force: true });
    }
  }
}

function figuresOfAll(entries: readonly string[]): string {
  return entries.map(fileState).join('\n');
}

function isThereAndUsed(file: string): Promise<boolean> {
  return markUsed(file).then(
    () => true,
    () => false,
  );
}

/**
 * Sets the access time, which records the last use. The modification time is preserved, because a JVM checks
 * that of a jar; in whole seconds, which survive being set again.
 */
async function markUsed(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  await utimes(file, new Date(), Math.floor(mtimeMs / 1000));
}

/** Deletes unused files of the same Lisp, left by older versions. Running images are not affected. */
async function removeUnused(folder: string, newest: string): Promise<void> {
  const [lisp = ''] = newest.split('-');
  const ofLisp = (await readdir(folder)).filter(
    (name) => name.startsWith(`${lisp}-`) && path.extname(name) === path.extname(newest),
  );
  for (const file of ofLisp.map((name) => path.join(folder, name))) {
    const found = await stat(file).catch(() => null);
    if (found && Date.now() - found.atimeMs > UNUSED_MS) await rm(file, { force: true });
  }
}
