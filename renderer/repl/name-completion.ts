/** Names of the image for what is being typed. */
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { Completion } from '../../electron/contract/knowledge';

/** A name that ends here: everything but blanks, delimiters and what quotes. */
export const NAME = /[^\s()[\]{}'"`,;@]+$/;

type Complete = (prefix: string) => Promise<readonly Completion[]>;

/** A list shows a dozen names at a time. To draw all that there are takes longer than a frame; the others come as it is walked through. */
const MOST_DRAWN = 20;

/** Names are listed as one types; those that follow one another closely are asked for once. */
export function nameCompletion(complete: Complete): Extension {
  return autocompletion({
    override: [(context) => namesFor(context, complete)],
    defaultKeymap: false,
    selectOnOpen: false,
    icons: false,
    interactionDelay: 0,
    maxRenderedOptions: MOST_DRAWN,
    // A list that comes within 100 ms seems to come at once.
    activateOnTypingDelay: 20,
  });
}

/** Not for what cannot be a name, and by itself only once two characters are there. */
async function namesFor(context: CompletionContext, complete: Complete): Promise<CompletionResult | null> {
  const typed = context.matchBefore(NAME);
  if (!typed || (!context.explicit && typed.text.length < 2) || /^[#\d]/.test(typed.text)) return null;
  const names = await complete(typed.text);
  return {
    from: typed.from,
    options: names.map(({ name, kind, arglist }) => ({ label: name, detail: arglist ?? kind })),
    validFor: /^[^\s()[\]{}'"`,;@]*$/,
  };
}
