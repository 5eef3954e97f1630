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

/**
 * Whether a shell's or Emacs's line editing has a meaning for the stroke (Ctrl+N is the next line, Alt+D erases a word): where
 * a person types Lisp, it is theirs; Alt+. is SLIME's there, and leads to what a name stands for. On a Mac, shortcuts are with Command, which line editing leaves alone.
 */
export function isLineEditing({ key, ctrlKey, altKey, metaKey, shiftKey }: Stroke): boolean {
  if (altKey && key === '.') return false;
  return ctrlKey !== altKey && !metaKey && !shiftKey && /^[a-z_@/.,<>\\-]$/i.test(key);
}

/** The shortcut that a stroke is; null while only modifiers are down, and for what would be typed. */
export function shortcutOf(stroke: Stroke, mac: boolean): string | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = stroke;
  if (['Control', 'Meta', 'Alt', 'Shift', 'AltGraph'].includes(key)) return null;
  const mod = mac ? metaKey : ctrlKey;
  if ((mac ? ctrlKey : metaKey) || !(mod || altKey || /^F\d+$/.test(key))) return null;
  const parts = [...(mod ? ['Mod'] : []), ...(altKey ? ['Alt'] : []), ...(shiftKey ? ['Shift'] : [])];
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join('+');
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
