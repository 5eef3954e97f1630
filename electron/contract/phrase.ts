/** Sentences with text from outside, which the window marks as such. */
import { z } from 'zod';
import { visibleLine } from './visible-text';

/** A sentence with text from outside, kept apart from the app's own words so that the window can mark it. */
export const Phrase = z.array(z.union([z.string(), z.object({ outside: z.string() })]));
export type Phrase = z.infer<typeof Phrase>;

/** Template tag whose inserted values are text from outside: `` phrase`A yes opens ${folder}.` ``. */
export function phrase(ours: TemplateStringsArray, ...outside: readonly string[]): Phrase {
  return ours.flatMap((text, index) => {
    const named = outside[index];
    return named === undefined ? [text] : [text, { outside: visibleLine(named) }];
  });
}

/** Returns plain text, for clients without markup. */
export function phraseText(parts: Phrase): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.outside)).join('');
}
