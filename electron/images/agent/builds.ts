/**
 * What images start from, made of our Lisp files: SBCL's core, other Lisps' compiled file, an archive of compiled Clojure and
 * class data of it. Built once for a Lisp and a version of those files and kept in a folder. Its name says what it was made of, so
 * none is ever stale.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { runAlone } from '../../host/child-process';
import { figuresOf } from '../../host/file-figures';
import { printed } from './programs';

/** Milliseconds that a build may take: SBCL takes 3 s, others half a minute of a processor, which may be busy. */
const BUILD_MS = 600_000;

/** Milliseconds after which a result that nothing was started from goes, once there is a newer one. */
const UNUSED_MS = 30 * 86_400_000;

/** How one Lisp builds. */
export interface Build {
  /** The Lisp as people know it. */
  title: string;
  /** What the name of the result begins with, and its suffix: `sbcl-2.2.9`, `core`. */
  name: string;
  suffix: string;
  /** The files that the Lisp itself consists of: when they change, so does the result. */
  runtime: readonly string[];
  /** What a person has the Lisp load before the agent; absent: nothing. */
  own?: readonly string[];
  /** The command that writes `target`, with what it needs of the environment. */
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

  /** `sources` is the folder of our Lisp files, `folder` where results are kept. */
  constructor(sources: string, folder: string) {
    this.#sources = sources;
    this.#folder = folder;
  }

  /** The file for this Lisp; concurrent callers share one build. `tell` hears when there is something to wait for.
   * @throws HarborError `engine_failed` */
  async get(build: Build, tell: (doing: string) => void): Promise<string> {
    const target = await this.#target(build);
    if (await isThereAndUsed(target)) return target;
    tell(`building what images of ${build.title} start from, once for each version`);
    return this.#made(build, target);
  }

  /** The file for this Lisp, if it is there. */
  async find(build: Build): Promise<string | undefined> {
    const target = await this.#target(build);
    return (await isThereAndUsed(target)) ? target : undefined;
  }

  /** Builds what images start from sooner and can do without. Never throws; what failed is not tried again. */
  async prepare(build: Build): Promise<void> {
    const target = await this.#target(build).catch(() => null);
    if (target === null || this.#failed.has(target) || (await isThereAndUsed(target))) return;
    await this.#made(build, target).catch(() => this.#failed.add(target));
  }

  async #target(build: Build): Promise<string> {
    return path.join(this.#folder, await this.#name(build));
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
        throw new HarborError('engine_unavailable', `${file} is gone; install ${title} again.`);
      });
      return JSON.stringify([file, size, mtimeMs]);
    });
    for (const each of await Promise.all(figures)) hash.update(each);
    hash.update(this.#sourcesDigest());
    return `${name.replaceAll(/[^\w.-]/g, '_')}-${hash.digest('hex').slice(0, 16)}.${suffix}`;
  }

  /** Of our Lisp files, which are read again only when one of them, or what a folder holds, has changed: each start asks. */
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

  /** Under another name first: a build that is cut off must not leave a file that looks whole. */
  async #make({ title, suffix, command, args, env }: Build, target: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Some Lisps go by a file's suffix.
    const unfinished = `${target}.${randomUUID()}.tmp.${suffix}`;
    const home = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-build-'));
    try {
      await runAlone(command, args(unfinished), {
        cwd: home,
        env: { HOME: home, LANG: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin', ...env },
        timeout: BUILD_MS,
        endsWithUs: true,
      });
      await markUsed(unfinished);
      await rename(unfinished, target);
      // One that stays takes room, and nothing else.
      await removeUnused(this.#folder, path.basename(target)).catch(() => undefined);
      return target;
    } catch (error) {
      throw new HarborError(
        'engine_failed',
        `What images of ${title} start from could not be built: ${printed(error)}`,
      );
    } finally {
      await rm(unfinished, { force: true });
      await rm(home, { recursive: true, force: true });
    }
  }
}

function figuresOfAll(entries: readonly string[]): string {
  return entries.map(figuresOf).join('\n');
}

function isThereAndUsed(file: string): Promise<boolean> {
  return markUsed(file).then(
    () => true,
    () => false,
  );
}

/** Its time of access says when something was last started from it. The time of change is left, for a JVM goes by that of an
 * archive; as whole seconds, which survive being set again. */
async function markUsed(file: string): Promise<void> {
  const { mtimeMs } = await stat(file);
  await utimes(file, new Date(), Math.floor(mtimeMs / 1000));
}

/** Of results of the same Lisp, which newer versions of it and of Lisp Harbor leave behind. Images that run from one go on. */
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
