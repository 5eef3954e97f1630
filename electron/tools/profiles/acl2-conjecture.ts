/** Conjectures as ACL2's THM takes them, from the ways in which people and agents write them. */
import { HarborError } from '../../contract/errors';
import { type Code, code, OneForm, SymbolName } from '../../source/code';

/** How THM is told what these arguments of DEFTHM tell; the others are about its name and its rule. */
const AS_THM_IS_TOLD: ReadonlyMap<string, (given: OneForm) => Code> = new Map(
  Object.entries({
    ':HINTS': (hints) => code`:hints ${hints}`,
    ':OTF-FLG': (flag) => code`:otf-flg ${flag}`,
    ':INSTRUCTIONS': (instructions) => code`:hints (("Goal" :instructions ${instructions}))`,
  }),
);

/**
 * The form that proves `conjecture` and adds nothing to the world: a THM as it is, a DEFTHM without its name and its
 * rule classes, a term by itself. ACL2's own names have their package: the session's need not have them.
 * @param hints as after `:hints`
 * @throws HarborError `bad_arguments` unless it is one form
 */
export function conjectureForm(conjecture: string, hints?: string): Code {
  const form = oneForm(conjecture, 'code');
  const [operator, ...given] = form.elements('code');
  const named = String(operator)
    .toUpperCase()
    .replace(/^ACL2::?/, '');
  if (named === 'THM') return code`(acl2::thm ${given})`;
  if (named !== 'DEFTHM' && named !== 'DEFTHMD')
    return hints === undefined
      ? code`(acl2::thm ${form})`
      : code`(acl2::thm ${form} :hints ${oneForm(hints, 'hints')})`;
  const [, term, ...keywords] = given;
  if (term === undefined)
    throw new HarborError('bad_arguments', 'This theorem has no formula: write (defthm name formula).');
  return code`(acl2::thm ${[term, ...asThmIsTold(keywords)]})`;
}

/** @param keywords each with what is given for it after it */
function asThmIsTold(keywords: readonly OneForm[]): Code[] {
  return keywords.flatMap((given, index) => {
    const keyword = index % 2 === 1 ? keywords[index - 1] : undefined;
    return AS_THM_IS_TOLD.get(String(keyword).toUpperCase())?.(given) ?? [];
  });
}

/** @param argument as its caller named it @throws HarborError `bad_arguments` */
export function oneForm(text: string, argument: string): OneForm {
  return OneForm.read(text, 'common-lisp', argument);
}

/** The name of an event. @throws HarborError `bad_arguments` */
export function eventName(text: string, argument = 'name'): SymbolName {
  return SymbolName.read(text, 'common-lisp', argument);
}

/** @throws HarborError `bad_arguments` for what is no keyword */
export function keyword(text: string, argument: string): SymbolName {
  const name = eventName(text, argument);
  if (!String(name).startsWith(':'))
    throw new HarborError('bad_arguments', `invalid ${argument}: write a keyword such as :system.`);
  return name;
}
