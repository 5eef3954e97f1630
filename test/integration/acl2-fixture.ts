/** ACL2 images for integration tests, started as the harbor starts them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { EventReport, ProofReport } from '../../electron/contract/proof';
import { Acl2Engine, type Acl2Options } from '../../electron/images/acl2/engine';
import type { StartRequest } from '../../electron/images/image';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { CORES } from '../shared-cores';
import { type Evaluated, TestImage } from './test-image';

const HELPER = path.resolve(import.meta.dirname, '../../resources/lisp/acl2');

const LEMMA_WORKER = pathToFileURL(path.resolve(import.meta.dirname, '../../out/electron/lemma-worker.js'));

const HEAP_MIB = 1024;

/** What images complained about; a test that expects nothing looks here. */
export const complaints: string[] = [];

/** The machine's ACL2, or the one that ACL2 names in the environment: the same tests are for all its hosts. */
export const engineOptions: Acl2Options = {
  helper: HELPER,
  certificates: path.join(CORES, 'acl2-certificates'),
  program: process.env.ACL2,
  searchPath: process.env.PATH ?? '',
  lemmas: { folder: path.join(CORES, 'acl2-lemmas'), worker: LEMMA_WORKER },
  heapMiB: () => HEAP_MIB,
  trustTags: () => [],
  trustSystemBooks: () => false,
  log: { warn: (message, details) => void complaints.push(`${message}: ${String(details)}`) },
};

export const engine = new Acl2Engine(engineOptions);

export interface ImageOptions {
  /** In place of `engine`. */
  engine?: Acl2Engine;
  package?: string;
  heapMiB?: number;
  /** In place of a folder of its own. */
  project?: string;
  launcher?: Launcher;
}

/** What a session would ask for, in folders of its own. */
export async function startRequest(options: ImageOptions = {}): Promise<StartRequest> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-acl2-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const project = options.project ?? (await mkdtemp(path.join(folder, 'project-')));
  const home = await mkdtemp(path.join(folder, 'home-'));
  return {
    launcher: options.launcher ?? new LocalLauncher('a test'),
    confinement: { writable: [project, home], readable: [], network: false },
    project,
    home,
    checkpoints: home,
    ...(options.package === undefined ? {} : { package: options.package }),
    ...(options.heapMiB === undefined ? {} : { heapMiB: options.heapMiB }),
  };
}

/** A fresh image, ended with the test. */
export async function startImage(
  options: ImageOptions = {},
): Promise<TestImage & { readonly request: StartRequest }> {
  const request = await startRequest(options);
  const image = await (options.engine ?? engine).start(request);
  onTestFinished(() => image.end());
  return Object.assign(new TestImage(image), { request });
}

export function proofOf({ report }: Evaluated): ProofReport {
  if (!report?.proof) throw new Error('ACL2 reported nothing of proofs.');
  return report.proof;
}

/** What became of each form that was an event or tried a proof. */
export function verdicts(evaluated: Evaluated): string[] {
  return proofOf(evaluated).events.map(({ verdict }: EventReport) => verdict);
}

/** The kinds of what the successes of an evaluation rest on; empty where it is nothing but ACL2. */
export function issues(evaluated: Evaluated): string[] {
  return proofOf(evaluated)
    .issues.map(({ kind }) => kind)
    .sort();
}
