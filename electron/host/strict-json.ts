/** JSON as a tree with offsets, for files that users edit. Errors are reported with their position. Pure. */
import { type Node, type ParseError, parseTree, printParseErrorCode, stripComments } from 'jsonc-parser';

/** `jsonc` also allows comments and trailing commas. */
export type JsonDialect = 'json' | 'jsonc';

/** An error in a text; `offset` is its position in characters. */
export class JsonProblem extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * @returns undefined for a blank text
 * @throws JsonProblem for any other text that JSON.parse refuses
 */
export function parseStrictJson(text: string): Node | undefined {
  return parseJson(text, 'json');
}

/**
 * @returns undefined for a text without a value
 * @throws JsonProblem for anything that the dialect does not allow
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
    // The parser is recursive. Thousands of levels exhaust the stack.
    if (error instanceof RangeError) throw new JsonProblem('it is nested too deeply', 0);
    throw error;
  }
}

/** Returns the position for users: `line 3, column 5`, both counted from 1. */
export function positionIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CloseBraceExpected: 'a closing brace is missing',
    CloseBracketExpected: 'a closing bracket is missing',
    ColonExpected: 'a colon is missing',
    CommaExpected: 'a comma is missing',
    EndOfFileExpected: 'there is more text after the end',
    InvalidCommentToken: 'comments are not allowed here',
    PropertyNameExpected: 'a name in double quotes is expected (is there an extra comma?)',
    UnexpectedEndOfString: 'a string is not closed',
    ValueExpected: 'a value is expected (is there an extra comma?)',
  }),
);
