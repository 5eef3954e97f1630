/** Names of the image for what is being typed. */
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Completion } from '../../electron/contract/knowledge';

/** A name that ends here: everything but blanks, delimiters and what quotes. */
export const NAME = /[^\s()[\]{}'"`,;@]+$/;

/** Not for what cannot be a name, and by itself only once two characters are there. */
export async function namesFor(
  context: CompletionContext,
  complete: (prefix: string) => Promise<readonly Completion[]>,
): Promise<CompletionResult | null> {
  const typed = context.matchBefore(NAME);
  if (!typed || (!context.explicit && typed.text.length < 2) || /^[#\d]/.test(typed.text)) return null;
  const names = await complete(typed.text);
  return {
    from: typed.from,
    options: names.map(({ name, kind, arglist }) => ({ label: name, detail: arglist ?? kind })),
    validFor: /^[^\s()[\]{}'"`,;@]*$/,
  };
}
