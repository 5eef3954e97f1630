/** The tool `describe`: explains a name, and on request its macroexpansion and machine code. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Definition, ExternalName } from '../../contract/knowledge';
import { instead, mention, messageText, ours, type ToolNames } from '../../contract/mention';
import { type Note, NoteText } from '../../contract/note';
import { visibleForm, withTexts } from '../../contract/visible-text';
import type { Session } from '../../sessions/session/session';
import { OneForm } from '../../source/code';
import { dialectOf } from '../../source/dialect';
import { sessionOf } from '../arguments';
import type { OwnEvaluationOptions } from '../evaluation/evaluation-answer';
import { evaluateFor, evaluationInstead, OwnRecord } from '../evaluation/own-evaluation';
import { closingLines } from '../notes';
import { inOneLine, isOfProver, quoted } from '../prover/quoted';
import { type PlaceResult, placeText, SourcePlaces } from '../source-places';
import type { Caller, Tool, ToolResult } from '../tool';

const DescribeArguments = z.strictObject({
  symbol: z.string().min(1).max(500).optional().describe('foo, pkg:foo, |Foo|, (setf foo) or a package'),
  session: z.string().optional(),
  package: z.string().max(500).optional().describe('Of the symbol'),
  disassemble: z.boolean().optional(),
  form: z.string().max(100_000).optional().describe('To expand instead'),
  expand: z.enum(['once', 'full']).optional(),
  offset: z.int().min(0).optional(),
});
type DescribeArguments = z.output<typeof DescribeArguments>;

const DescribeResult = z.object({
  session: z.string(),
  symbol: z.string().optional(),
  status: z.string().optional(),
  definitions: z
    .array(z.looseObject({ kind: z.string(), name: z.string() }))
    .optional()
    .describe('With arglist, documentation, source, methods, slots and more, by kind'),
  disassembly: z.string().optional(),
  expansion: z.string().optional(),
  evaluation: OwnRecord.optional().describe('Of form'),
  notes: z.array(NoteText),
});

export function describeTool(
  options: OwnEvaluationOptions,
): Tool<typeof DescribeArguments, typeof DescribeResult> {
  return {
    name: 'describe',
    title: 'Describe a name',
    description:
      'Describes a symbol or ACL2 topic: arglist, documentation, place, type, value, methods, slots; for a package its exports, and which are undefined. Evaluates nothing but `form`, which is macroexpanded.',
    scope: 'read',
    args: DescribeArguments,
    result: DescribeResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const knowledge = session.ability('knowledge');
      if (args.form !== undefined) return expand(args, args.form, { session, notes }, caller, options);
      if (args.symbol === undefined) throw new HarborError('bad_arguments', 'Give a symbol or a form.');
      const request = { symbol: args.symbol, ...(args.package ? { package: args.package } : {}) };
      const { symbol, status, definitions } = await knowledge.describe(request);
      const view = new SourcePlaces(session, options.history);
      const { offset = 0 } = args;
      const shown = definitions.map((definition) => definitionResult(withPage(definition, offset), view));
      const code = args.disassemble ? { disassembly: await knowledge.disassemble(request) } : {};
      const structured = { session: session.id, symbol, status, definitions: shown, ...code, notes };
      const { engine } = session.identity;
      const visible = { ...structured, definitions: shown.map((each) => visibleDefinition(each, engine)) };
      return { structured, text: descriptionText(visible, caller), notes, isError: false };
    },
  };
}

interface Request {
  session: Session;
  notes: Note[];
}

/** Expands a form. This runs macros, so it is an evaluation and requires that scope. */
async function expand(
  args: DescribeArguments,
  form: string,
  { session, notes }: Request,
  caller: Caller,
  options: OwnEvaluationOptions,
): Promise<ToolResult<z.input<typeof DescribeResult>>> {
  if (!caller.client.scopes.has('evaluate'))
    throw new HarborError(
      'scope_missing',
      'Expanding a form runs its macros, which needs the scope "evaluate". Describe the macro by its symbol instead.',
    );
  const read = OneForm.read(form, dialectOf(session.identity.engine), 'form');
  const code = session.ability('knowledge').expansionCode(read, args.expand ?? 'once');
  const where = args.package ? { package: args.package } : {};
  const row = await evaluateFor(
    caller,
    session,
    { kind: 'inspect', code, safeRead: true, ...where },
    options,
  );
  const evaluated = await evaluationInstead(row, session, caller, options, notes);
  if (row.outcome !== 'ok') return evaluated;
  const expansion = row.forms.at(-1)?.values[0] ?? '';
  return { ...evaluated, structured: { ...evaluated.structured, expansion } };
}

// Data of a described name.

/** A definition with its places as results show them. The published schema omits most of it. */
export type DefinitionResult = Omit<Definition, 'source' | 'methods'> & {
  source?: PlaceResult;
  methods?: { text: string; documentation?: string | undefined; source?: PlaceResult }[];
};

interface Description {
  session: string;
  symbol: string;
  status: string;
  definitions: readonly DefinitionResult[];
  disassembly?: string;
  notes: readonly Note[];
}

function definitionResult({ source, methods, ...rest }: Definition, view: SourcePlaces): DefinitionResult {
  return {
    ...rest,
    ...(source === undefined ? {} : { source: view.place(source) }),
    ...(methods === undefined
      ? {}
      : {
          methods: methods.map(({ source: place, ...method }) => ({
            ...method,
            ...(place === undefined ? {} : { source: view.place(place) }),
          })),
        }),
  };
}

/** Returns the definition with texts that cannot imitate ours: an image's names may contain any character. */
function visibleDefinition(definition: DefinitionResult, engine: string): DefinitionResult {
  const { kind, name, arglist, documentation } = definition;
  if (!isOfProver({ engine }))
    return { ...definition, ...inOneLine({ kind, name, ...(arglist === undefined ? {} : { arglist }) }) };
  return {
    ...withTexts(definition, visibleForm),
    ...(documentation ? { documentation: quoted(documentation) } : {}),
  };
}

/** Maximum characters of a page of documentation: of a topic, and of another name. */
const TOPIC_CHARACTERS = 6_000;
const DOCUMENTATION_CHARACTERS = 1_500;

/** Returns the definition with the part of its documentation that begins at `offset`. */
function withPage<D extends Definition>(definition: D, offset: number): D {
  const { kind, documentation } = definition;
  const most = kind === 'topic' ? TOPIC_CHARACTERS : DOCUMENTATION_CHARACTERS;
  if (documentation === undefined || (documentation.length <= most && offset === 0)) return definition;
  const end = offset + most;
  const more = documentation.length - end;
  const rest = more > 0 ? `… ${more} more characters: offset ${end}` : '';
  return { ...definition, documentation: documentation.slice(offset, end) + rest };
}

// Brief text of a described name. Omits what its kind, its printed name or its source already says.

/** Maximum characters of source text. Longer source is read from its file. */
const CODE_CHARACTERS = 200;
/** Maximum number of listed methods. */
const METHODS = 20;

function descriptionText(description: Description, { conversation, names }: Caller): string {
  const { session, definitions, disassembly } = description;
  return [
    definitions.map((definition) => definitionText(definition, names)).join('\n\n'),
    ...(disassembly === undefined ? [] : [`[disassembly]\n${disassembly}`]),
    ...closingLines(conversation.sessionFacts(session)),
  ].join('\n');
}

function definitionText(definition: DefinitionResult, tools: ToolNames): string {
  const { kind, name, arglist, source, command, builtIn, code, documentation, include } = definition;
  const head = [
    [kind, name, arglist].filter(Boolean).join(' '),
    ...(source ? [placeText(source)] : []),
    ...(command === undefined ? [] : [`command ${command}`]),
    ...(builtIn ? ['built in'] : []),
    ...(include === undefined ? [] : [include]),
  ];
  const isShort = code !== undefined && code.length <= CODE_CHARACTERS;
  const lines = [
    head.join(' · '),
    isShort ? code : documentation,
    ...valueLines(definition),
    ...classLines(definition),
    ...worldLines(definition),
    ...methodLines(definition),
    ...packageLines(definition, tools),
  ];
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

/** The derived type of a function about which the compiler knows nothing. */
const ANY_FUNCTION = /^\(FUNCTION \((?:T|&OPTIONAL|&REST|&KEY| )*\) \*\)$/;

function valueLines({ type, inline, value, unbound, expansion, marks }: DefinitionResult) {
  return [
    unbound ? 'unbound' : labelled('value', value),
    labelled('type', type !== undefined && ANY_FUNCTION.test(type) ? undefined : type),
    labelled('inline', inline),
    labelled('expands to', expansion),
    marks?.join(', '),
  ];
}

/** Superclasses of every class of a kind. */
const TOP_CLASSES: ReadonlySet<string> = new Set(
  'T STANDARD-OBJECT STRUCTURE-OBJECT SB-PCL::SLOT-OBJECT CONDITION SB-KERNEL:INSTANCE'.split(' '),
);

function classLines({ name, metaclass, superclasses = [], subclasses, precedence, slots }: DefinitionResult) {
  const above = (precedence ?? superclasses).filter((each) => each !== name && !TOP_CLASSES.has(each));
  return [
    labelled('metaclass', metaclass),
    labelled('above it', above.join(', ')),
    labelled('subclasses', subclasses?.join(', ')),
    ...(slots ?? []).map(
      (slot) => `slot ${[slot.name, slot.details, slot.documentation].filter(Boolean).join(' · ')}`,
    ),
  ];
}

/**
 * Returns the lines about members of a logical world. The formula of a theorem is in its event, and rules are
 * only in the data.
 */
function worldLines({
  kind,
  mode,
  guardsVerified,
  signature,
  guard,
  formula,
  event,
  rules = [],
}: DefinitionResult) {
  const names = (enabled: boolean) =>
    rules.filter((rule) => rule.enabled === enabled).map(({ rune }) => rune);
  return [
    mode === 'program' ? 'mode: program' : undefined,
    guardsVerified === false && !kind.startsWith('theorem') ? 'guards not verified' : undefined,
    labelled('signature', signature !== undefined && isPlain(signature) ? undefined : signature),
    labelled('guard', guard),
    labelled('formula', event === undefined ? formula : undefined),
    event,
    labelled('rules', names(true).join(' ')),
    labelled('disabled', names(false).join(' ')),
  ];
}

/** Reports whether the signature has no stobjs and one result: `(APP * *) => *`. */
function isPlain(signature: string): boolean {
  return /^\(\S+(?: \*)*\) => \*$/.test(signature);
}

function methodLines({ methods = [], total = methods.length }: DefinitionResult) {
  const shown = methods.slice(0, METHODS);
  const more = total - shown.length;
  return [
    ...shown.map(({ text, source, documentation }) =>
      [text, source && placeText(source), documentation].filter(Boolean).join(' · '),
    ),
    more > 0 ? `… ${more} more methods` : undefined,
  ];
}

function packageLines(
  { nicknames, uses, users, locked, externals, names, name }: DefinitionResult,
  tools: ToolNames,
) {
  return [
    labelled('nicknames', nicknames?.join(', ')),
    labelled('uses', uses?.join(', ')),
    labelled('used by', users?.join(', ')),
    locked ? 'locked' : undefined,
    ...(names
      ? namesText(names, { total: externals ?? 0, owner: name }, tools)
      : [labelled('external symbols', externals?.toString())]),
  ];
}

/** Returns undefined for an empty text. */
function labelled(label: string, text: string | undefined): string | undefined {
  return text ? `${label}: ${text}` : undefined;
}

// The exports of a package by kind: with arglists if there are few, else by name.

/** Maximum characters of all exports. */
const MAX_CHARACTERS = 2_500;
/** Maximum characters of one arglist. */
const ARGLIST_CHARACTERS = 60;

/**
 * Names without a definition are always listed.
 * @param total number of exports; `names` may have fewer
 */
function namesText(
  names: readonly ExternalName[],
  { total, owner }: { total: number; owner: string },
  tools: ToolNames,
): string[] {
  const defined = names.filter(({ kind }) => kind !== undefined);
  const others = names.filter(({ kind }) => kind === undefined).map(({ name }) => name);
  const head = [
    `${total} external ${total === 1 ? 'symbol' : 'symbols'}`,
    ...(others.length === 0 ? [] : [`undefined: ${others.join(', ')}`]),
  ];
  const whole = groups(defined, withArglist);
  if (names.length === total && whole.join('\n').length <= MAX_CHARACTERS) return [...head, ...whole];
  const { fitting, rest } = cut(groups(defined, ({ name }) => name));
  const more = rest + total - names.length;
  const hidden = `… ${more === 0 ? 'with arglists' : `${more} more`}`;
  const all = mention`${hidden}: ${ours('find', 'query', 'kind', 'package', 'external')} with kind apropos, query "", package ${owner}, external: true, limit: ${total}`;
  const left = more === 0 ? '' : hidden;
  return [...head, ...fitting, messageText({ text: left, mentions: [instead(all)] }, tools)];
}

function groups(names: readonly ExternalName[], conversation: (name: ExternalName) => string): string[] {
  const kinds = Map.groupBy(names, ({ kind = '' }) => kind.split(', ')[0] ?? '');
  return [...kinds].map(([kind, each]) => `${kind}: ${each.map(conversation).join(', ')}`);
}

function withArglist({ name, arglist }: ExternalName): string {
  if (arglist === undefined) return name;
  return `${name} ${arglist.length <= ARGLIST_CHARACTERS ? arglist : `${arglist.slice(0, ARGLIST_CHARACTERS)}…`}`;
}

/** Returns the lines that fit, and the number of names in the others. */
function cut(lines: readonly string[]): { fitting: string[]; rest: number } {
  const fitting: string[] = [];
  let remaining = MAX_CHARACTERS;
  let rest = 0;
  for (const line of lines) {
    const names = line.split(', ');
    while (names.length > 0 && names.join(', ').length > remaining) {
      names.pop();
      rest += 1;
    }
    if (names.length > 0) fitting.push(names.join(', '));
    remaining -= names.join(', ').length;
  }
  return { fitting, rest };
}
