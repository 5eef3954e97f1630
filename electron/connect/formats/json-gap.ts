/** What stands between the values of an object: commas, and comments of those who keep the file. Pure. */
import { visit } from 'jsonc-parser';

export interface Gap {
  /** Offset of its comma; null where there is none. */
  comma: number | null;
  /** Where what belongs to the value before it ends: its comma, and a comment in the same line. */
  anchor: number;
  /** Where its last comma or comment ends, or the gap begins. */
  contentEnd: number;
  hasComments: boolean;
  /** Whether its last comment goes on to the end of its line. */
  endsInLineComment: boolean;
  /** Whether any of its comments does. */
  hasLineComment: boolean;
}

const TOKEN = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,|[\r\n]/g;

/** The gap at [from, to) of a text that was parsed. */
export function gapIn(body: string, from: number, to: number): Gap {
  const gap: Gap = {
    comma: null,
    anchor: from,
    contentEnd: from,
    hasComments: false,
    endsInLineComment: false,
    hasLineComment: false,
  };
  let isBelow = false;
  for (const { 0: token, index } of body.slice(from, to).matchAll(TOKEN)) {
    if (token === ',') {
      gap.comma = from + index;
      isBelow = false;
    }
    if (/[\r\n]/.test(token.charAt(0))) isBelow = true;
    else {
      gap.contentEnd = from + index + token.length;
      if (!isBelow) gap.anchor = gap.contentEnd;
      gap.hasComments ||= token !== ',';
      gap.endsInLineComment = token.startsWith('//');
      gap.hasLineComment ||= gap.endsInLineComment;
    }
  }
  return gap;
}

/** The comments of a text that lie outside [from, to), in order. */
export function commentsOutside(body: string, from: number, to: number): string[] {
  const comments: string[] = [];
  visit(body, {
    onComment(offset, length) {
      if (offset < from || offset >= to) comments.push(body.slice(offset, offset + length));
    },
  });
  return comments;
}
