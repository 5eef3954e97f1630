/** The terminal's font: xterm takes a family and a number where the rest of the window takes variables of tokens.css. */

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

/** xterm measures its font once, when it opens: by then the font has to be there. Also settles when it cannot be had. */
export async function loadTerminalFont({ family, size }: TerminalFont): Promise<void> {
  try {
    await document.fonts.load(`${size}px ${family}`);
  } catch {
    // The next family of the list takes its place.
  }
}
