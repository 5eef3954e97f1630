/** The theme of the window that opens before the settings are read in earnest. */
import { readFileSync } from 'node:fs';
import { Theme } from '../contract/settings';

/** What the file names; the system's where it says nothing, or nothing that can be read. */
export function themeAtStart(settingsFile: string): Theme {
  try {
    const { theme } = Object(JSON.parse(readFileSync(settingsFile, 'utf8'))) as { theme?: unknown };
    return Theme.catch('system').parse(theme);
  } catch {
    return 'system';
  }
}
