/** The lines of a Lisp text that match a pattern, each with the top-level form that it stands in. */
import { isList } from './form-name';
import { innermost } from './matches';
import { EnteredPackages } from './names/entered-packages';
import type { Pattern } from './pattern';
import { Positions } from './positions';
import { read, type Source } from './reader';
import { formsOf, type SyntaxNode } from './syntax-tree';
import { isDefiner, type TopLevelForm, topLevelForms } from './top-level';

export interface MatchingLine {
  /** From 1. */
  line: number;
  text: string;
  /** That the `in-package` before it enters, as the reader makes its name; null where none does. */
  package: string | null;
  /** The form's operator. */
  type: string;
  /** As it is written; null where nothing is named. */
  name: string | null;
  /** How what it defines is called, as `(area shape)`; a variable's is its name. */
  signature: string | null;
  /** Offset of the form. */
  start: number;
  startLine: number;
  endLine: number;
  /** The whole form. */
  form: string;
}

/** Of a line and of a signature that are shown, in characters. */
const LONGEST = 300;

/** Lines between the forms, which are comments, are passed over.
 * @throws HarborError as `Pattern.matches` */
export function matchingLines(text: string, pattern: Pattern): MatchingLine[] {
  const lines = text.split('\n');
  const matching = pattern.matches(lines).flatMap((isMatch, index) => (isMatch ? [index + 1] : []));
  if (matching.length === 0) return [];
  const source = read(text, 'common-lisp');
  const positions = new Positions(text);
  const forms = topLevelForms(source);
  const entered = EnteredPackages.of(forms, source);
  const formAround = innermost(forms);
  return matching.flatMap((line) => {
    const written = lines[line - 1] ?? '';
    const offset = positions.startOf(line) + Math.max(written.search(/\S/), 0);
    const around = formAround(offset);
    if (around === undefined) return [];
    const { start, end } = around.whole;
    return {
      line,
      text: written.trim().slice(0, LONGEST),
      package: entered.at(offset),
      type: around.type,
      ...namesOf(around, source),
      start,
      startLine: positions.line(start),
      endLine: positions.line(Math.max(start, end - 1)),
      form: text.slice(start, end),
    };
  });
}

function namesOf(
  { type, form, name }: TopLevelForm,
  { text }: Source,
): Pick<MatchingLine, 'name' | 'signature'> {
  if (name === null || !isList(form)) return { name: null, signature: null };
  const written = (node: SyntaxNode) => text.slice(node.start, node.end).replace(/\s+/g, ' ');
  const [, named, ...rest] = formsOf(form);
  const called = named === undefined ? name.name : written(named).replace(/^(?:#:|:)/, '');
  const place = rest.findIndex(isList);
  const parameters = rest[place];
  if (parameters === undefined || !takesParameters(type)) return { name: called, signature: called };
  const qualifiers = rest.slice(0, place).map(written);
  const inside = written(parameters).slice(1, -1).trim();
  const signature = `(${[called, ...qualifiers, inside].filter(Boolean).join(' ')})`;
  return { name: called, signature: signature.length > LONGEST ? called : signature };
}

/** What follows the name of others is a value, slots or a documentation. */
function takesParameters(type: string): boolean {
  return (
    isDefiner(type) && /^(?:defun|defmacro|defgeneric|defmethod|define-|deftype|defclass|deftest)/i.test(type)
  );
}
