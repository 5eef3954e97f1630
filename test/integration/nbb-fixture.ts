/** nbb images for integration tests, started as the harbor starts them, in folders that are new for each test. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Stream } from '../../electron/contract/model';
import type { EvaluateRequest, Image, ImageOutcome } from '../../electron/images/image';
import { NbbEngine } from '../../electron/images/nbb/engine';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';

export const IMAGE_FILE = path.resolve(import.meta.dirname, '../../resources/nbb/image.mjs');

/** Says that it runs, and never ends. */
export const LOOP = '(do (println "in") (loop [] (recur)))';

export const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'nbb-')));
export const project = path.join(folder, 'project');
const started: Image[] = [];

/** For each file that starts images: they end, and their folders go, with each of its tests. */
export function newForEachTest(): void {
  beforeEach(makeFolders);
  afterEach(endAll);
}

/** For files whose tests can share one, which is quicker. */
export function sharedByTests(): () => Image {
  let image: Image | undefined;
  beforeAll(async () => {
    await makeFolders();
    image = await start();
  });
  afterAll(endAll);
  return () => {
    if (!image) throw new Error('no image yet');
    return image;
  };
}

async function makeFolders(): Promise<void> {
  await mkdir(project, { recursive: true });
  await mkdir(path.join(folder, 'home'));
}

async function endAll(): Promise<void> {
  await Promise.all(started.splice(0).map((image) => image.end()));
  await rm(folder, { recursive: true, force: true });
}

/** An image that ends with the test. */
export async function start(
  launcher: Launcher = new LocalLauncher('a test'),
  namespace?: string,
): Promise<Image> {
  const home = path.join(folder, 'home');
  const image = await new NbbEngine(IMAGE_FILE).start({
    launcher,
    confinement: { writable: [project, home], readable: [], network: false },
    project,
    home,
    checkpoints: home,
    ...(namespace === undefined ? {} : { package: namespace }),
  });
  started.push(image);
  return image;
}

/** An outcome with its output and the values of all forms. */
export type Result = ImageOutcome & { stdout: string; stderr: string; values: string[] };

export async function evaluate(
  image: Image,
  code: string,
  more: Partial<EvaluateRequest> = {},
): Promise<Result> {
  const output: Record<Stream, string> = { stdout: '', stderr: '', warnings: '', input: '' };
  const outcome = await image.evaluate({ id: 1, code, ...more }, (stream, text) => {
    output[stream] += text;
  });
  const { stdout, stderr } = output;
  return { ...outcome, stdout, stderr, values: outcome.forms.flatMap((form) => form.values) };
}
