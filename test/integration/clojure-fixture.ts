/** Clojure images for integration tests, started as the harbor starts them: a JVM each, so a file of tests shares one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { ClojureEngine } from '../../electron/images/clojure/engine';
import type { StartRequest } from '../../electron/images/image';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { TestImage } from './test-image';

export const SOURCES = path.resolve(import.meta.dirname, '../../resources/clojure');

export const HEAP_MIB = 256;

export const engine = new ClojureEngine({
  sources: SOURCES,
  searchPath: process.env.PATH ?? '',
  home: homedir(),
  heapMiB: () => HEAP_MIB,
});

/** An image with folders of its own; `end` ends it and removes them. */
export class ClojureTestImage extends TestImage {
  readonly project: string;
  readonly #folder: string;

  static async start(
    prepare: (project: string) => Promise<void> = async () => undefined,
    launcher: Launcher = new LocalLauncher('a test'),
    more: Partial<StartRequest> = {},
  ): Promise<ClojureTestImage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-clojure-'));
    const project = await mkdtemp(path.join(folder, 'project-'));
    const home = await mkdtemp(path.join(folder, 'home-'));
    await prepare(project);
    const image = await engine.start({
      launcher,
      confinement: { writable: [project, home], readable: [], network: false },
      project,
      home,
      checkpoints: home,
      ...more,
    });
    return new ClojureTestImage(image, project, folder);
  }

  private constructor(image: TestImage['image'], project: string, folder: string) {
    super(image);
    this.project = project;
    this.#folder = folder;
  }

  async end(): Promise<void> {
    await this.image.end();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
