/** Real nREPL servers for tests, started as a person starts them and not by the harbor: Debian's on Java, and nbb's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that a JVM may take to start on a busy machine. */
export const STARTING_MS = 120_000;

const ARCHIVES = ['clojure', 'spec.alpha', 'core.specs.alpha', 'nrepl'].map(
  (name) => `/usr/share/java/${name}.jar`,
);

export class NreplServer {
  readonly port: number;
  readonly child: ChildProcess;

  /** Debian's nREPL, which writes `.nrepl-port` in `folder`. */
  static onJava(folder: string, port = 0): Promise<NreplServer> {
    const main = ['clojure.main', '-m', 'nrepl.cmdline', '--bind', '127.0.0.1', '--port', String(port)];
    const options = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx256m'];
    return NreplServer.#start('java', [...options, '-cp', ARCHIVES.join(':'), ...main], folder);
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
