/** What a person wants kept out of the history: patterns of texts, and what stands in their place. */
import { z } from 'zod';

/** Stands for a text that was taken out. Whatever has it in it was redacted. */
export const REDACTED = '⟨redacted⟩';

/**
 * A text, letters of either case, that begins where a word does. Each `*` stands for one character at least of those that are no blank,
 * quote, bracket, comma, semicolon or backslash, so `sk-*` is any key that begins so.
 */
export const RedactedPattern = z
  .string()
  .max(200)
  .refine((text) => text.replaceAll('*', '').trim().length >= 3, 'at least three letters beside *')
  .refine((text) => text.split('*').length <= 4, 'at most three *');

/** How keys and tokens of well-known services begin. */
export const WELL_KNOWN_SECRETS: readonly string[] = [
  ...['sk-*', 'ghp_*', 'gho_*', 'github_pat_*', 'glpat-*', 'npm_*', 'xoxb-*', 'xoxp-*', 'AKIA*', 'AIza*'],
  ...['hf_*', 'Bearer *', 'eyJ*.*.*'],
];

export function isRedacted(text: string): boolean {
  return text.includes(REDACTED);
}
