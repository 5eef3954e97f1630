/** The terminal's font. The rest of the window takes it from tokens.css by variables; xterm wants a family and a number. */

export interface TerminalFont {
  /** A CSS list of families. */
  family: string;
  /** In pixels. */
  size: number;
}

export function terminalFont(): TerminalFont {
  const style = getComputedStyle(document.documentElement);
  return {
    family: style.getPropertyValue('--mono'),
    size: Number.parseFloat(style.getPropertyValue('--size-terminal')),
  };
}

/** Loads the font: xterm measures it once, when it opens. Never rejects; without the font another of the list is used. */
export async function loadTerminalFont({ family, size }: TerminalFont): Promise<void> {
  try {
    await document.fonts.load(`${size}px ${family}`);
  } catch {
    // The next family of the list takes its place.
  }
}
