/**
 * The tool `hyperspec`: what the Common Lisp HyperSpec says of a symbol or in a section. Its text is read where there is a copy on
 * this machine; else the image tells what it documents itself, and where the page is. Profiles offer it under their own names.
 */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Session } from '../../sessions/session/session';
import { code, stringCode } from '../../source/code';
import { stringRead } from '../../source/s-expression';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { valuesFor } from '../evaluation/own-evaluation';
import type { Caller, Tool } from '../tool';
import { describeTool } from './describe-tool';
import { pageText } from './page-text';

const HyperspecArguments = z.strictObject({
  query: z.string().trim().min(1).max(200).describe('A symbol, or a section such as 22.3'),
  include_content: z.boolean().optional(),
  brief: z.boolean().optional().describe('Only what comes before the description'),
});

const HyperspecResult = z.object({
  url: z.string(),
  source: z.enum(['local', 'remote']),
  content: z.string().optional(),
  notes: z.array(z.string()),
});

export function hyperspecTool(
  options: EvaluateToolOptions,
): Tool<typeof HyperspecArguments, typeof HyperspecResult> {
  return {
    name: 'hyperspec',
    title: 'Look up the HyperSpec',
    description: 'What the Common Lisp standard says of a symbol or in a section.',
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
        notes: local ? notes : [...notes, NO_COPY],
      };
      const text = [withContent ? content : '', structured.url].filter(Boolean).join('\n');
      return { structured, text, isError: false };
    },
  };
}

const SITE = 'http://www.lispworks.com/documentation/HyperSpec/Body';
const SYMBOL_INDEX = '../Front/X_AllSym.htm';
const NO_COPY =
  'There is no copy of the HyperSpec on this machine, so this is what the image documents. The system clhs of Quicklisp brings one.';

/** Characters of a page as it is printed. */
const MOST_HTML = 200_000;

/** A symbol's name, or the file of a section. */
type Wanted = { symbol: string; page?: undefined } | { symbol?: undefined; page: string };

/** @throws HarborError `bad_arguments` */
function wantedOf(query: string): Wanted {
  if (!/^\d[\d.]*$/.test(query)) return { symbol: query.replace(/^(?:cl|common-lisp)::?|^#?'/i, '') };
  const [chapter = 0, ...sections] = query.replace(/\.$/, '').split('.').map(Number);
  const letters = sections.map((section) => String.fromCharCode('a'.charCodeAt(0) + section - 1)).join('');
  if (chapter >= 1 && chapter <= 26 && /^[a-z]{0,5}$/.test(letters))
    return { page: `${String(chapter).padStart(2, '0')}_${letters}.htm` };
  throw new HarborError('bad_arguments', `${query} is no section: one reads 22.3.1, in chapters 1 to 26.`);
}

/** null where there is no copy, or nothing about it in it. */
async function localPage(
  { symbol, page }: Wanted,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
): Promise<{ html: string; file: string } | null> {
  const asked = symbol === undefined ? code`:page ${stringCode(page)}` : code`:symbol ${stringCode(symbol)}`;
  const reading = { code: String(code`(lisp-harbor:hyperspec-page ${asked})`), maxChars: MOST_HTML };
  const values = await valuesFor(caller, session, { kind: 'inspect', ...reading }, options);
  const [html, file] = values.map(textOfString);
  return html && file ? { html, file } : null;
}

/** What a printed string says; null for what is none. */
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
