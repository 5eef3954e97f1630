/** Matching and formatting of keyboard shortcuts. */
import { describe, expect, it } from 'vitest';
import { ariaShortcut, isLineEditing, matchesShortcut, shortcutLabel, shortcutOf } from './shortcuts';

describe('shortcuts', () => {
  const stroke = { key: 'n', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };

  it('use Control, and Command on macOS', () => {
    expect(matchesShortcut('Mod+N', stroke, false)).toBe(true);
    expect(matchesShortcut('Mod+N', stroke, true)).toBe(false);
    expect(matchesShortcut('Mod+N', { ...stroke, ctrlKey: false, metaKey: true }, true)).toBe(true);
  });

  it('require exactly their modifiers', () => {
    expect(matchesShortcut('Mod+N', { ...stroke, shiftKey: true }, false)).toBe(false);
    expect(matchesShortcut('Escape', { ...stroke, key: 'Escape', ctrlKey: false }, false)).toBe(true);
    expect(matchesShortcut('Escape', { ...stroke, key: 'Escape' }, false)).toBe(false);
  });

  it('are formatted as usual on the platform', () => {
    expect(shortcutLabel('Mod+1', false)).toBe('Ctrl+1');
    expect(shortcutLabel('Mod+1', true)).toBe('⌘1');
    expect(ariaShortcut('Mod+1', false)).toBe('Control+1');
  });

  it('leave line-editing keys to text input', () => {
    expect(isLineEditing(stroke)).toBe(true);
    expect(isLineEditing({ ...stroke, shiftKey: true })).toBe(false);
    expect(isLineEditing({ ...stroke, key: '1' })).toBe(false);
    expect(isLineEditing({ ...stroke, ctrlKey: false, altKey: true, key: 'd' })).toBe(true);
    expect(isLineEditing({ ...stroke, ctrlKey: false, metaKey: true })).toBe(false);
  });

  it('are recorded from a key press', () => {
    expect(shortcutOf({ ...stroke, shiftKey: true }, false)).toBe('Mod+Shift+N');
    expect(shortcutOf({ ...stroke, key: 'Control' }, false)).toBeNull();
    expect(shortcutOf({ ...stroke, ctrlKey: false }, false)).toBeNull();
    expect(shortcutOf({ ...stroke, ctrlKey: false, key: 'F5' }, false)).toBe('F5');
    expect(shortcutOf({ ...stroke, ctrlKey: false, metaKey: true }, true)).toBe('Mod+N');
  });
});
