/** What keeps a harbor from writing its history, for real: another program's lock, and a disk without room. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { ROOT } from './started-harbor';

const LOCKER = `
  const Sqlite = require('better-sqlite3');
  const database = new Sqlite(process.argv[1], { timeout: 20000 });
  database.exec('begin exclusive');
  process.stdout.write('locked\\n');
  process.stdin.on('data', () => { database.exec('rollback'); database.close(); process.exit(0); });
`;

/** Another program holds the database for itself until what this answers is called. */
export async function lock(file: string): Promise<() => Promise<void>> {
  const locker = spawn(process.execPath, ['-e', LOCKER, file], {
    cwd: ROOT,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(locker.stdout, 'data');
  return async () => {
    const ended = once(locker, 'exit');
    locker.stdin.write('release\n');
    await ended;
  };
}

/** Whether a small disk can be made here. */
export const MAY_MOUNT = process.platform === 'linux' && process.getuid?.() === 0;

/** A disk of a few MiB on which a data folder's history lies. */
export class SmallDisk {
  readonly #folder: string;

  /** @param data an empty data folder, whose `history.db` then leads to the disk */
  constructor(data: string) {
    this.#folder = path.join(data, 'small-disk');
    mkdirSync(this.#folder);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'none', this.#folder]);
    symlinkSync(this.history, path.join(data, 'history.db'));
  }

  get history(): string {
    return path.join(this.#folder, 'history.db');
  }

  /** Takes all room that is left. */
  fill(): void {
    for (const size of [64 * 1024, 4096]) {
      for (let count = 0; this.#take(`ballast-${size}-${count}`, size); count += 1);
    }
  }

  makeRoom(): void {
    execFileSync('find', [this.#folder, '-name', 'ballast-*', '-delete']);
  }

  remove(): void {
    execFileSync('umount', ['-l', this.#folder]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #take(name: string, size: number): boolean {
    const file = path.join(this.#folder, name);
    try {
      writeFileSync(file, Buffer.alloc(size));
      return true;
    } catch {
      rmSync(file, { force: true });
      return false;
    }
  }
}

/** What really lies in the database, read past the harbor. */
export function onDisk<T>(file: string, sql: string): T[] {
  const database = new Sqlite(file, { readonly: true, timeout: 20_000 });
  try {
    return database.prepare<[], T>(sql).pluck().all();
  } finally {
    database.close();
  }
}
