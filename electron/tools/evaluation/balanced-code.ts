/** Code that a caller sends is read before any of it runs: half of a form means that something was forgotten. */
import { HarborError } from '../../contract/errors';
import type { Session } from '../../sessions/session/session';
import { diagnosisText } from '../../source/diagnosis';
import { dialectOf } from '../../source/dialect';
import { unclosed } from '../../source/unclosed';

/** @throws HarborError `unbalanced_code`, with the place and what probably mends it */
export function requireBalanced(code: string, { identity, image }: Session): void {
  const diagnosis = image.hasOwnSyntax ? null : unclosed(code, dialectOf(identity.engine));
  if (diagnosis)
    throw new HarborError('unbalanced_code', `${diagnosisText(diagnosis)} Nothing was evaluated.`);
}
