/** Where a searched text is in what is shown, letters of either case. Pure. */

export interface Hit<P> {
  piece: P;
  text: string;
  hit: boolean;
}

/** Pieces of a text cut where a hit begins or ends; joined, their texts are the same. A hit may go over several pieces. */
export function markHits<P extends { text: string }>(pieces: readonly P[], query: string): Hit<P>[] {
  const text = pieces.map((piece) => piece.text).join('');
  const edges = hitsIn(text, query);
  let offset = 0;
  return pieces.flatMap((piece) => {
    const parts = cutAt(piece.text, offset, edges);
    offset += piece.text.length;
    return parts.map((part) => ({ ...part, piece }));
  });
}

/** Beginning and end of each hit, in order. */
function hitsIn(text: string, query: string): number[] {
  const [where, what] = [text.toLowerCase(), query.toLowerCase()];
  const edges: number[] = [];
  if (what === '' || where.length !== text.length) return edges;
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length))
    edges.push(at, at + what.length);
  return edges;
}

function cutAt(text: string, offset: number, edges: readonly number[]): { text: string; hit: boolean }[] {
  const within = edges.map((edge) => edge - offset).filter((edge) => edge > 0 && edge < text.length);
  const cuts = [0, ...within, text.length];
  return cuts.slice(1).flatMap((end, index) => {
    const start = cuts[index] ?? 0;
    const before = edges.filter((edge) => edge <= offset + start).length;
    return start === end ? [] : [{ text: text.slice(start, end), hit: before % 2 === 1 }];
  });
}
