/** SBCL images for integration tests, started as the harbor starts them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { StartRequest } from '../../electron/images/image';
import { SbclEngine } from '../../electron/images/sbcl/engine';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { CORES } from '../shared-cores';
import { TestImage } from './test-image';

export const SOURCES = path.resolve(import.meta.dirname, '../../resources/lisp');

export const HEAP_MIB = 512;

/** What images complained about; a test that expects nothing looks here. */
export interface RecordedLog {
  readonly warnings: string[];
  warn(message: string, details?: unknown): void;
}

export function recordedLog(): RecordedLog {
  const warnings: string[] = [];
  return { warnings, warn: (message, details) => void warnings.push(`${message}: ${String(details)}`) };
}

export function engine(log: RecordedLog = recordedLog(), slime?: string): SbclEngine {
  const emacsFolders = () => slime;
  return new SbclEngine({ sources: SOURCES, cores: CORES, heapMiB: () => HEAP_MIB, log, emacsFolders });
}

export interface ImageOptions {
  package?: string;
  launcher?: Launcher;
  log?: RecordedLog;
}

/** What a session would ask for, in folders of its own. */
export async function startRequest({
  package: packageName,
  launcher,
}: ImageOptions = {}): Promise<StartRequest> {
  const project = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-project-'));
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-home-'));
  const checkpoints = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-checkpoints-'));
  const writable = [project, home, checkpoints];
  onTestFinished(async () => {
    await Promise.all(writable.map((folder) => rm(folder, { recursive: true, force: true })));
  });
  return {
    launcher: launcher ?? new LocalLauncher('a test'),
    confinement: { writable, readable: [], network: false },
    project,
    home,
    checkpoints,
    ...(packageName === undefined ? {} : { package: packageName }),
  };
}

/** A fresh image, ended with the test. */
export async function startImage(options: ImageOptions = {}): Promise<TestImage> {
  const image = await engine(options.log).start(await startRequest(options));
  onTestFinished(() => image.end());
  return new TestImage(image);
}
