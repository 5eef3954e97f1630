/** Sentences in which something from outside is named: what is ours and what is not stay apart, so that a window can show it. */
import { z } from 'zod';
import { visibleLine } from './visible-text';

export const Phrase = z.array(z.union([z.string(), z.object({ outside: z.string() })]));
export type Phrase = z.infer<typeof Phrase>;

/** `` phrase`A yes opens ${folder}.` ``: all that is inserted comes from outside. */
export function phrase(ours: TemplateStringsArray, ...outside: readonly string[]): Phrase {
  return ours.flatMap((text, index) => {
    const named = outside[index];
    return named === undefined ? [text] : [text, { outside: visibleLine(named) }];
  });
}

/** As plain text, for those who read no boxes. */
export function phraseText(parts: Phrase): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.outside)).join('');
}
