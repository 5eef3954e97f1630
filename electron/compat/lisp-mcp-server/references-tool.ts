/**
 * `code-find-references`: the forms that use a name with the places inside them, and the tests among them. Forms that
 * use a macro of the project whose template has the name may reach it too.
 */

import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { NoteText } from '../../contract/note';
import { cut } from '../../history/long-text';
import { type FindToolOptions, findTool } from '../../tools/knowledge/find-tool';
import type { FindingResult } from '../../tools/knowledge/findings';
import type { Caller, Tool } from '../../tools/tool';

const Arguments = z.strictObject({
  symbol: z.string().min(1).max(500),
  package: z.string().max(500).optional().describe('Package to look the symbol up in'),
  project_only: z.boolean().optional().describe('false: libraries as well'),
  limit: z.int().min(1).max(500).optional().describe('Most forms listed (50)'),
});
type Arguments = z.output<typeof Arguments>;

const Reference = z.object({
  path: z.string().optional(),
  line: z.int().optional(),
  form_type: z.string().optional(),
  form_name: z.string().optional(),
  caller: z.string().optional().describe('As the image names it, if no form is known'),
  types: z.array(z.string()),
  via_macro: z.string().optional().describe('Uses this macro, whose template has the symbol: may reach it'),
  test: z.object({ name: z.string(), framework: z.string() }).optional(),
  call_sites: z.array(z.object({ line: z.int().optional(), context: z.string() })),
});
type Reference = z.output<typeof Reference>;

const Result = z.object({
  refs: z.array(Reference),
  count: z.int(),
  file_count: z.int(),
  truncated: z.boolean(),
  tests: z.array(
    z.object({
      name: z.string(),
      path: z.string().optional(),
      line: z.int().optional(),
      may_reach: z.boolean(),
    }),
  ),
  via_macros: z.array(z.string()),
  notes: z.array(NoteText),
});
type Result = z.input<typeof Result>;

/** Default number of forms. */
const DEFAULT_FORMS = 50;
/** Maximum number of uses that are searched, and of macros whose uses are searched. */
const MAX_USES = 500;
const MAX_MACROS = 20;

export function referencesTool(options: FindToolOptions): Tool<typeof Arguments, typeof Result> {
  const find = findTool(options);
  const usesOf = async (query: string, where: string | undefined, caller: Caller) => {
    const args = {
      query,
      kind: 'reference' as const,
      limit: MAX_USES,
      ...(where === undefined ? {} : { package: where }),
    };
    const { results, notes } = (await find.run(args, caller)).structured;
    return { forms: formsOf(results), notes };
  };
  return {
    of: find.name,
    name: 'code-find-references',
    title: 'Find references',
    scope: find.scope,
    annotations: find.annotations,
    description:
      'The forms that call a function, or read, bind or set a variable, with each place, and the tests among them.',
    args: Arguments,
    result: Result,
    async run(given, caller) {
      const { symbol, package: where, limit = DEFAULT_FORMS } = given;
      const { forms, notes } = await usesOf(symbol, where, caller);
      const direct = forms.filter((each) => isWanted(each, given));
      const macros = forms.filter(({ form_type: type }) => type === 'defmacro');
      const known = new Set(direct.map(keyOf));
      const through: Reference[] = [];
      for (const { form_name: macro = '' } of macros.slice(0, MAX_MACROS))
        for (const each of await usesOfMacro(macro, usesOf, where ?? packageOf(symbol), caller))
          if (isWanted(each, given) && !known.has(keyOf(each))) {
            known.add(keyOf(each));
            through.push({ ...each, via_macro: macro });
          }
      const all = [...direct, ...through];
      const structured = {
        refs: all.slice(0, limit),
        count: all.length,
        file_count: new Set(all.map(({ path }) => path)).size,
        truncated: all.length > limit,
        tests: all.flatMap(({ test, path, line, via_macro }) =>
          test === undefined
            ? []
            : [
                {
                  name: test.name,
                  ...(path && { path }),
                  ...(line && { line }),
                  may_reach: via_macro !== undefined,
                },
              ],
        ),
        via_macros: macros.slice(0, MAX_MACROS).map(({ form_name: macro = '' }) => macro),
        notes,
      };
      return {
        structured,
        text: referencesText(structured, forms.length - direct.length),
        asides: notes,
        isError: false,
      };
    },
  };
}

type Uses = (query: string, where: string | undefined, caller: Caller) => Promise<{ forms: Reference[] }>;

/** Returns no uses of a macro that the session does not know. */
async function usesOfMacro(
  macro: string,
  usesOf: Uses,
  where: string | undefined,
  caller: Caller,
): Promise<Reference[]> {
  try {
    return (await usesOf(macro, where, caller)).forms;
  } catch (error) {
    if (error instanceof HarborError) return [];
    throw error;
  }
}

function packageOf(symbol: string): string | undefined {
  return /^([^|:]+)::?[^:]/.exec(symbol)?.[1]?.toUpperCase();
}

function isWanted(
  { path }: Reference,
  { project_only: only = true }: Pick<Arguments, 'project_only'>,
): boolean {
  return !only || !isAbsolute(path ?? '');
}

function keyOf({ path, form_type: type, form_name: name, caller, line }: Reference): string {
  return JSON.stringify([path, type, name, caller, name === undefined ? line : null]);
}

/** Operators that define a test, with their framework. */
const TESTS: ReadonlyMap<string, string> = new Map([
  ['deftest', 'rove'],
  ['test', 'fiveam'],
  ['def-test', 'fiveam'],
  ['define-test', 'parachute'],
]);

/** Groups uses by the form around them. */
function formsOf(uses: readonly FindingResult[]): Reference[] {
  const forms = new Map<string, Reference>();
  for (const { kind, text, form, source } of uses) {
    const [type = '', ...name] = (form ?? '').split(' ');
    const test = TESTS.get(type.toLowerCase());
    const own: Reference = {
      ...(source?.path === undefined ? {} : { path: source.path }),
      ...(source?.line === undefined ? {} : { line: source.line }),
      ...(form === undefined ? { caller: text } : { form_type: type, form_name: name.join(' ') }),
      ...(test === undefined ? {} : { test: { name: name.join(' '), framework: test } }),
      ...{ types: [], call_sites: [] },
    };
    const known = forms.get(keyOf(own)) ?? own;
    forms.set(keyOf(own), known);
    if (!known.types.includes(kind)) known.types.push(kind);
    known.call_sites.push({ ...(source?.line === undefined ? {} : { line: source.line }), context: text });
  }
  return [...forms.values()];
}

/** Maximum characters of a shown line. */
const LINE_CHARACTERS = 100;

function referencesText({ refs, count, file_count: files, tests }: Result, elsewhere: number): string {
  const lines = refs.flatMap(
    ({ path, line, form_type, form_name, caller, types, via_macro, call_sites: sites }) => [
      [
        ...(path === undefined ? [] : [`${path}${line === undefined ? '' : `:${line}`}`]),
        `(used in ${caller ?? [form_type, form_name].filter(Boolean).join(' ')})`,
        `[${via_macro === undefined ? types.join(', ') : `may reach it via ${via_macro}`}]`,
      ].join(' '),
      ...sites.map(
        (site) =>
          `    ${site.line === undefined ? '' : `${site.line}: `}${cut(site.context.trim(), LINE_CHARACTERS)}`,
      ),
    ],
  );
  return [
    ...(count === 0 ? ['No references found.'] : [`${count} forms in ${files} files`, ...lines]),
    ...(count > refs.length ? [`… and ${count - refs.length} more (raise limit to see them)`] : []),
    ...(tests.length === 0
      ? []
      : [
          `Tests: ${tests.map(({ name, may_reach }) => `${name}${may_reach ? ' (may reach)' : ''}`).join(', ')}`,
        ]),
    ...(elsewhere > 0 ? [`; ${elsewhere} outside of the project: project_only: false shows them`] : []),
  ].join('\n');
}
