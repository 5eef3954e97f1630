/** How the window looks and in which language it speaks: all of the settings that it needs before there is a harbor. */

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The window's language: the system's where that is one of ours, else English. */
export const LANGUAGE_CHOICES = ['system', 'en', 'ja'] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];
