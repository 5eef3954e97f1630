/**
 * The tool `hyperspec`: the Common Lisp HyperSpec's text about a symbol or section. Read from a copy on this
 * machine; without one, the image's own documentation and the address of the page are returned. Profiles
 * offer it under their own names.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { NoteText, note } from '../../contract/note';
import type { Session } from '../../sessions/session/session';
import { code, stringCode } from '../../source/code';
import { stringRead } from '../../source/s-expression';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { valuesFor } from '../../tools/evaluation/own-evaluation';
import { describeTool } from '../../tools/knowledge/describe-tool';
import type { Caller, Tool } from '../../tools/tool';

const HyperspecArguments = z.strictObject({
  query: z.string().trim().min(1).max(200).describe('A symbol, or a section such as 22.3'),
  include_content: z.boolean().optional(),
  brief: z.boolean().optional().describe('Only the part before the description'),
});

const HyperspecResult = z.object({
  url: z.string(),
  source: z.enum(['local', 'remote']),
  content: z.string().optional(),
  notes: z.array(NoteText),
});

export function hyperspecTool(
  options: EvaluateToolOptions,
): Tool<typeof HyperspecArguments, typeof HyperspecResult> {
  return {
    name: 'hyperspec',
    title: 'Look up the HyperSpec',
    description: 'The Common Lisp standard’s text about a symbol or a section.',
    scope: 'evaluate',
    args: HyperspecArguments,
    result: HyperspecResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ query, include_content: withContent = true, brief = false }, caller) {
      const wanted = wantedOf(query);
      const { session, notes } = await caller.defaultSession();
      const local = await localPage(wanted, session, caller, options);
      const content = local
        ? pageText(local.html, brief)
        : await ownContent(wanted, session, caller, options);
      const structured = {
        url: local ? `file://${local.file}` : `${SITE}/${wanted.page ?? SYMBOL_INDEX}`,
        source: local ? ('local' as const) : ('remote' as const),
        ...(withContent ? { content } : {}),
        notes: local ? notes : [...notes, note('no_copy', NO_COPY)],
      };
      const text = [withContent ? content : '', structured.url].filter(Boolean).join('\n');
      return { structured, text, isError: false };
    },
  };
}

const SITE = 'http://www.lispworks.com/documentation/HyperSpec/Body';
const SYMBOL_INDEX = '../Front/X_AllSym.htm';
const NO_COPY =
  'There is no copy of the HyperSpec on this machine, so this is the image’s documentation. The Quicklisp system clhs has a copy.';

/** Maximum characters of the HTML of a page. */
const MAX_HTML = 200_000;

/** A symbol's name, or the file of a section. */
type Wanted = { symbol: string; page?: undefined } | { symbol?: undefined; page: string };

/** @throws HarborError `bad_arguments` */
function wantedOf(query: string): Wanted {
  if (!/^\d[\d.]*$/.test(query)) return { symbol: query.replace(/^(?:cl|common-lisp)::?|^#?'/i, '') };
  const [chapter = 0, ...sections] = query.replace(/\.$/, '').split('.').map(Number);
  const letters = sections.map((section) => String.fromCharCode('a'.charCodeAt(0) + section - 1)).join('');
  if (chapter >= 1 && chapter <= 26 && /^[a-z]{0,5}$/.test(letters))
    return { page: `${String(chapter).padStart(2, '0')}_${letters}.htm` };
  throw new HarborError(
    'bad_arguments',
    `${query} is not a section: write one as 22.3.1, in chapters 1 to 26.`,
  );
}

/** Returns null if there is no copy, or nothing about it in the copy. */
async function localPage(
  { symbol, page }: Wanted,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
): Promise<{ html: string; file: string } | null> {
  const request =
    symbol === undefined ? code`:page ${stringCode(page)}` : code`:symbol ${stringCode(symbol)}`;
  const reading = { code: String(code`(lisp-harbor:hyperspec-page ${request})`), maxChars: MAX_HTML };
  const values = await valuesFor(caller, session, { kind: 'inspect', ...reading }, options);
  const [html, file] = values.map(textOfString);
  return html && file ? { html, file } : null;
}

/** Returns the content of a printed string; null if it is not a string. */
function textOfString(printed: string): string | null {
  return printed.startsWith('"') ? stringRead(printed) : null;
}

/** @throws HarborError `unknown_symbol`, and as the tool `describe` */
async function ownContent(
  { symbol }: Wanted,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
): Promise<string | undefined> {
  if (symbol === undefined) return undefined;
  const tool = describeTool(options);
  return (await tool.run({ symbol: `cl:${symbol}`, session: session.id }, caller)).text;
}

// Converts a page of the HyperSpec to text, without tags, entities and empty lines.

/** Maximum characters of a page, and of the part before a description without a heading. */
const MAX_CHARACTERS = 8000;
const MAX_BRIEF = 1500;

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }),
);

/**
 * Runs in time linear in the length of the page, even if its tags are malformed.
 * @param brief whether to end before the heading `Description:`
 */
export function pageText(html: string, brief: boolean): string {
  const lines = html
    .replace(/<[^<>]*>/g, '')
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
    .split('\n')
    .map((line) => line.replace(/[ \t\r\xa0]+/g, ' ').trim())
    .filter((line) => line !== '');
  const heading = brief ? lines.findIndex((line) => /^description:/i.test(line)) : -1;
  if (heading >= 0) return lines.slice(0, heading).join('\n').slice(0, MAX_CHARACTERS);
  return lines.join('\n').slice(0, brief ? MAX_BRIEF : MAX_CHARACTERS);
}
