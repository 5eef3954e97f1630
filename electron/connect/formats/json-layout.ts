/** How a JSON file is laid out, so that what is added looks as if its owner had written it. Pure. */
import type { Node } from 'jsonc-parser';

const LINE_BREAK = /\r\n|\r|\n/;

export interface Layout {
  eol: string;
  /** One step of indentation: some spaces or a tab. */
  step: string;
}

export function layoutOf(body: string): Layout {
  return {
    eol: LINE_BREAK.exec(body)?.[0] ?? '\n',
    step: /[\r\n]([ \t]+)[^ \t\r\n]/.exec(body)?.[1] ?? '  ',
  };
}

/** Whether properties of this object stand in its own line. An empty one follows the file, which starts out in lines. */
export function isInline(body: string, object: Node): boolean {
  const first = object.children?.[0];
  if (first) return !LINE_BREAK.test(body.slice(object.offset, first.offset));
  return object.parent !== undefined && !LINE_BREAK.test(body);
}

/** The blanks with which the line of this offset begins. */
export function indentationAt(body: string, offset: number): string {
  const line = body.slice(0, offset).split(LINE_BREAK).at(-1) ?? '';
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** A value in lines; all but the first are indented by `indentation` and more. */
export function inLines(value: unknown, indentation: string, { eol, step }: Layout): string {
  return JSON.stringify(value, null, step).replaceAll('\n', eol + indentation);
}
