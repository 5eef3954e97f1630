/** The outcome of an evaluation that no image ever saw, with the reason. */
import type { ImageOutcome } from '../images/image';

export function nothingRan(
  outcome: 'interrupted' | 'crashed' | 'refused',
  packageName: string,
  note: string,
): ImageOutcome {
  return { outcome, package: packageName, forms: [], warnings: [], condition: null, notes: [note] };
}
