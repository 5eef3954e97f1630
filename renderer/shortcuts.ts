/** Keyboard shortcuts: written once as `Mod+N`, matched against events, shown as the platform writes them. Pure. */

/** The part of a KeyboardEvent that a shortcut depends on. */
export interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** `Mod` is Command on a Mac and Control elsewhere. */
export function matchesShortcut(shortcut: string, stroke: Stroke, mac: boolean): boolean {
  const parts = shortcut.split('+');
  const mod = parts.includes('Mod');
  return (
    stroke.key.toLowerCase() === parts.at(-1)?.toLowerCase() &&
    stroke.metaKey === (mod && mac) &&
    stroke.ctrlKey === (mod && !mac) &&
    stroke.shiftKey === parts.includes('Shift') &&
    stroke.altKey === parts.includes('Alt')
  );
}

/** `Ctrl+N`, or `⌘N` on a Mac. */
export function shortcutLabel(shortcut: string, mac: boolean): string {
  if (!mac) return shortcut.replace('Mod', 'Ctrl').replace('Escape', 'Esc');
  const signs: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Escape: 'esc' };
  return shortcut
    .split('+')
    .map((part) => signs[part] ?? part)
    .join('');
}

/** The form that `aria-keyshortcuts` wants. */
export function ariaShortcut(shortcut: string, mac: boolean): string {
  return shortcut.replace('Mod', mac ? 'Meta' : 'Control');
}
