/** Images attached to Swank servers, as the harbor attaches them; closed after each test. */
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { EmacsProtocol } from '../../electron/contract/harbor-status';
import type { Stream } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import type { EvaluateRequest, Image, ImageOutcome } from '../../electron/images/image';
import type { SuspendedEvaluation } from '../../electron/images/optional-groups';
import { SwankEngine } from '../../electron/images/swank/engine';
import { ROOT } from '../started-harbor';

/** An image that is closed after the test. */
export async function attach(port: number, home = '/nowhere', kind: EmacsProtocol = 'swank'): Promise<Image> {
  const engine = new SwankEngine(kind, {
    sources: path.join(ROOT, 'resources/swank'),
    named: () => [],
    home,
  });
  const image = await engine.attach({ server: { kind, host: '127.0.0.1', port } });
  onTestFinished(() => image.end());
  return image;
}

/** An outcome with its output and the values of all forms. */
export type Result = ImageOutcome & { stdout: string; stderr: string; values: string[] };

let evaluations = 0;

export async function evaluate(
  image: Image,
  code: string,
  more: Partial<EvaluateRequest> = {},
): Promise<Result> {
  const output: Record<Stream, string> = { stdout: '', stderr: '', warnings: '', input: '' };
  const id = more.id ?? ++evaluations;
  const outcome = await image.evaluate({ ...more, id, code }, (stream, text) => {
    output[stream] += text;
  });
  const { stdout, stderr } = output;
  return { ...outcome, stdout, stderr, values: outcome.forms.flatMap((form) => form.values) };
}

/** An evaluation that is held, and what becomes of it. */
export interface Held {
  id: number;
  held: SuspendedEvaluation;
  outcome: Promise<ImageOutcome>;
}

export function hold(image: Image, code: string, more: Partial<EvaluateRequest> = {}): Promise<Held> {
  const id = ++evaluations;
  return new Promise((resolve, reject) => {
    const outcome = image.evaluate({ ...more, id, code, onError: 'debug' }, () => undefined, {
      suspended: (held) => resolve({ id, held, outcome }),
      exited: () => undefined,
    });
    void outcome.then((ended) =>
      reject(new Error(`it was not held but ${ended.outcome}: ${noteTexts(ended.notes).join(' ')}`)),
    );
  });
}
