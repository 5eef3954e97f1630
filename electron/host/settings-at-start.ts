/** How the window looks and speaks that opens before the settings are read in earnest. */
import { readFileSync } from 'node:fs';
import { LANGUAGE_CHOICES, type LanguageChoice, THEMES, type Theme } from '../contract/appearance';

/** What the file names; the system's where it says nothing, or nothing that can be read. */
export function settingsAtStart(settingsFile: string): { theme: Theme; language: LanguageChoice } {
  const { theme, language } = read(settingsFile);
  return {
    theme: THEMES.find((each) => each === theme) ?? 'system',
    language: LANGUAGE_CHOICES.find((each) => each === language) ?? 'system',
  };
}

function read(file: string): { theme?: unknown; language?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as { theme?: unknown; language?: unknown };
  } catch {
    return {};
  }
}
