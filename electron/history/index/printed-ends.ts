/** Both ends of what an evaluation printed, as the database has it. */
import type { Database, Statement } from 'better-sqlite3';

interface Piece {
  sequence: number;
  characters: number;
  text: string;
}

const STATEMENTS = new WeakMap<Database, Statement<[Record<string, number>], Piece>>();

/** At least the first and the last `characters`; parted by a newline, for a match across the gap would be none. */
export function printedEnds(history: Database, evaluation: number, characters: number): string {
  const pieces = statement(history).all({ evaluation, characters });
  let [text, end] = ['', 0];
  for (const piece of pieces) {
    text += (piece.sequence === end ? '' : '\n') + piece.text;
    end = piece.sequence + piece.characters;
  }
  return text;
}

function statement(history: Database): Statement<[Record<string, number>], Piece> {
  const known = STATEMENTS.get(history);
  if (known) return known;
  const prepared = history.prepare<[Record<string, number>], Piece>(
    `select sequence, characters, text from output
     where evaluation = @evaluation and (sequence < @characters or sequence + characters >
       (select max(sequence + characters) from output where evaluation = @evaluation) - @characters)
     order by sequence`,
  );
  STATEMENTS.set(history, prepared);
  return prepared;
}
