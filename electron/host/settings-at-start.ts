/** How the window looks and speaks that opens before the settings are read in earnest. */
import { readFileSync } from 'node:fs';
import { LanguageChoice, Theme } from '../contract/appearance';
import type { Settings } from '../contract/settings';

/** What the file names; the system's where it says nothing, or nothing that can be read. */
export function settingsAtStart(settingsFile: string): Pick<Settings, 'theme' | 'language'> {
  const { theme, language } = read(settingsFile);
  return {
    theme: Theme.catch('system').parse(theme),
    language: LanguageChoice.catch('system').parse(language),
  };
}

function read(file: string): { theme?: unknown; language?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8'))) as { theme?: unknown; language?: unknown };
  } catch {
    return {};
  }
}
