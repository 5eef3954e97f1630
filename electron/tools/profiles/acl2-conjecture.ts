/** Conjectures as ACL2's THM takes them, from the ways in which people and agents write them. */
import { HarborError } from '../../contract/errors';
import { elementsOf, formsIn } from '../../source/forms';

/** Arguments of DEFTHM that THM knows as well (ACL2 documentation, THM). */
const THM_KEYWORDS = new Set([':HINTS', ':OTF-FLG', ':INSTRUCTIONS']);

/**
 * The form that proves `conjecture` and adds nothing to the world: a THM as it is, a DEFTHM without its name and its
 * rule classes, a term by itself.
 * @param hints as after `:hints`
 * @throws HarborError `bad_arguments` unless it is one form
 */
export function conjectureForm(conjecture: string, hints?: string): string {
  const form = oneForm(conjecture, 'The conjecture');
  const [operator, , term, ...keywords] = elementsOf(form, 'common-lisp') ?? [];
  if (operator?.toUpperCase() === 'THM') return form;
  if (!/^DEFTHMD?$/i.test(operator ?? '')) return thm(form, hints === undefined ? [] : [':hints', hints]);
  if (term === undefined)
    throw new HarborError('bad_arguments', 'This theorem has no formula: write (defthm name formula).');
  return thm(term, keywords);
}

function thm(term: string, keywords: readonly string[]): string {
  const kept = keywords.filter((_, index) =>
    THM_KEYWORDS.has((keywords[index - (index % 2)] ?? '').toUpperCase()),
  );
  return `(thm ${[term, ...kept].join(' ')})`;
}

/** @throws HarborError `bad_arguments` */
export function oneForm(text: string, what: string): string {
  const forms = formsIn(text, 'common-lisp');
  const [form] = forms ?? [];
  if (forms?.length === 1 && form !== undefined) return form;
  throw new HarborError('bad_arguments', `${what} must be one form whose parentheses match.`);
}

/** A name as it can stand in a command. @throws HarborError `bad_arguments` */
export function eventName(text: string): string {
  const name = oneForm(text, 'The name');
  if (!/^[('"`,#;]/.test(name)) return name;
  throw new HarborError('bad_arguments', `${text} is no name of an event.`);
}
