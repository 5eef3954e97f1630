/** The engine `clojure`: one JVM per session, which serves nREPL on an inherited descriptor. */

import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import type { LaunchEnd, Launched } from '../../launchers/launcher';
import { isWithin } from '../../sandbox/paths';
import { Builds } from '../agent/builds';
import { InstallationCache } from '../discovery';
import type { Engine, Image, ImageEnd, LimitName, StartRequest } from '../image';
import { ImageOutput } from '../image-output';
import { describeAborted, describeKilled, inTime, lastLines } from '../image-process';
import type { Java } from '../java';
import { describeServer, NreplClient } from '../nrepl/client';
import { lateOutput, NreplImage } from '../nrepl/image';
import { ClojureReplayer } from '../nrepl/replayer';
import type { LibraryFetcher } from '../optional-groups';
import { buildToolOf } from './build-tools';
import { type ClassPath, ClassPaths } from './class-path';
import { type Code, codeOf } from './code';
import { ClojureFetcher } from './fetcher';
import { type ClojureInstallation, findClojure, type SearchOptions } from './installation';

interface ClojureOptions extends SearchOptions {
  /** Folder of our own Clojure files, `resources/clojure`. */
  sources: string;
  /** Cache folder for compiled code. */
  compiled: string;
  /** Default heap in MiB; called at each start. */
  heapMiB: () => number;
}

/** Maximum milliseconds of progress time for a start; it takes seconds, and many may start at once. */
const START_MS = 120_000;

/** Maximum characters of the output of a failed start in a message. */
const SHOWN = 2_000;

export class ClojureEngine implements Engine {
  readonly name = 'clojure';
  readonly startsAhead = true;
  readonly hasAliases = true;
  readonly limits: readonly LimitName[] = ['heapMiB'];
  readonly fetcher: LibraryFetcher;
  readonly #options: ClojureOptions;
  readonly #classPaths = new ClassPaths();
  readonly #installed: InstallationCache<ClojureInstallation>;
  readonly #builds: Builds;

  constructor(options: ClojureOptions) {
    this.#options = options;
    this.#builds = new Builds(options.sources, options.compiled);
    this.#installed = new InstallationCache(() => findClojure(options));
    this.fetcher = new ClojureFetcher(options);
  }

  /** A folder with an ASDF system as well may be either's. */
  async ownsProject(project: string): Promise<boolean> {
    if ((await buildToolOf(project)) === undefined) return false;
    const names = await readdir(project).catch(() => []);
    return !names.some((name) => name.endsWith('.asd'));
  }

  discover(): Promise<EngineFound> {
    return this.#installed.discover(this.name, ({ version, archives }) => ({
      version,
      path: archives[0] ?? '',
    }));
  }

  async start(request: StartRequest, report: (doing: string) => void = () => undefined): Promise<Image> {
    const installation = await this.#installed.get();
    await mkdir(temporaryOf(request), { recursive: true, mode: 0o700 });
    const { java } = installation;
    const classPath = await this.#classPaths.of(request, { ...this.#options, java }, report);
    const { sources } = this.#options;
    const code = await codeOf(installation, classPath.entries, sources, this.#builds, report);
    report('starting a JVM');
    const launched = this.#launch(java, classPath, code, request);
    const output = new ImageOutput();
    output.follow('stdout', launched.stdout);
    output.follow('stderr', launched.stderr);
    const client = new NreplClient(launched.wire, { onUnrouted: lateOutput(output) });
    const jvm = new Jvm(launched, client);
    report('waiting for its nREPL');
    const facts = await this.#ready(client, jvm, launched);
    const image =
      facts &&
      (await NreplImage.on(
        {
          engine: this.name,
          client,
          facts,
          output,
          sandbox: launched.sandbox,
          ...(classPath.notes.length === 0 ? {} : { introduction: classPath.notes }),
          ended: jvm.ended,
          fingerprint: classPath.fingerprint,
          usage: () => launched.usage(),
          activity: async () => (await launched.activity?.()) ?? null,
          privateEntries: async () => (await launched.privateEntries?.()) ?? [],
          end: () => jvm.end(client),
          questions: sources,
          hasOwnCode: code.isCompiled,
          replayer: new ClojureReplayer(),
        },
        request.package,
      ));
    if (image) {
      // Later than the image, which needs the processor while it starts.
      if (code.lacking) void this.#builds.prepare(code.lacking);
      return image;
    }
    await jvm.end(client);
    const { description } = await jvm.ended;
    throw new HarborError(
      'engine_failed',
      `${description} before it was ready: ${lastLines(output.stderr, SHOWN) || 'no output'}`,
    );
  }

  async #ready(client: NreplClient, jvm: Jvm, launched: Launched) {
    const begun = Promise.race([describeServer(client), jvm.ended.then(() => null)]);
    return (await inTime(launched, START_MS, begun)) ? begun : null;
  }

  #launch(java: Java, { entries }: ClassPath, code: Code, request: StartRequest): Launched {
    const { launcher, confinement, home, project, heapMiB } = request;
    // Entries in these folders are already visible. Mounting their files again would follow links that code
    // created meanwhile.
    const there = [project, ...confinement.readable];
    const isThere = (entry: string) => there.some((folder) => isWithin(entry, folder, process.platform));
    const elsewhere = entries.filter((entry) => !isThere(entry));
    const temporary = temporaryOf(request);
    const { sources } = this.#options;
    return launcher.launch(
      {
        // Java can name descriptor 0, and no other that is both readable and writable.
        command: '/bin/sh',
        args: [
          ...['-c', 'exec "$0" "$@" <&3 3<&-', java.command],
          ...['-XX:+UseSerialGC', '-XX:-UsePerfData', `-Xmx${heapMiB ?? this.#options.heapMiB()}m`],
          // Otherwise errors of code that ran often have no stack and no message.
          '-XX:-OmitStackTraceInFastThrow',
          ...code.options,
          // The JVM takes the user's home from the host's user database, not from HOME.
          ...[`-Duser.home=${home}`, `-Djava.io.tmpdir=${temporary}`],
          // Marks our own image, from which definitions may be removed, unlike a foreign server.
          '-Dlisp-harbor.image=own',
          ...['-cp', code.classPath.join(path.delimiter)],
          ...['clojure.main', path.join(sources, 'serve.clj')],
        ],
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', TMPDIR: temporary },
        cwd: project,
        needs: [...java.needs, ...elsewhere, ...code.needs, sources],
      },
      confinement,
    );
  }
}

/** The session's folder for temporary files. */
function temporaryOf({ home }: StartRequest): string {
  return path.join(home, 'tmp');
}

/** Milliseconds to exit before it is killed. */
const GRACE_MS = 1_000;

class Jvm {
  readonly ended: Promise<ImageEnd>;
  readonly #launched: Launched;
  #endExpected = false;

  constructor(launched: Launched, client: NreplClient) {
    this.#launched = launched;
    this.ended = launched.ended.then((end) => ({
      description: client.givenUp === null ? describeEnd(end) : describeAborted('The JVM', client.givenUp),
      expected: this.#endExpected,
    }));
    // The process is useless without its wire, and code in it may keep it from noticing.
    void client.ended.then(() => this.#stop());
  }

  async end(client: NreplClient): Promise<void> {
    this.#endExpected = true;
    void client.close();
    await this.ended;
  }

  async #stop(): Promise<void> {
    await Promise.race([this.ended, delay(GRACE_MS, undefined, { ref: false })]);
    void this.#launched.signal('SIGKILL');
  }
}

function describeEnd(end: LaunchEnd): string {
  if (end.error !== undefined) return `Java could not be started (${end.error})`;
  return describeKilled('The JVM', end) ?? `The JVM exited with code ${end.code ?? '(unknown)'}`;
}
