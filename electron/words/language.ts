/** Languages of the window, and helpers for sentences in them. */

import type { LanguageChoice } from '../contract/option-values';

export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in each language. A missing one is a compile error. */
export type InEach<T> = Readonly<Record<Language, T>>;

/**
 * Returns the chosen language, else the language of the system if it is supported, else English.
 * @param system locale of the system, such as `ja-JP` or `C`
 */
export function languageOf(choice: LanguageChoice, system: string): Language {
  if (choice !== 'system') return choice;
  return LANGUAGES.find((language) => language === primary(system)) ?? 'en';
}

/** Locale of dates and numbers: the locale of the machine if it has this language, such as `en-GB`. */
export function localeOf(language: Language): string {
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  return primary(locale) === language ? locale : language;
}

function primary(locale: string): string {
  return locale.split(/[-_.]/)[0]?.toLowerCase() ?? '';
}

const ENGLISH = new Intl.PluralRules('en');
const NUMBERS = { en: new Intl.NumberFormat(localeOf('en')), ja: new Intl.NumberFormat(localeOf('ja')) };

/** English count: `1 session`, `1,204 sessions`. @param many plural, if it is not `one` with an s */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${NUMBERS.en.format(number)} ${plural(number, one, many)}`;
}

/** English singular or plural, by number. */
export function plural(number: number, one: string, many: string): string {
  return ENGLISH.select(number) === 'one' ? one : many;
}

/** Japanese count, which has no plural: `1,204件`. */
export function counted(number: number, counter: string): string {
  return `${NUMBERS.ja.format(number)}${counter}`;
}

/**
 * Template tag for sentences that contain elements: `` sentence`${name} is asleep.` ``. Returns the parts in
 * order, which `Sentence` renders.
 */
export function sentence<T>(
  texts: TemplateStringsArray,
  ...drawn: readonly (string | T)[]
): readonly (string | T)[] {
  return texts.flatMap((text, index) => [text, ...drawn.slice(index, index + 1)]);
}

/** Japanese text has a space between a Latin name and what follows, but not after a Japanese name. */
export function spaced(name: string): string {
  return /[!-~]$/.test(name) ? `${name} ` : name;
}
