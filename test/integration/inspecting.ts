/** An image of whatever engine whose values tests look into. */

import type { Inspection, PathStep } from '../../electron/contract/inspection';
import type { EngineName } from '../../electron/contract/model';
import type { Image } from '../../electron/images/image';
import type { Inspector, InspectRequest } from '../../electron/images/optional-groups';
import { dialectOf } from '../../electron/source/dialect';
import { form } from '../forms';
import { TestImage } from './test-image';

export class Inspecting {
  readonly inspector: Inspector;
  readonly #engine: EngineName;
  readonly #image: TestImage;
  #evaluations = 0;

  constructor(image: Image) {
    if (!image.inspector) throw new Error(`${image.engine} has no inspector`);
    this.#image = new TestImage(image);
    this.#engine = image.engine;
    this.inspector = image.inspector;
  }

  /** Evaluates what must succeed; answers the values of all forms. */
  async evaluate(code: string): Promise<string[]> {
    this.#evaluations += 1;
    const { outcome, condition, values } = await this.#image.evaluate(code, { keepValues: true });
    if (outcome !== 'ok') throw new Error(`${outcome}: ${condition?.message}`);
    return values.flat();
  }

  /** The last value of `code`, or what is at `path` of it. */
  async inspect(code: string, request: Partial<InspectRequest> = {}): Promise<Inspection> {
    await this.evaluate(code);
    const start = { evaluation: this.#evaluations };
    return this.inspector.inspect({ start, path: [], offset: 0, ...request });
  }

  /** Its parts as name and text. */
  async parts(code: string, request: Partial<InspectRequest> = {}): Promise<string[][]> {
    return named(await this.inspect(code, request));
  }

  /** Puts the value of `expression` into the part at `path` of an object that was shown. */
  set({ object }: Inspection, path: readonly PathStep[], expression: string): Promise<string[]> {
    return this.evaluate(this.inspector.settingCode(object, path, form(expression, dialectOf(this.#engine))));
  }

  /** As `TestImage.running`. */
  running(code: string): ReturnType<TestImage['running']> {
    this.#evaluations += 1;
    return this.#image.running(code);
  }

  async interrupt(): Promise<void> {
    await this.#image.interrupt('cooperative');
  }

  /** An object that was shown, as it is now. */
  again({ object }: Inspection, path: PathStep[] = []): Promise<Inspection> {
    return this.inspector.inspect({ start: { object }, path, offset: 0 });
  }
}

export function named({ parts }: Inspection): string[][] {
  return parts.map(({ name, text, problem }) => [name, text ?? problem ?? 'unbound']);
}
