/** Programs that launchers start in a folder of their own, and what becomes of them. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Launched, Program } from '../../electron/launchers/launcher';
import type { Confinement } from '../../electron/sandbox/confinement';

export interface LaunchPlace {
  folder: string;
  /** Allows the folder `project` in it. */
  confinement: Confinement;
  /** A shell that runs `script` in the project. */
  shell(script: string, env?: Record<string, string>): Program;
}

/** A folder that is gone after the test. */
export async function launchPlace(): Promise<LaunchPlace> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'launchers-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const project = path.join(folder, 'project');
  await mkdir(project);
  return {
    folder,
    confinement: { writable: [project], readable: [], network: false },
    shell: (script, env = {}) => ({
      command: '/bin/sh',
      args: ['-c', script],
      env: { PATH: '/usr/bin:/bin', ...env },
      cwd: project,
      needs: [],
    }),
  };
}

export async function outcome(launched: Launched) {
  const [stdout, stderr, end] = await Promise.all([
    text(launched.stdout),
    text(launched.stderr),
    launched.ended,
  ]);
  return { stdout, stderr, end };
}

/** The next text on the wire. */
export const heard = (launched: Launched) =>
  new Promise<string>((resolve) => launched.wire.once('data', (chunk) => resolve(String(chunk))));
