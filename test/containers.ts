/** A `docker` for tests, in a folder of its own for PATH: see container-stand-in.mjs. */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './started-harbor';

const STAND_IN = path.join(import.meta.dirname, 'container-stand-in.mjs');

export class StandInDocker {
  readonly #folder = temporaryFolder('docker');
  readonly #kept = temporaryFolder('containers');

  constructor() {
    const file = path.join(this.#folder, 'docker');
    const line = `CONTAINERS=${this.#kept} ELECTRON_RUN_AS_NODE=1 exec ${process.execPath} ${STAND_IN} "$@"`;
    writeFileSync(file, `#!/bin/sh\n${line}\n`);
    chmodSync(file, 0o755);
  }

  /** For PATH, before all others. */
  get searchPath(): string {
    return [this.#folder, process.env.PATH].join(path.delimiter);
  }

  /** What it was asked so far, beside where ports are. */
  get asked(): string[][] {
    const lines = readFileSync(path.join(this.#kept, 'asked'), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as string[]).filter(([operation]) => operation !== 'port');
  }

  /** Names of the containers that run. */
  get running(): string[] {
    return readdirSync(this.#kept).filter((name) => name !== 'asked');
  }
}
