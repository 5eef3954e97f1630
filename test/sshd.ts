/** A real sshd on loopback, with keys and a configuration of its own, and an `ssh` on PATH that knows only these. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port';
import { temporaryFolder } from './started-harbor';

export class Sshd {
  /** A folder that PATH begins with. */
  readonly programs: string;
  /** What XDG_CACHE_HOME is on the host. */
  readonly cache: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    this.programs = path.join(folder, 'bin');
    this.cache = path.join(folder, 'cache');
  }

  /** The names `farm`, and `stranger`, whose key nobody knows. */
  static async start(): Promise<Sshd> {
    const folder = temporaryFolder('sshd');
    chmodSync(folder, 0o700);
    const at = (name: string) => path.join(folder, name);
    for (const name of ['bin', 'cache']) mkdirSync(at(name));
    for (const key of ['host', 'user', 'stranger'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)]);
    const port = await freePort();
    const known = readFileSync(at('host.pub'), 'utf8');
    writeFileSync(at('known_hosts'), `[127.0.0.1]:${port} ${known}`);
    writeFileSync(at('authorized_keys'), readFileSync(at('user.pub')), { mode: 0o600 });
    const server = {
      Port: port,
      ListenAddress: '127.0.0.1',
      HostKey: at('host'),
      AuthorizedKeysFile: at('authorized_keys'),
      StrictModes: 'no',
      UsePAM: 'no',
      PasswordAuthentication: 'no',
      PermitRootLogin: 'prohibit-password',
      PidFile: 'none',
      SetEnv: `XDG_CACHE_HOME=${at('cache')}`,
    };
    writeFileSync(at('sshd_config'), lines(server));
    const client = (key: string) => ({
      HostName: '127.0.0.1',
      Port: port,
      User: os.userInfo().username,
      IdentityFile: at(key),
      IdentitiesOnly: 'yes',
      UserKnownHostsFile: at('known_hosts'),
      StrictHostKeyChecking: 'yes',
    });
    const hosts = { farm: 'user', stranger: 'stranger' };
    const config = Object.entries(hosts).map(([name, key]) => `Host ${name}\n${lines(client(key))}`);
    writeFileSync(at('ssh_config'), config.join('\n'));
    writeFileSync(at('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F '${at('ssh_config')}' "$@"\n`, {
      mode: 0o700,
    });
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', at('sshd_config')], { stdio: 'ignore' });
    await listening(port, child);
    return new Sshd(child, folder);
  }

  /** The processes that serve a connection, with what runs in it. */
  get connections(): number[] {
    const all = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    const rows = all.map((line) => line.trim().split(/\s+/).map(Number));
    return rows.flatMap(([pid, parent]) => (pid !== undefined && parent === this.#child.pid ? [pid] : []));
  }

  stop(): void {
    for (const pid of [...this.connections, this.#child.pid ?? 0]) if (pid > 0) process.kill(pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function lines(options: Readonly<Record<string, string | number>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`sshd ended with code ${child.exitCode}`);
    const answers = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
