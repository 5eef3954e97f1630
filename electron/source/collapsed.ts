/** A source text with its top-level forms as one line each, and some of them whole. */
import { formTitle } from './locate';
import { Positions } from './positions';
import type { Source } from './reader';
import { signatureOf } from './signature';
import { isDefiner, type TopLevelForm, topLevelForms } from './top-level';

/** Which forms are shown whole, by what they are called or by what is in them; null: that is not asked. */
export interface Expanded {
  /** Asked of titles, as `defun area`, and of names alone. */
  names: ((texts: readonly string[]) => readonly boolean[]) | null;
  contents: ((texts: readonly string[]) => readonly boolean[]) | null;
}

/** `matched` forms are shown whole, and `left` ones not at all. `names` are those of all definitions. */
export interface Collapsed {
  text: string;
  matched: number;
  left: number;
  names: string[];
}

/**
 * Each form behind the number of its line; a whole one below it, as it is written. Comments between them are left out, and
 * with `others` false the forms that are not shown whole.
 */
export function collapsed(source: Source, { names, contents }: Expanded, others = true): Collapsed {
  const { text } = source;
  const positions = new Positions(text);
  const forms = topLevelForms(source);
  const titled = names?.(forms.map((form) => formTitle(form, source.dialect)));
  const named = names?.(forms.map(({ name }) => name?.name ?? ''));
  const holding = contents?.(forms.map((form) => ownText(form, text)));
  const lines: string[] = [];
  let [shown, matched, left] = [0, 0, 0];
  for (const [place, form] of forms.entries()) {
    const { start, end } = form.whole;
    // It is in a form that is shown whole.
    if (end <= shown) continue;
    const line = positions.line(start);
    if (titled?.[place] || named?.[place] || holding?.[place]) {
      lines.push(`${line}:`, text.slice(start, end));
      shown = end;
      matched += 1;
    } else if (others) lines.push(`${line}: ${'  '.repeat(form.depth)}${signatureOf(form, source)}`);
    else left += 1;
  }
  const definitions = forms.flatMap(({ type, name }) => (isDefiner(type) && name ? [name.name] : []));
  return { text: lines.join('\n'), matched, left, names: [...new Set(definitions)] };
}

function ownText({ whole }: TopLevelForm, text: string): string {
  return text.slice(whole.start, whole.end);
}
