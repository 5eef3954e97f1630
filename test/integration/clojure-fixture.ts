/** Clojure images for integration tests, started as the harbor starts them: a JVM each, so a file of tests shares one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { ClojureEngine } from '../../electron/images/clojure/engine';
import type { StartRequest } from '../../electron/images/image';
import type { Loader, LoadTarget, TestTarget } from '../../electron/images/optional-groups';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { CORES } from '../shared-cores';
import { type Files, writeFiles } from './loading-fixture';
import { type Evaluated, TestImage } from './test-image';

/** Options of engines for tests: on this machine's Clojure. */
export const OPTIONS = {
  sources: path.resolve(import.meta.dirname, '../../resources/clojure'),
  compiled: CORES,
  searchPath: process.env.PATH ?? '',
  home: homedir(),
  heapMiB: () => 256,
};

export const engine = new ClojureEngine(OPTIONS);

/** An image with folders of its own; `end` ends it and removes them. */
export class ClojureTestImage extends TestImage {
  readonly project: string;
  readonly #folder: string;

  static async start(
    prepare: (project: string) => Promise<void> = async () => undefined,
    launcher: Launcher = new LocalLauncher('a test'),
    more: Partial<StartRequest> = {},
    by: ClojureEngine = engine,
  ): Promise<ClojureTestImage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-clojure-'));
    const project = await mkdtemp(path.join(folder, 'project-'));
    const home = await mkdtemp(path.join(folder, 'home-'));
    await prepare(project);
    const image = await by.start({
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

  /** Where a file of the project is. */
  file(name: string): string {
    return path.join(this.project, name);
  }

  write(files: Files): void {
    writeFiles(this.project, files);
  }

  load(target: LoadTarget): Promise<Evaluated> {
    return this.evaluate(this.#loader.loadCode(target));
  }

  test(target: TestTarget = {}): Promise<Evaluated> {
    return this.evaluate(this.#loader.testCode(target));
  }

  get #loader(): Loader {
    const { loader } = this.image;
    if (!loader) throw new Error('it has no loader');
    return loader;
  }

  async end(): Promise<void> {
    await this.image.end();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
