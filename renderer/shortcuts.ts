/** Keyboard shortcuts in the syntax `Mod+N`: matching and display. Pure. */

/** The properties of a KeyboardEvent that a shortcut depends on. */
export interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Reports whether the key press matches. `Mod` is Command on macOS and Control elsewhere. */
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

/**
 * Reports whether the key press is a line-editing key of a shell or Emacs, such as Ctrl+N (next line) or
 * Alt+D (delete word). In Lisp editors and terminals these keys are not shortcuts. Exception: Alt+. goes to a
 * definition, as in SLIME. On macOS shortcuts use Command, which line editing does not use.
 */
export function isLineEditing({ key, ctrlKey, altKey, metaKey, shiftKey }: Stroke): boolean {
  if (altKey && key === '.') return false;
  return ctrlKey !== altKey && !metaKey && !shiftKey && /^[a-z_@/.,<>\\-]$/i.test(key);
}

/** Returns the shortcut of a key press; null for a modifier alone and for text input. */
export function shortcutOf(stroke: Stroke, mac: boolean): string | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = stroke;
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph'].includes(key)) return null;
  const mod = mac ? metaKey : ctrlKey;
  if ((mac ? ctrlKey : metaKey) || !(mod || altKey || /^F\d+$/.test(key))) return null;
  const parts = [...(mod ? ['Mod'] : []), ...(altKey ? ['Alt'] : []), ...(shiftKey ? ['Shift'] : [])];
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join('+');
}

/** Formats a shortcut: `Ctrl+N`, or `⌘N` on macOS. */
export function shortcutLabel(shortcut: string, mac: boolean): string {
  if (!mac) return shortcut.replace('Mod', 'Ctrl').replace('Escape', 'Esc');
  const signs: Record<string, string> = { Mod: '⌘', Control: '⌃', Shift: '⇧', Alt: '⌥', Escape: 'esc' };
  return shortcut
    .split('+')
    .map((part) => signs[part] ?? part)
    .join('');
}

/** Formats a shortcut for `aria-keyshortcuts`. */
export function ariaShortcut(shortcut: string, mac: boolean): string {
  return shortcut.replace('Mod', mac ? 'Meta' : 'Control');
}
