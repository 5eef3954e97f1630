/** What an evaluation printed, without the condition that stands below it: ACL2 and nREPL print that as well. Pure. */
import type { OutputPiece } from '../live';

/** As `clojure.main` prints an error: where it was, and on the next line the beginning of its message. */
const CLOJURE_ERROR =
  /(?:^|\n)(?:(?:Execution|Syntax|Unexpected) error|Error (?:printing|reading)) .*\n([\s\S]*)$/;

/** @param message of the condition that is shown; null for none */
export function ownOutput(pieces: readonly OutputPiece[], message: string | null): readonly OutputPiece[] {
  if (!message?.trim()) return pieces;
  const place = pieces.findLastIndex(({ text }) => withoutMessage(text, message) !== text);
  return pieces
    .map((piece, index) =>
      index === place ? { ...piece, text: withoutMessage(piece.text, message) } : piece,
    )
    .filter(({ text }) => text.trim() !== '');
}

function withoutMessage(text: string, message: string): string {
  const error = CLOJURE_ERROR.exec(text);
  if (error?.[1] && message.includes(error[1].trim())) return text.slice(0, error.index);
  const start = text.lastIndexOf(message);
  if (start < 0) return text;
  return [text.slice(0, start).trimEnd(), text.slice(start + message.length).trim()]
    .filter(Boolean)
    .join('\n');
}
