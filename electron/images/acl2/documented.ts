/** What the helper tells of names with their documentation: that of books comes as markup, and becomes text here. */
import { z } from 'zod';
import { Definition, Finding, Findings, SymbolDescription } from '../../contract/knowledge';
import { xdocText } from './xdoc-text';

/** `from` is the book that documents it. */
const Markup = z.object({ markup: z.array(z.string()).optional(), from: z.string().optional() });

type Markup = z.infer<typeof Markup>;

export const DocumentedDescription = SymbolDescription.extend({
  definitions: z.array(Definition.extend(Markup.shape).transform(withText)),
});

export const DocumentedFindings = Findings.extend({
  results: z.array(Finding.extend(Markup.shape).transform(withText)),
});

function withText<D extends Markup>({ markup, from, ...documented }: D) {
  if (markup === undefined) return documented;
  const book = from === undefined ? [] : [`(${from})`];
  return { ...documented, documentation: [...markup.map(xdocText), ...book].filter(Boolean).join('\n\n') };
}
