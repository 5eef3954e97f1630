/**
 * The engines `ecl`, `abcl` and `ccl`: one way for all of them. The agent's portable part is compiled once for each
 * Lisp; every session is a process that loads it.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import { lispString } from '../../contract/knowledge';
import type { EngineFound, EngineName } from '../../contract/model';
import { type Build, Builds } from '../agent/builds';
import { AgentImage } from '../agent/image';
import type { AgentLog } from '../agent/log';
import { sourceRegistry } from '../agent/source-registry';
import type { Engine, Image, StartRequest } from '../image';
import { Installed } from '../installed';
import type { Implementation, Installation, Limits } from './implementation';
import { traitsOf } from './traits';

export interface PortableOptions {
  /** Folder of the agent's Lisp files, `resources/lisp`. */
  sources: string;
  /** Folder where compiled agents are kept. */
  compiled: string;
  log: AgentLog;
  /** Folders to look for programs in, as in PATH; the process's own PATH unless given. */
  searchPath?: string;
}

/** The heap of an image, in MiB. */
const HEAP_MIB = 1024;

export class PortableEngine implements Engine {
  readonly name: EngineName;
  readonly #implementation: Implementation;
  readonly #options: PortableOptions;
  readonly #installed: Installed<Installation>;
  readonly #builds: Builds;

  constructor(implementation: Implementation, options: PortableOptions) {
    this.name = implementation.engine;
    this.#implementation = implementation;
    this.#options = options;
    this.#installed = new Installed(() => implementation.find(options.searchPath ?? process.env.PATH ?? ''));
    this.#builds = new Builds(options.sources, options.compiled);
  }

  discover(): Promise<EngineFound> {
    const { remark } = this.#implementation;
    const told = remark === undefined ? {} : { reason: remark };
    return this.#installed.discover(this.name, ({ version, path: found }) => ({
      version,
      path: found,
      ...told,
    }));
  }

  async start(request: StartRequest, tell: (doing: string) => void = () => undefined): Promise<Image> {
    if (request.checkpoint !== undefined)
      throw new HarborError('not_supported', `${this.#implementation.title} starts from no checkpoint.`);
    const installation = await this.#installed.get();
    const agent = await this.#builds.get(this.#build(installation), tell);
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

/** The package of the build is not there yet when the form is read. */
function buildForm(build: string, target: string): string {
  const call = `(funcall (find-symbol "BUILD" "LISP-HARBOR-BUILD") ${lispString(target)})`;
  return `(progn (load ${lispString(build)} :verbose nil) ${call})`;
}

/** The agent's package is not there yet when the form is read. */
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
