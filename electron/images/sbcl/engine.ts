/**
 * The engine `sbcl`: finds SBCL, caches a core that contains our agent, and starts a process for each
 * session.
 */

import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import type { EngineFound } from '../../contract/model';
import type { Machine, Program } from '../../launchers/launcher';
import { type Build, Builds } from '../agent/builds';
import { emacsFolder, type NamedFolders } from '../agent/emacs-folders';
import { AgentImage } from '../agent/image';
import { quicklispOf, sourceRegistry } from '../agent/source-registry';
import { AgentLoader, type AgentLog, type AgentTraits, describeEnd, type LastLines } from '../agent/traits';
import { InstallationCache } from '../discovery';
import { CodeReplayer, type Engine, type Image, type LimitName, type StartRequest } from '../image';
import type { LibraryFetcher, ReplayEntry, ReplayForm } from '../optional-groups';
import { SbclFetcher } from './fetcher';
import { findInstallation, type Installation, quietly } from './installation';
import { forgetCore, remoteCore } from './remote-core';

interface SbclOptions {
  /** Folder of the agent's Lisp files, `resources/lisp`. */
  sources: string;
  /** Cache folder for cores. */
  cores: string;
  /** The user's own command line for SBCL; called at discovery. */
  ownCommand?: () => readonly string[] | undefined;
  /** Default heap in MiB; called at each start. */
  heapMiB: () => number;
  log: AgentLog;
  /** The folders of SLIME and SLY from the settings; called when Emacs attaches. */
  emacsFolders?: NamedFolders;
  /** Folders to search for `sbcl`, as in PATH; defaults to the process's PATH. */
  searchPath?: string;
}

/** Control stack per thread in MiB; SBCL's default of 2 is full after 63,000 frames. */
const CONTROL_STACK_MIB = 16;

/**
 * Maximum heap in MiB for which the core starts unmodified. SBCL marks changed memory in a card table whose
 * size depends on the heap and is part of all compiled code. In a process with a larger heap than the one
 * that saved the core, the runtime patches the code first (gc_allocate_ptes in gencgc.c), which costs 15 ms
 * and 7 MB of shared memory. The table takes 1 KB per MiB.
 */
const CARDS_FOR_MIB = 2048;

/** The core that a process starts from: our core with the installed runtime, or a checkpoint. */
interface Core {
  command: string;
  args: readonly string[];
  needs: readonly string[];
  /** Folder of SBCL's contribs; absent if SBCL is not installed any more and a checkpoint is started. */
  home: string | undefined;
}

export class SbclEngine implements Engine {
  readonly name = 'sbcl';
  readonly limits: readonly LimitName[] = ['heapMiB', 'cpuSeconds', 'outputChars'];
  readonly startsAhead = true;
  readonly startsOnHosts = true;
  readonly fetcher: LibraryFetcher;
  readonly #options: SbclOptions;
  readonly #cores: Builds;
  readonly #installed: InstallationCache<Installation>;

  constructor(options: SbclOptions) {
    this.#options = options;
    this.#installed = new InstallationCache(() =>
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

  async start(request: StartRequest, report: (doing: string) => void = () => undefined): Promise<Image> {
    const { launcher, confinement, checkpoint, checkpoints } = request;
    if (launcher.machine) return this.#startThere(launcher.machine, request, report);
    const [core] = await Promise.all([
      checkpoint === undefined ? this.#freshCore(report) : this.#savedCore(checkpoint),
      mkdir(temporaryFolder(request), { recursive: true, mode: 0o700 }),
    ]);
    const launched = launcher.launch(this.#program(core, request), confinement);
    return AgentImage.start(launched, {
      traits: SBCL,
      log: this.#options.log,
      checkpoints,
      heapMiB: this.#heapOf(request),
      emacsFolder: (server) => emacsFolder(server, this.#options.emacsFolders?.(server), request),
    });
  }

  /** Starts an image on another machine. It has no checkpoints, because their files would be there. */
  async #startThere(
    machine: Machine,
    request: StartRequest,
    report: (doing: string) => void,
  ): Promise<Image> {
    const { launcher, confinement, checkpoint, checkpoints } = request;
    if (checkpoint !== undefined)
      throw new HarborError('not_supported', 'A checkpoint of this computer cannot be started on a host.');
    machine.projectThere(request.project);
    const { sources, log } = this.#options;
    const { runtime, home, core } = await remoteCore(machine, sources, CARDS_FOR_MIB, report);
    const needs = [core, runtime, home];
    const { args, ...program } = this.#program(
      { command: runtime, args: ['--core', core], needs, home },
      request,
    );
    const launched = launcher.launch({ ...program, args: [...args, '--wire-output', '4'] }, confinement);
    const started = AgentImage.start(launched, { traits: { ...SBCL, forks: false }, log, checkpoints });
    started.catch(() => forgetCore(machine));
    return started;
  }

  #heapOf({ heapMiB }: StartRequest): number {
    return heapMiB ?? this.#options.heapMiB();
  }

  /** The core is uncompressed, so that images share its pages. */
  #build({ version, runtime, home, command }: Installation): Build {
    const build = path.join(this.#options.sources, 'build.lisp');
    const [, ...own] = command;
    return {
      title: SBCL.title,
      name: `${this.name}-${version}-${CARDS_FOR_MIB}m`,
      suffix: 'core',
      runtime: [runtime, ...own.filter((argument) => path.isAbsolute(argument))],
      ...(own.length > 0 && { own }),
      // The user's command may be a wrapper; otherwise the runtime itself is used.
      command: own.length > 0 ? command[0] : runtime,
      args: (target) => [
        ...['--dynamic-space-size', String(CARDS_FOR_MIB)],
        ...quietly(command, '--load', build, '--end-toplevel-options', target),
      ],
      env: { SBCL_HOME: home },
    };
  }

  async #freshCore(report: (doing: string) => void): Promise<Core> {
    const installation = await this.#installed.get();
    const { runtime, home } = installation;
    const file = await this.#cores.get(this.#build(installation), report);
    return { command: runtime, args: ['--core', file], needs: [file, runtime, home], home };
  }

  /** A checkpoint contains its own runtime, so the installed SBCL may have another version or be gone. */
  async #savedCore(file: string): Promise<Core> {
    const isThere = await stat(file).catch(() => null);
    if (!isThere?.isFile())
      throw new HarborError(
        'unknown_checkpoint',
        `The checkpoint file does not exist any more: ${file}. Open a new session.`,
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

/** The session's folder for temporary files; the system's would be shared without a sandbox. */
function temporaryFolder(request: StartRequest): string {
  return path.join(request.home, 'tmp');
}

/** Messages of SBCL's runtime (2.2.9: gencgc.c, interr.c). */
const LAST_LINES: LastLines = [
  [/Heap exhausted during (?:garbage collection|allocation)/, 'its heap was full'],
  [/Control stack exhausted/, 'its control stack was full'],
  [/fatal error encountered in SBCL/, 'its runtime reported a fatal error'],
];

/**
 * Replays with the function in resources/lisp/sbcl/replay.lisp. The code reads the same whatever a checkpoint did
 * to the case and the base of the reader.
 */
class SbclReplayer extends CodeReplayer {
  replayCode(entries: readonly ReplayEntry[], packageAfter: string): string {
    const data = entries.map(({ id, package: name, forms }) => [id, name, forms.map(formData)]);
    return `(|LISP-HARBOR|:|REPLAY| '${lispData(data)} ${lispString(packageAfter)})`;
  }
}

type LispData = string | number | readonly LispData[];

function formData({ start, code, read, made = [] }: ReplayForm): LispData {
  const members = Object.entries(read ?? {}) as [string, string | number | readonly LispData[]][];
  const state = members.map(([name, value]): LispData => [name, ...[value].flat(1)]);
  return [start, code, state, made];
}

/** Writes lists of strings and integers. The point makes an integer decimal in every `*read-base*`. */
function lispData(data: LispData): string {
  if (typeof data === 'string') return lispString(data);
  return typeof data === 'number' ? `${data}.` : `(${data.map(lispData).join(' ')})`;
}

export const SBCL: AgentTraits = {
  engine: 'sbcl',
  title: 'SBCL',
  /** SBCL counts debugger prompts from 0. */
  prompt: (level) => (level === 0 ? '* ' : `${level - 1}] `),
  describeEnd: (end, stderr) => describeEnd('SBCL', end, stderr, LAST_LINES),
  loader: new AgentLoader(['fiveam', 'fiasco', 'parachute', 'rove', 'rt', 'sb-rt', 'test-op']),
  expanders: { once: 'macroexpand-1', full: 'sb-cltl2:macroexpand-all' },
  debugger: true,
  inspector: true,
  memory: true,
  forks: true,
  replayer: new SbclReplayer(),
  sampler: { modes: ['cpu', 'alloc'] },
  tracer: true,
  progressTimeout: 30_000,
};
