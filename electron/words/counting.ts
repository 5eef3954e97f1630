/** Numbers within sentences. */
import { localeOf } from './language';

const ENGLISH = new Intl.PluralRules('en');
const NUMBERS = { en: new Intl.NumberFormat(localeOf('en')), ja: new Intl.NumberFormat(localeOf('ja')) };

/** English: `1 session`, `1,204 sessions`. @param many where that is not `one` with an s */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.en.format(number)} ${plural(number, one, many)}`;
}

/** English: the word that goes with the number. */
export function plural(number: number, one: string, many: string): string {
  return ENGLISH.select(number) === 'one' ? one : many;
}

/** Japanese, which knows no plural: `1,204件`. */
export function counted(number: number, counter: string): string {
  return `${NUMBERS.ja.format(number)}${counter}`;
}
