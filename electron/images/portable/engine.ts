/**
 * The engines `ecl`, `abcl` and `ccl`. The agent's portable part is compiled once per Lisp; each session is a
 * process that loads it.
 */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import type { EngineFound, EngineName } from '../../contract/model';
import { type Build, Builds } from '../agent/builds';
import { emacsFolder, type NamedFolders } from '../agent/emacs-folders';
import { AgentImage } from '../agent/image';
import { sourceRegistry } from '../agent/source-registry';
import { AgentLoader, type AgentLog, type AgentTraits, describeEnd } from '../agent/traits';
import { InstallationCache } from '../discovery';
import type { Engine, Image, StartRequest } from '../image';
import type { Implementation, Installation, Limits } from './implementations';

interface PortableOptions {
  /** Folder of the agent's Lisp files, `resources/lisp`. */
  sources: string;
  /** Cache folder for compiled agents. */
  compiled: string;
  log: AgentLog;
  /** The folders of SLIME and SLY from the settings; called when Emacs attaches. */
  emacsFolders?: NamedFolders;
  /** Folders to search for programs, as in PATH; defaults to the process's PATH. */
  searchPath?: string;
}

/** Heap of an image in MiB. */
const HEAP_MIB = 1024;

export class PortableEngine implements Engine {
  readonly name: EngineName;
  readonly #implementation: Implementation;
  readonly #options: PortableOptions;
  readonly #installed: InstallationCache<Installation>;
  readonly #builds: Builds;

  constructor(implementation: Implementation, options: PortableOptions) {
    this.name = implementation.engine;
    this.#implementation = implementation;
    this.#options = options;
    this.#installed = new InstallationCache(() =>
      implementation.find(options.searchPath ?? process.env.PATH ?? ''),
    );
    this.#builds = new Builds(options.sources, options.compiled);
  }

  discover(): Promise<EngineFound> {
    const { remark } = this.#implementation;
    const reason = remark === undefined ? {} : { reason: remark };
    return this.#installed.discover(this.name, ({ version, path: found }) => ({
      version,
      path: found,
      ...reason,
    }));
  }

  async start(request: StartRequest, report: (doing: string) => void = () => undefined): Promise<Image> {
    if (request.checkpoint !== undefined)
      throw new HarborError('not_supported', `${this.#implementation.title} does not support checkpoints.`);
    const installation = await this.#installed.get();
    const agent = await this.#builds.get(this.#build(installation), report);
    const limits = limitsOf(request);
    await mkdir(limits.temporary, { recursive: true, mode: 0o700 });
    const launched = request.launcher.launch(
      {
        command: installation.command,
        args: installation.evaluate(startForm(agent, request.package), limits),
        env: environment(request, limits, installation),
        cwd: request.project,
        needs: [agent, ...installation.needs],
      },
      request.confinement,
    );
    return AgentImage.start(launched, {
      traits: traitsOf(this.#implementation),
      log: this.#options.log,
      checkpoints: request.checkpoints,
      ...(this.#implementation.servesEmacs && {
        emacsFolder: (server) => emacsFolder(server, this.#options.emacsFolders?.(server), request),
      }),
    });
  }

  #build({ version, command, evaluate, runtime, env }: Installation): Build {
    const { title, suffix } = this.#implementation;
    const { sources, compiled } = this.#options;
    const limits = { heapMiB: HEAP_MIB, home: compiled, temporary: compiled };
    return {
      title,
      name: `${this.name}-${version}`,
      suffix,
      runtime,
      command,
      args: (target) => evaluate(buildForm(path.join(sources, 'build.lisp'), target), limits),
      env,
    };
  }
}

/** The build package does not exist yet when the form is read. */
function buildForm(build: string, target: string): string {
  const call = `(funcall (find-symbol "BUILD" "LISP-HARBOR-BUILD") ${lispString(target)})`;
  return `(progn (load ${lispString(build)} :verbose nil) ${call})`;
}

/** The agent's package does not exist yet when the form is read. */
function startForm(agent: string, packageName: string | undefined): string {
  const argument = packageName === undefined ? '' : ` ${lispString(packageName)}`;
  return `(progn (load ${lispString(agent)} :verbose nil) (funcall (find-symbol "RUN" "LISP-HARBOR-AGENT")${argument}))`;
}

function limitsOf({ home }: StartRequest): Limits {
  return { heapMiB: HEAP_MIB, home, temporary: path.join(home, 'tmp') };
}

/** The whole environment of the process. */
function environment(
  { project, home, confinement }: StartRequest,
  { temporary }: Limits,
  { env }: Installation,
): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
    CL_SOURCE_REGISTRY: sourceRegistry(project, confinement),
    ...env,
  };
}

/**
 * The features of the agent's portable part: evaluation and names, without those that need SBCL's debugger,
 * heap and processes.
 */
function traitsOf({ engine, title, prompt, progressTimeout }: Implementation): AgentTraits {
  return {
    engine,
    title,
    prompt: (_level, packageName) => prompt(packageName),
    describeEnd: (end, stderr) => describeEnd(title, end, stderr, []),
    loader: new AgentLoader(['test-op']),
    expanders: { once: 'macroexpand-1', full: 'macroexpand' },
    debugger: false,
    inspector: false,
    memory: false,
    forks: false,
    progressTimeout,
  };
}
