/**
 * Names that clients and people give: to sessions, tokens, checkpoints. What looks like another name is none, because a
 * person goes by what they see.
 */
import { HarborError } from './errors';

/** Letters of several alphabets in one name may look like those of one: of these, a name has one. */
const ALPHABETS = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Georgian'];

const OF_ALPHABET = ALPHABETS.map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));

/** Letters, digits, signs, and single blanks between them; at most two marks on a letter. */
const FORM = /^(?! )(?:[\p{L}\p{N}\p{P}\p{S}]\p{M}{0,2}| (?! ))+(?<! )$/u;

const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

const RULE =
  'letters of one alphabet, digits, signs and single blanks; none that is invisible or stands for another character';

/** Whether the name looks like no other. */
function isPlainName(name: string): boolean {
  const alphabets = OF_ALPHABET.filter((letter) => letter.test(name));
  return FORM.test(name) && !UNSEEN.test(name) && name.normalize('NFKC') === name && alphabets.length <= 1;
}

/** For what is made now; what has a name already keeps it. @throws HarborError `bad_arguments` */
export function requirePlainName(name: string): void {
  if (isPlainName(name)) return;
  throw new HarborError('bad_arguments', `${JSON.stringify(name.slice(0, 80))} is no name: it has ${RULE}.`);
}
