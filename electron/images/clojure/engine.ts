/** The engine `clojure`: a JVM for each session, which serves nREPL on the descriptor that the harbor gave it. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import type { Launched } from '../../launchers/launcher';
import { isWithin } from '../../sandbox/project-rules';
import { Builds } from '../agent/builds';
import type { Engine, Image, LimitName, StartRequest } from '../image';
import { ImageOutput } from '../image-output';
import { Installed } from '../installed';
import type { Java } from '../java';
import type { LibraryFetcher } from '../library-fetcher';
import { NreplClient } from '../nrepl/client';
import { lateOutput, NreplImage } from '../nrepl/image';
import { ClojureReplayer } from '../nrepl/replayer';
import { describeServer } from '../nrepl/server-facts';
import { inTime } from '../patience';
import { lastLines } from '../process-end';
import type { ClassPath } from './class-path';
import { ClassPaths } from './class-paths';
import { type Code, codeOf } from './code';
import { ClojureFetcher } from './fetcher';
import { type ClojureInstallation, findClojure, type SearchOptions } from './installation';
import { Jvm } from './jvm';

export interface ClojureOptions extends SearchOptions {
  /** Folder of our own Clojure files, `resources/clojure`. */
  sources: string;
  /** Folder where compiled code is kept. */
  compiled: string;
  /** Heap of an image that asks for none, in MiB; asked at each start. */
  heapMiB: () => number;
}

/** Milliseconds in which a JVM must answer: it starts in seconds, and many may start at once. */
const START_MS = 120_000;

/** Characters of what a failed start printed that are worth showing. */
const SHOWN = 2_000;

export class ClojureEngine implements Engine {
  readonly name = 'clojure';
  readonly startsAhead = true;
  readonly limits: readonly LimitName[] = ['heapMiB'];
  readonly fetcher: LibraryFetcher;
  readonly #options: ClojureOptions;
  readonly #classPaths = new ClassPaths();
  readonly #installed: Installed<ClojureInstallation>;
  readonly #builds: Builds;

  constructor(options: ClojureOptions) {
    this.#options = options;
    this.#builds = new Builds(options.sources, options.compiled);
    this.#installed = new Installed(() => findClojure(options));
    this.fetcher = new ClojureFetcher(options);
  }

  discover(): Promise<EngineFound> {
    return this.#installed.discover(this.name, ({ version, archives }) => ({
      version,
      path: archives[0] ?? '',
    }));
  }

  async start(request: StartRequest, tell: (doing: string) => void = () => undefined): Promise<Image> {
    const installation = await this.#installed.get();
    await mkdir(temporaryOf(request), { recursive: true, mode: 0o700 });
    const { java } = installation;
    const classPath = await this.#classPaths.of(request, { ...this.#options, java }, tell);
    const { sources } = this.#options;
    const code = await codeOf(installation, classPath.entries, sources, this.#builds, tell);
    tell('starting a JVM');
    const launched = this.#launch(java, classPath, code, request);
    const output = new ImageOutput();
    output.follow('stdout', launched.stdout);
    output.follow('stderr', launched.stderr);
    const client = new NreplClient(launched.wire, { onUnrouted: lateOutput(output) });
    const jvm = new Jvm(launched, client);
    tell('waiting for its nREPL');
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
          ...(classPath.notes.length === 0 ? {} : { introduction: classPath.notes.join(' ') }),
          ended: jvm.ended,
          madeOf: classPath.madeOf,
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
      // Only now: the image has the processor to itself while it starts.
      if (code.lacking) void this.#builds.prepare(code.lacking);
      return image;
    }
    await jvm.end(client);
    const { description } = await jvm.ended;
    throw new HarborError(
      'engine_failed',
      `${description} before it was ready: ${lastLines(output.stderr, SHOWN) || 'it said nothing'}`,
    );
  }

  async #ready(client: NreplClient, jvm: Jvm, launched: Launched) {
    const begun = Promise.race([describeServer(client), jvm.ended.then(() => null)]);
    return (await inTime(launched, START_MS, begun)) ? begun : null;
  }

  #launch(java: Java, { entries }: ClassPath, code: Code, request: StartRequest): Launched {
    const { launcher, confinement, home, project, heapMiB } = request;
    // What lies in those is there already. Their files may be written meanwhile: a link would be followed out of them.
    const there = [project, ...confinement.readable];
    const isThere = (entry: string) => there.some((folder) => isWithin(entry, folder, process.platform));
    const elsewhere = entries.filter((entry) => !isThere(entry));
    const temporary = temporaryOf(request);
    const { sources } = this.#options;
    return launcher.launch(
      {
        // Java has a name for descriptor 0, and for no other that can be read and written.
        command: '/bin/sh',
        args: [
          ...['-c', 'exec "$0" "$@" <&3 3<&-', java.command],
          ...['-XX:+UseSerialGC', '-XX:-UsePerfData', `-Xmx${heapMiB ?? this.#options.heapMiB()}m`],
          ...code.options,
          // The JVM looks up a user's home in the host's list of users, not in HOME.
          ...[`-Duser.home=${home}`, `-Djava.io.tmpdir=${temporary}`],
          // The image is ours to take things out of, which a server that somebody else has started is not.
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

/** A folder of the session's own for temporary files. */
function temporaryOf({ home }: StartRequest): string {
  return path.join(home, 'tmp');
}
