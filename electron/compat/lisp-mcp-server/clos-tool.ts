/**
 * `clos-describe`: classes and generic functions of the image, each definition with its place and, where the file
 * still has it there, with the names by which `lisp-edit-form` finds it and a guard for that edit.
 */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Definition, Finding } from '../../contract/knowledge';
import { NoteText } from '../../contract/note';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../../tools/arguments';
import type { FileToolOptions } from '../../tools/files/text-files';
import { placeText } from '../../tools/source-places';
import type { Tool } from '../../tools/tool';
import {
  ClassQueries,
  isClass,
  isOfTheLanguage,
  type PrintedMethod,
  printedMethod,
} from '../tools/class-queries';
import { guardToken } from './edit-guard';
import { eachInTurn, FormsInFiles, InFile, NO_SOURCE } from './forms-in-files';

const Arguments = z.strictObject({
  symbol: z.string().min(1).max(500),
  package: z.string().max(500).optional().describe('Package to look the symbol up in'),
  limit: z.int().min(1).max(500).optional().describe('Most methods listed (50)'),
});

const Method = InFile.extend({
  generic_function: z.string(),
  qualifiers: z.array(z.string()),
  specializers: z.array(z.string()),
  kind: z.enum(['method', 'reader', 'writer']),
  via: z.string().optional().describe('The superclass that it is specialized on'),
});
type Method = z.output<typeof Method>;

const Result = z.object({
  symbol: z.string(),
  generic_functions: z
    .array(z.looseObject({ name: z.string() }))
    .describe('With methods, each with its form and edit_guard'),
  class: z.looseObject({ name: z.string() }).optional(),
  notes: z.array(NoteText),
});

/** Default number of listed methods. */
const DEFAULT_METHODS = 50;

type ClosToolOptions = FileToolOptions & { sessions: Sessions };

export function closTool(options: ClosToolOptions): Tool<typeof Arguments, typeof Result> {
  return {
    name: 'clos-describe',
    title: 'Describe a class or generic function',
    description:
      'A class with its slots, or a generic function, with their methods and the form of each in its file. Copy its guard to lisp-edit-form, which then refuses if the file has changed. Evaluates nothing.',
    scope: 'read',
    args: Arguments,
    result: Result,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ symbol: name, package: where, limit = DEFAULT_METHODS }, caller) {
      const { session, notes } = await sessionOf(undefined, caller, options.sessions);
      const within = where === undefined ? {} : { package: where };
      const { symbol, definitions } = await session
        .ability('knowledge')
        .describe({ symbol: name, ...within });
      const report = new ClosReport(
        session,
        new FormsInFiles(session, where ?? session.package, caller, options),
        limit,
      );
      const generic = definitions.filter(({ kind }) => /generic function/.test(kind));
      const named = definitions.find(isClass);
      if (generic.length === 0 && !named)
        throw new HarborError(
          'bad_arguments',
          `${symbol} names no class and no generic function here${definitions.length === 0 ? '; load-system loads a system' : '; code-describe describes it'}.`,
        );
      const functions = await eachInTurn(generic, (each) => report.genericFunction(each));
      const described = named && (await report.classOf(named, new ClassQueries(session, where)));
      const structured = {
        ...{ symbol, generic_functions: functions, notes },
        ...(described && { class: described }),
      };
      const text = [...functions.map(functionText), ...(described ? [classText(described)] : [])].join(
        '\n\n',
      );
      return { structured, text, asides: notes, isError: false };
    },
  };
}

type FunctionReport = Awaited<ReturnType<ClosReport['genericFunction']>>;
type ClassReport = Awaited<ReturnType<ClosReport['classOf']>>;

class ClosReport {
  readonly #session: Session;
  readonly #forms: FormsInFiles;
  readonly #limit: number;

  constructor(session: Session, forms: FormsInFiles, limit: number) {
    this.#session = session;
    this.#forms = forms;
    this.#limit = limit;
  }

  async genericFunction({
    name,
    arglist = '',
    documentation,
    source,
    methods = [],
    total = methods.length,
  }: Definition) {
    const own = methods.flatMap((each) => {
      const method = printedMethod(each.text);
      return method === null ? [] : [{ ...each, method }];
    });
    own.sort((one, other) => rank(one.method) - rank(other.method));
    return {
      ...{ name, lambda_list: arglist, method_count: total },
      ...(documentation === undefined ? {} : { documentation }),
      ...(source === undefined ? {} : await this.#forms.of(source, { is: 'generic', name })),
      methods: await this.#methods(own),
    };
  }

  async classOf(found: Definition, queries: ClassQueries) {
    const {
      name,
      metaclass = '',
      documentation,
      source,
      superclasses = [],
      subclasses = [],
      precedence,
    } = found;
    const above = await queries.superclassesOf(found);
    const inherited = above.filter((each) => !isOfTheLanguage(each.name));
    const slots = [found, ...inherited].flatMap((each) =>
      (each.slots ?? []).map((slot) => ({ name: slot.name, from: each.name, details: slot.details })),
    );
    const methods = await this.#methodsOn([found, ...inherited], queries);
    return {
      ...{ name, metaclass, direct_superclasses: superclasses, direct_subclasses: subclasses },
      ...{
        finalized: precedence !== undefined,
        precedence_list: precedence ?? [name, ...above.map((each) => each.name)],
      },
      ...(documentation === undefined ? {} : { documentation }),
      ...(source === undefined ? NO_SOURCE : await this.#forms.of(source, { is: 'class', name })),
      slots: distinct(slots, (slot) => slot.name),
      method_count: methods.length,
      methods: await this.#methods(methods),
      omitted_classes: above.filter((each) => isOfTheLanguage(each.name)).map((each) => each.name),
    };
  }

  async #methodsOn(classes: readonly Definition[], queries: ClassQueries): Promise<FoundMethod[]> {
    const found: FoundMethod[] = [];
    for (const [index, { name }] of classes.entries())
      for (const { text, source } of await queries.methodsOn(name)) {
        const method = printedMethod(text);
        if (method !== null)
          found.push({ text, method, ...(source && { source }), ...(index > 0 && { via: name }) });
      }
    return distinct(found, ({ text }) => text);
  }

  #methods(found: readonly FoundMethod[]): Promise<Method[]> {
    const { project } = this.#session.identity;
    const ours = (each: FoundMethod) => (each.source?.file?.startsWith(project) ? 0 : 1);
    const shown = found.toSorted((one, other) => ours(one) - ours(other)).slice(0, this.#limit);
    return eachInTurn(shown, async ({ method, source, via }) => {
      const inFile =
        source === undefined ? NO_SOURCE : await this.#forms.of(source, { is: 'method', ...method });
      return {
        ...{
          generic_function: method.generic,
          qualifiers: [...method.qualifiers],
          specializers: [...method.specializers],
        },
        ...(via === undefined ? {} : { via }),
        ...{ kind: kindOf(inFile, method), ...inFile },
      };
    });
  }
}

interface FoundMethod extends Pick<Finding, 'text' | 'source'> {
  method: PrintedMethod;
  via?: string;
}

/** Accessors are known by the class form that defines them. */
function kindOf({ edit_unit: unit }: InFile, { specializers }: PrintedMethod): Method['kind'] {
  if (unit === undefined || unit === 'defgeneric') return 'method';
  return specializers.length === 1 ? 'reader' : 'writer';
}

/** In the order in which the standard method combination runs them. */
const QUALIFIERS = [':AROUND', ':BEFORE', '', ':AFTER'];

function rank({ qualifiers }: PrintedMethod): number {
  return QUALIFIERS.indexOf(qualifiers.join(' '));
}

function distinct<T>(all: readonly T[], key: (one: T) => string): T[] {
  return [...new Map(all.toReversed().map((one) => [key(one), one])).values()].reverse();
}

// Text as clos-describe prints it.

function inFileText({
  path,
  line,
  source_match,
  source_match_reason,
  form_type,
  form_name,
  edit_unit,
  edit_guard,
}: Partial<InFile>): string {
  const place =
    path === undefined ? '(no source)' : placeText({ path, ...(line === undefined ? {} : { line }) });
  const form = [form_type, form_name].filter(Boolean).join(' ');
  if (source_match !== 'matched')
    return `${place} [${[source_match, source_match_reason].filter(Boolean).join(': ')}]`;
  return [
    `${place} (${form})`,
    ...(edit_unit === undefined ? [] : [`[edit_unit: ${edit_unit}]`]),
    ...(edit_guard === undefined ? [] : [`[guard: ${guardToken(edit_guard)}]`]),
  ].join('  ');
}

function functionText({
  name,
  lambda_list,
  documentation,
  method_count,
  methods,
  ...inFile
}: FunctionReport): string {
  return [
    `Generic function ${name} ${lambda_list} — ${counted(method_count, 'method')}`,
    ...(documentation === undefined ? [] : [documentation]),
    'path' in inFile
      ? `Defined at ${inFileText(inFile)}`
      : 'No defgeneric: created by a defmethod or a slot accessor.',
    ...methodLines(methods, method_count, false),
  ].join('\n');
}

function classText(described: ClassReport): string {
  const {
    name,
    metaclass,
    finalized,
    documentation,
    slots,
    method_count,
    methods,
    omitted_classes: omitted,
  } = described;
  const names = (all: readonly string[]) => (all.length === 0 ? '(none)' : all.join(' '));
  const without = omitted.length === 0 ? '' : `; standard protocol on ${omitted.join(', ')} omitted`;
  return [
    `Class ${name} (${metaclass.toLowerCase()}${finalized ? '' : ', not finalized'}) — ${inFileText(described)}`,
    ...(documentation === undefined ? [] : [documentation]),
    `Superclasses: ${names(described.direct_superclasses)}`,
    `Subclasses: ${names(described.direct_subclasses)}`,
    `Precedence: ${names(described.precedence_list)}`,
    `Slots (${slots.length}):`,
    ...slots.map((slot) =>
      `  ${slot.name}  ${slot.from === name ? 'direct' : `from ${slot.from}`}  ${slot.details}`.trimEnd(),
    ),
    `Methods (${method_count}${without}):`,
    ...methodLines(methods, method_count, true),
  ].join('\n');
}

function methodLines(methods: readonly Method[], count: number, withName: boolean): string[] {
  const lines = methods.map(({ generic_function: generic, qualifiers, specializers, kind, via, ...inFile }) =>
    [
      [
        ...(withName ? [generic] : []),
        ...qualifiers,
        `(${specializers.join(' ')})`,
        ...(kind === 'method' ? [] : [`[${kind}]`]),
        ...(via === undefined ? [] : [`via ${via}`]),
      ].join(' '),
      inFileText(inFile),
    ].join('  '),
  );
  const more = count - methods.length;
  return [
    ...lines.map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more (raise limit to see them)`] : []),
  ];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
