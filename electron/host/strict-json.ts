/** JSON as a tree with offsets, for files that people edit as well: what is wrong is told with its place. Pure. */
import { type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from 'jsonc-parser';

/** `jsonc` has comments and trailing commas beside. */
export type JsonDialect = 'json' | 'jsonc';

/** Why a text is not what is asked for; `offset` says where, in characters. */
export class JsonProblem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * @returns undefined for a text of nothing but blanks
 * @throws JsonProblem for all else that JSON.parse refuses
 */
export function parseStrictJson(text: string): Node | undefined {
  return parseJson(text, 'json');
}

/**
 * @returns undefined for a text that says nothing
 * @throws JsonProblem for what the dialect does not allow
 */
export function parseJson(text: string, dialect: JsonDialect): Node | undefined {
  if (/^[ \t\r\n]*$/.test(dialect === 'jsonc' ? stripComments(text) : text)) return undefined;
  const errors: ParseError[] = [];
  const root = treeOf(text, dialect, errors);
  const [error] = errors;
  if (!error) return root;
  throw new JsonProblem(
    DESCRIPTIONS.get(printParseErrorCode(error.error)) ?? 'it is not valid JSON',
    error.offset,
  );
}

function treeOf(text: string, dialect: JsonDialect, errors: ParseError[]): Node | undefined {
  const isStrict = dialect === 'json';
  try {
    return parseTree(text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict });
  } catch (error) {
    // The parser recurses; thousands of levels exhaust the stack.
    if (error instanceof RangeError) throw new JsonProblem('it is nested too deeply', 0);
    throw error;
  }
}

/** Where that is for a person: `line 3, column 5`, both counted from 1. */
export function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CloseBraceExpected: 'a closing brace is missing',
    CloseBracketExpected: 'a closing bracket is missing',
    ColonExpected: 'a colon is missing',
    CommaExpected: 'a comma is missing',
    EndOfFileExpected: 'there is more after the end',
    InvalidCommentToken: 'comments are not allowed here',
    PropertyNameExpected: 'a name in double quotes is expected (a comma too many?)',
    UnexpectedEndOfString: 'a string is not closed',
    ValueExpected: 'a value is expected (a comma too many?)',
  }),
);
