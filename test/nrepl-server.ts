/** Real nREPL servers for tests, started as a person starts them and not by the harbor: Debian's on Java, and nbb's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Build, Builds } from '../electron/images/agent/builds';
import { CORES } from './shared-cores';

/** Milliseconds that a JVM may take to start on a busy machine. */
export const STARTING_MS = 120_000;

const ARCHIVES = ['clojure', 'spec.alpha', 'core.specs.alpha', 'nrepl'].map(
  (name) => `/usr/share/java/${name}.jar`,
);

const JAVA_OPTIONS = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx256m'];

/** Silences the JVM's messages about class data. */
const SILENT = ['-Xlog:cds=off', '-Xlog:cds+dynamic=off'];

const BUILDS = new Builds(path.resolve(import.meta.dirname, '../resources/clojure'), CORES);

/** nREPL is distributed as source: compiling it is most of a server's start, and class data halves the rest. */
const COMPILED = build('jar', ARCHIVES, (target) => [
  ...['-cp', ['.', ...ARCHIVES].join(':'), 'clojure.main', '-e'],
  `(binding [*compile-path* "."] (compile 'nrepl.cmdline))
   (require '[clojure.java.io :as io])
   (with-open [jar (java.util.jar.JarOutputStream. (io/output-stream ${JSON.stringify(target)}))]
     (doseq [file (file-seq (io/file "nrepl")) :when (.isFile file)]
       (.putNextEntry jar (java.util.jar.JarEntry. (str file)))
       (io/copy file jar)))`,
]);

const classData = (classPath: readonly string[]) =>
  build('jsa', classPath, (target) => [
    ...[`-XX:ArchiveClassesAtExit=${target}`, ...SILENT, '-cp', classPath.join(':'), 'clojure.main', '-e'],
    // Idle threads of Clojure would keep it alive for a minute.
    "(require 'nrepl.cmdline) (nrepl.server/start-server) (System/exit 0)",
  ]);

function build(suffix: string, runtime: readonly string[], args: Build['args']): Build {
  const java = { command: 'java', args: (target: string) => [...JAVA_OPTIONS, ...args(target)], env: {} };
  return { title: 'nREPL', name: 'test-nrepl', suffix, runtime, ...java };
}

export class NreplServer {
  readonly port: number;
  readonly child: ChildProcess;

  /** Debian's nREPL, which writes `.nrepl-port` in `folder`. */
  static async onJava(folder: string, port = 0): Promise<NreplServer> {
    const main = ['clojure.main', '-m', 'nrepl.cmdline', '--bind', '127.0.0.1', '--port', String(port)];
    const classPath = [await BUILDS.get(COMPILED, () => undefined), ...ARCHIVES];
    const data = await BUILDS.get(classData(classPath), () => undefined);
    const options = [...JAVA_OPTIONS, `-XX:SharedArchiveFile=${data}`, ...SILENT];
    return NreplServer.#start('java', [...options, '-cp', classPath.join(':'), ...main], folder);
  }

  static onNbb(folder: string, port = 0): Promise<NreplServer> {
    const cli = path.join(path.dirname(createRequire(import.meta.url).resolve('nbb/package.json')), 'cli.js');
    return NreplServer.#start(
      process.execPath,
      [cli, 'nrepl-server', ':port', String(port), ':host', '127.0.0.1'],
      folder,
    );
  }

  static async #start(command: string, args: string[], cwd: string): Promise<NreplServer> {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      const port = /port (\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      child.stdout.resume();
      // Both servers write it only after they have said their port.
      while (portIn(cwd) !== port) await delay(10);
      return new NreplServer(child, Number(port));
    }
    throw new Error(`${command} ended before it named its port`);
  }

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** As a crash ends it: its port file stays. */
  async stop(): Promise<void> {
    if (!this.running) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** What the port file of `folder` holds by now. */
function portIn(folder: string): string {
  const file = path.join(folder, '.nrepl-port');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
}

/** The servers that the rows of MCP-nREPL are shown against, by what they run on. */
export const NREPL_SERVERS = [
  { host: 'Java', start: (folder: string) => NreplServer.onJava(folder) },
  { host: 'nbb', start: (folder: string) => NreplServer.onNbb(folder) },
] as const;
