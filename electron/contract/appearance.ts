/** How the window looks and in which language it speaks: all of the settings that it needs before there is a harbor. */
import { z } from 'zod';

export const Theme = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof Theme>;

/** The window's language: the system's where that is one of ours, else English. */
export const LanguageChoice = z.enum(['system', 'en', 'ja']);
export type LanguageChoice = z.infer<typeof LanguageChoice>;
