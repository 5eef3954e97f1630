/** Light, dark, or as the system has it. */
import { nativeTheme } from 'electron';
import type { Theme } from '../contract/settings';

/** Changes every page's `prefers-color-scheme`, the native menus and the dialogs at once. */
export function applyTheme(theme: Theme): void {
  nativeTheme.themeSource = theme;
}

/** What the window shows until its page has painted; the page's own background colours. */
export function windowBackground(): string {
  return nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff';
}
