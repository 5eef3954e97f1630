/** Images whose abilities tests ask for. */
import type { Inspection } from '../../electron/contract/inspection';
import type { Definition, Findings, FindKind, FindRequest } from '../../electron/contract/knowledge';
import type { Inspector, InspectRequest, Knowledge } from '../../electron/images/optional-groups';
import { startImage } from './sbcl-fixture';
import type { TestImage } from './test-image';

export class KnowingImage {
  readonly image: TestImage;
  readonly knowledge: Knowledge;
  readonly inspector: Inspector;
  #evaluations = 0;

  static async start(): Promise<KnowingImage> {
    return new KnowingImage(await startImage());
  }

  private constructor(image: TestImage) {
    const { knowledge, inspector } = image.image;
    if (!knowledge || !inspector) throw new Error('an SBCL image offers both');
    this.image = image;
    this.knowledge = knowledge;
    this.inspector = inspector;
  }

  /** Evaluates what must succeed; answers the number of the evaluation. */
  async evaluate(code: string): Promise<number> {
    this.#evaluations += 1;
    const { outcome, condition } = await this.image.evaluate(code, { keepValues: true });
    if (outcome !== 'ok') throw new Error(`${outcome}: ${condition?.message}`);
    return this.#evaluations;
  }

  /** The first value of `code`, inspected. */
  async inspect(code: string, request: Partial<InspectRequest> = {}): Promise<Inspection> {
    const evaluation = await this.evaluate(code);
    return this.inspector.inspect({ start: { evaluation }, path: [], offset: 0, ...request });
  }

  /** Its parts as they are printed. */
  async parts(code: string, request: Partial<InspectRequest> = {}): Promise<string[]> {
    return texts(await this.inspect(code, request));
  }

  /** What `symbol` stands for by kind; the first one of each, so not (SETF symbol) where there are both. */
  async describe(symbol: string, packageName?: string): Promise<Map<string, Definition>> {
    const where = packageName === undefined ? {} : { package: packageName };
    const { definitions } = await this.knowledge.describe({ symbol, ...where });
    return new Map(definitions.toReversed().map((definition) => [definition.kind, definition]));
  }

  find(kind: FindKind, query: string, request: Partial<FindRequest> = {}): Promise<Findings> {
    return this.knowledge.find({ kind, query, limit: 50, ...request });
  }

  /** What was found as `kind text`. */
  async found(kind: FindKind, query: string, request: Partial<FindRequest> = {}): Promise<string[]> {
    const { results } = await this.find(kind, query, request);
    return results.map((finding) => `${finding.kind} ${finding.text}`);
  }
}

export function texts({ parts }: Inspection): string[] {
  return parts.map((part) => part.text ?? part.problem ?? 'unbound');
}
