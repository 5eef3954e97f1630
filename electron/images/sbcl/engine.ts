/** The engine `sbcl`: finds SBCL, keeps the core with our agent in it, and starts a process for each session. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import type { Program } from '../../launchers/launcher';
import { type Build, Builds } from '../agent/builds';
import { AgentImage } from '../agent/image';
import type { AgentLog } from '../agent/log';
import { quicklispOf, sourceRegistry } from '../agent/source-registry';
import type { Engine, Image, LimitName, StartRequest } from '../image';
import { Installed } from '../installed';
import type { LibraryFetcher } from '../library-fetcher';
import { SbclFetcher } from './fetcher';
import { findInstallation, type Installation, quietly } from './installation';
import { findSlime } from './slime-source';
import { SBCL } from './traits';

export interface SbclOptions {
  /** Folder of the agent's Lisp files, `resources/lisp`. */
  sources: string;
  /** Folder where built cores are kept. */
  cores: string;
  /** The command line that a person has given for SBCL, asked when it is looked for. */
  ownCommand?: () => readonly string[] | undefined;
  /** Heap in MiB of an image that asks for none; asked at each start. */
  heapMiB: () => number;
  log: AgentLog;
  /** The folder of SLIME that a person named, asked when Emacs is to be attached. */
  slimeFolder?: () => string | undefined;
  /** Folders to look for `sbcl` in, as in PATH; the process's own PATH unless given. */
  searchPath?: string;
}

/** The control stack of each thread in MiB; SBCL's own 2 are full after 63,000 frames. */
const CONTROL_STACK_MIB = 16;

/**
 * The heap in MiB up to which a core starts as it is. SBCL marks changed memory in a table whose size follows the heap and
 * stands in all compiled code; in a process with a larger heap than that which saved the core, its runtime rewrites the
 * code first (gc_allocate_ptes in gencgc.c): 15 ms and 7 MB of memory that images share no more. The table takes a KB a MiB.
 */
const CARDS_FOR_MIB = 2048;

/** What a process starts from: a core of ours with the machine's runtime, or a checkpoint. */
interface Core {
  command: string;
  args: readonly string[];
  needs: readonly string[];
  /** Where SBCL's own libraries are; absent where there is no SBCL but that of a checkpoint. */
  home: string | undefined;
}

export class SbclEngine implements Engine {
  readonly name = 'sbcl';
  readonly limits: readonly LimitName[] = ['heapMiB', 'cpuSeconds', 'outputChars'];
  readonly startsAhead = true;
  readonly fetcher: LibraryFetcher;
  readonly #options: SbclOptions;
  readonly #cores: Builds;
  readonly #installed: Installed<Installation>;

  constructor(options: SbclOptions) {
    this.#options = options;
    this.#installed = new Installed(() =>
      findInstallation(options.searchPath ?? process.env.PATH ?? '', options.ownCommand?.()),
    );
    this.#cores = new Builds(options.sources, options.cores);
    const script = path.join(options.sources, '../quicklisp/fetch.lisp');
    this.fetcher = new SbclFetcher({ installation: () => this.#installed.get(), script });
  }

  discover(): Promise<EngineFound> {
    return this.#installed.discover(this.name, ({ version, runtime }) => ({ version, path: runtime }));
  }

  async buildAhead(): Promise<void> {
    if ((await this.discover()).available) await this.#freshCore(() => undefined);
  }

  async start(request: StartRequest, tell: (doing: string) => void = () => undefined): Promise<Image> {
    const { launcher, confinement, checkpoint, checkpoints } = request;
    const [core] = await Promise.all([
      checkpoint === undefined ? this.#freshCore(tell) : this.#savedCore(checkpoint),
      mkdir(temporaryFolder(request), { recursive: true, mode: 0o700 }),
    ]);
    const launched = launcher.launch(this.#program(core, request), confinement);
    return AgentImage.start(launched, {
      traits: SBCL,
      log: this.#options.log,
      checkpoints,
      heapMiB: this.#heapOf(request),
      slimeFolder: () => this.#slimeFor(request),
    });
  }

  #heapOf({ heapMiB }: StartRequest): number {
    return heapMiB ?? this.#options.heapMiB();
  }

  /** An uncompressed core: many images share its pages. */
  #build({ version, runtime, home, command }: Installation): Build {
    const build = path.join(this.#options.sources, 'build.lisp');
    const [, ...own] = command;
    return {
      title: SBCL.title,
      name: `${this.name}-${version}-${CARDS_FOR_MIB}m`,
      suffix: 'core',
      runtime: [runtime, ...own.filter((argument) => path.isAbsolute(argument))],
      ...(own.length > 0 && { own }),
      // An own command may be a wrapper; without one the runtime itself will do.
      command: own.length > 0 ? command[0] : runtime,
      args: (target) => [
        ...['--dynamic-space-size', String(CARDS_FOR_MIB)],
        ...quietly(command, '--load', build, '--end-toplevel-options', target),
      ],
      env: { SBCL_HOME: home },
    };
  }

  /** @throws HarborError `slime_missing` */
  #slimeFor({ launcher, confinement: { readable, writable } }: StartRequest): string {
    const visible = launcher.sandbox.confined ? [...ALWAYS_VISIBLE, ...readable, ...writable] : ['/'];
    return findSlime({ named: this.#options.slimeFolder?.(), libraries: readable, visible });
  }

  async #freshCore(tell: (doing: string) => void): Promise<Core> {
    const installation = await this.#installed.get();
    const { runtime, home } = installation;
    const file = await this.#cores.get(this.#build(installation), tell);
    return { command: runtime, args: ['--core', file], needs: [file, runtime, home], home };
  }

  /** A checkpoint brings its own runtime, so this machine's SBCL may be another one by now, or gone. */
  async #savedCore(file: string): Promise<Core> {
    const isThere = await stat(file).catch(() => null);
    if (!isThere?.isFile())
      throw new HarborError(
        'unknown_checkpoint',
        `The file of the checkpoint is gone: ${file}. Open a new session.`,
      );
    const home = await this.#installed.get().then(
      (installation) => installation.home,
      () => undefined,
    );
    return { command: file, args: [], needs: home === undefined ? [file] : [file, home], home };
  }

  #program({ command, args, needs, home }: Core, request: StartRequest): Program {
    const { readable } = request.confinement;
    const quicklisp = quicklispOf(readable);
    return {
      command,
      args: [
        ...[...args, '--noinform', '--disable-ldb'],
        ...['--dynamic-space-size', String(this.#heapOf(request))],
        ...['--control-stack-size', String(CONTROL_STACK_MIB), '--end-runtime-options'],
        ...(request.package === undefined ? [] : ['--package', request.package]),
        ...(quicklisp === undefined ? [] : ['--quicklisp', path.join(quicklisp, '/')]),
      ],
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME: request.home,
        LANG: 'C.UTF-8',
        TMPDIR: temporaryFolder(request),
        ...(home === undefined ? {} : { SBCL_HOME: home }),
        CL_SOURCE_REGISTRY: sourceRegistry(request.project, request.confinement),
      },
      cwd: request.project,
      needs,
    };
  }
}

/** What every sandbox holds, see sandbox/bubblewrap-arguments.ts. */
const ALWAYS_VISIBLE = ['/usr'];

/** The session's own place for scratch files; the system's is shared where there is no sandbox. */
function temporaryFolder(request: StartRequest): string {
  return path.join(request.home, 'tmp');
}
