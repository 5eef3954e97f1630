/** The languages that the window speaks, and which of them a person gets. */
import type { LanguageChoice } from '../contract/appearance';

export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in each of them. What one lacks does not compile. */
export type InEach<T> = Readonly<Record<Language, T>>;

/** The person's choice, else the system's language where it is one of ours, else English.
 * @param system the system's locale, as `ja-JP` or `C` */
export function languageOf(choice: LanguageChoice, system: string): Language {
  if (choice !== 'system') return choice;
  return LANGUAGES.find((language) => language === primary(system)) ?? 'en';
}

/** The locale of dates and numbers: the machine's own where it is of the language, as `en-GB`. */
export function localeOf(language: Language): string {
  const { locale } = Intl.DateTimeFormat().resolvedOptions();
  return primary(locale) === language ? locale : language;
}

function primary(locale: string): string {
  return locale.split(/[-_.]/)[0]?.toLowerCase() ?? '';
}
