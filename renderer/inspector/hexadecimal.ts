/** Octets as people read them: sixteen a line, with the characters they may be. Pure. */

export const OCTETS_A_LINE = 16;

export interface OctetLine {
  /** `00 1f ff`. */
  digits: string;
  /** What is no printable character of ASCII is a dot. */
  characters: string;
}

/** @param digits two for each octet */
export function octetLines(digits: string): OctetLine[] {
  const octets = digits.match(/../g) ?? [];
  return Array.from({ length: Math.ceil(octets.length / OCTETS_A_LINE) }, (_, line) => {
    const here = octets.slice(line * OCTETS_A_LINE, (line + 1) * OCTETS_A_LINE);
    return { digits: here.join(' '), characters: here.map(characterOf).join('') };
  });
}

function characterOf(digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·';
}
