/** Projects of Lisp files for tests, in images that look for systems as the harbor's do. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { engine, startRequest } from './sbcl-fixture';
import { type Evaluated, TestImage } from './test-image';

/** Files by their path in the project. */
export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export class LispProject {
  readonly folder: string;
  readonly #image: TestImage;

  /** An image in a fresh project with these files; `libraries` are folders that it may read beside that. */
  static async start(files: Files, libraries: readonly string[] = []): Promise<LispProject> {
    const request = await startRequest();
    writeFiles(request.project, files);
    request.confinement = { ...request.confinement, readable: libraries };
    const image = await engine().start(request);
    onTestFinished(() => image.end());
    return new LispProject(request.project, new TestImage(image));
  }

  private constructor(folder: string, image: TestImage) {
    this.folder = folder;
    this.#image = image;
  }

  write(files: Files): void {
    writeFiles(this.folder, files);
  }

  evaluate(code: string): Promise<Evaluated> {
    return this.#image.evaluate(code);
  }

  loadSystem(...names: string[]): Promise<Evaluated> {
    return this.evaluate(this.#loader.loadCode({ systems: names }));
  }

  loadFile(name: string): Promise<Evaluated> {
    return this.evaluate(this.#loader.loadCode({ file: path.join(this.folder, name) }));
  }

  /** `keys` as Lisp code, such as `:system "demo"`. */
  runTests(keys: string): Promise<Evaluated> {
    return this.evaluate(`(lisp-harbor:run-tests ${keys})`);
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  get #loader() {
    const { loader } = this.#image.image;
    if (!loader) throw new Error('The image has no loader.');
    return loader;
  }
}

/** The source of an .asd file with one system. */
export function system(name: string, components: string, options = ''): string {
  return `(asdf:defsystem ${lispString(name)} ${options} :components (${components}))\n`;
}
