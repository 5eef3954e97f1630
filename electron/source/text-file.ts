/** The bytes of a source file as text and back: what was not changed comes back as the same bytes. */
import { HarborError } from '../contract/errors';

/** In bytes: what is larger is no source that anybody wrote, and is not read as such. */
export const LARGEST_FILE = 4 * 1024 * 1024;

/** Latin-1 stands for every older encoding: it has a character for each byte. */
export type Encoding = 'utf-8' | 'latin-1';

export interface Text {
  text: string;
  encoding: Encoding;
}

/** A byte order mark stays in the text. null for bytes that are no text. */
export function textOf(bytes: Uint8Array): Text | null {
  if (bytes.some(isBinary)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin-1' };
  }
}

/** @throws HarborError `bad_arguments` for characters that the file's encoding does not have */
export function bytesOf({ text, encoding }: Text): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const foreign = /[^\0-\u00ff]/u.exec(text)?.[0];
  if (foreign === undefined) return Buffer.from(text, 'latin1');
  throw new HarborError(
    'bad_arguments',
    `The file is not UTF-8 but an older encoding, taken for Latin-1, which has no ${foreign}. Write that character in another way, or convert the file first.`,
  );
}

/** Control characters other than blanks, newlines, backspace and escape. */
function isBinary(byte: number): boolean {
  return byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32);
}
