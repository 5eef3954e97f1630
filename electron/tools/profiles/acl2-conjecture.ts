/** Conjectures as ACL2's THM takes them, from the ways in which people and agents write them. */
import { HarborError } from '../../contract/errors';
import { elementsOf, formsIn } from '../../source/forms';

/** How THM is told what these arguments of DEFTHM tell; the others are about its name and its rule. */
const AS_THM_IS_TOLD: Readonly<Record<string, (given: string) => string>> = {
  ':HINTS': (hints) => `:hints ${hints}`,
  ':OTF-FLG': (flag) => `:otf-flg ${flag}`,
  ':INSTRUCTIONS': (instructions) => `:hints (("Goal" :instructions ${instructions}))`,
};

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

/** @param keywords each with what is given for it after it */
function thm(term: string, keywords: readonly string[]): string {
  const kept = keywords.flatMap((given, index) => {
    const keyword = index % 2 === 1 ? keywords[index - 1] : undefined;
    return AS_THM_IS_TOLD[keyword?.toUpperCase() ?? '']?.(given) ?? [];
  });
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
