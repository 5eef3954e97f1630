/**
 * The core that SBCL images start from: built once for an SBCL and a version of the agent, kept in a folder. Its
 * name says what it was made of, so a core is never stale.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { HarborError } from '../../contract/errors';
import { type Installation, printed } from './installation';

/** Milliseconds that a build may take; 3 s is usual. */
const BUILD_MS = 180_000;

export class Cores {
  readonly #sources: string;
  readonly #folder: string;
  readonly #builds = new Map<string, Promise<string>>();

  /** `sources` is the folder of the agent's Lisp files, `folder` where cores are kept. */
  constructor(sources: string, folder: string) {
    this.#sources = sources;
    this.#folder = folder;
  }

  /** The core file for this SBCL; concurrent callers share one build. @throws HarborError `engine_failed` */
  async get(installation: Installation): Promise<string> {
    const core = path.join(this.#folder, await this.#name(installation));
    if (await exists(core)) return core;
    const running = this.#builds.get(core);
    if (running) return running;
    const build = this.#build(installation, core).finally(() => this.#builds.delete(core));
    this.#builds.set(core, build);
    return build;
  }

  async #name({ version, runtime }: Installation): Promise<string> {
    const { size, mtimeMs } = await stat(runtime).catch(() => {
      throw new HarborError('engine_unavailable', `${runtime} is gone; install SBCL again.`);
    });
    const hash = createHash('sha256').update(JSON.stringify([version, runtime, size, mtimeMs]));
    for (const file of (await readdir(this.#sources)).filter((name) => name.endsWith('.lisp')).sort())
      hash.update(`\n${file}\n`).update(await readFile(path.join(this.#sources, file)));
    return `sbcl-${version.replaceAll(/[^\w.-]/g, '_')}-${hash.digest('hex').slice(0, 16)}.core`;
  }

  /** Under another name first: a build that is cut off must not leave a core that looks whole. */
  async #build(installation: Installation, core: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = `${core}.${randomUUID()}.tmp`;
    const home = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-build-'));
    try {
      await promisify(execFile)(installation.runtime, this.#buildArguments(unfinished), {
        cwd: home,
        env: {
          HOME: home,
          LANG: 'C.UTF-8',
          PATH: '/usr/local/bin:/usr/bin:/bin',
          SBCL_HOME: installation.home,
        },
        timeout: BUILD_MS,
      });
      await rename(unfinished, core);
      return core;
    } catch (error) {
      throw new HarborError('engine_failed', `The core of SBCL images could not be built: ${printed(error)}`);
    } finally {
      await rm(unfinished, { force: true });
      await rm(home, { recursive: true, force: true });
    }
  }

  #buildArguments(target: string): string[] {
    const build = path.join(this.#sources, 'build.lisp');
    const quiet = ['--noinform', '--no-sysinit', '--no-userinit', '--disable-debugger', '--non-interactive'];
    return [...quiet, '--load', build, '--end-toplevel-options', target];
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
