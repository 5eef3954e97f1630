/** The tool that finds names: where they are defined, who uses them, which there are, and what no file holds. */
import { z } from 'zod';
import type { FindKind, FindRequest } from '../contract/knowledge';
import type { History } from '../history/history';
import type { Sessions } from '../sessions/sessions';
import { sessionOf } from './session-argument';
import { PlaceResult, placeText, SourceView } from './source-view';
import type { Tool } from './tool';

export interface FindToolOptions {
  sessions: Sessions;
  history: History;
}

const KINDS = {
  definition: 'definitions',
  reference: 'references',
  caller: 'callers',
  apropos: 'apropos',
  completion: 'completions',
  unsaved: 'unsaved',
} as const satisfies Record<string, FindKind>;

const FindArguments = z.strictObject({
  query: z.string().max(500).describe('A symbol; for apropos, completion and unsaved a part of one'),
  kind: z.enum(Object.keys(KINDS) as (keyof typeof KINDS)[]),
  session: z.string().optional(),
  package: z.string().max(500).optional().describe('Where query is looked up; for apropos the one searched'),
  external: z.boolean().optional().describe('apropos: exported symbols only'),
  only: z.array(z.enum(['function', 'macro', 'variable', 'class', 'type', 'theorem'])).optional(),
  limit: z.int().min(1).max(500).optional(),
});

const FindingResult = z.object({
  kind: z.string(),
  text: z.string(),
  arglist: z.string().optional(),
  value: z.string().optional(),
  documentation: z.string().optional(),
  source: PlaceResult.optional(),
  command: z.int().optional(),
  builtIn: z.boolean().optional(),
});
type FindingResult = z.infer<typeof FindingResult>;

const FindResult = z.object({
  session: z.string(),
  results: z.array(FindingResult),
  total: z.int(),
  notes: z.array(z.string()),
});
type FindResult = z.infer<typeof FindResult>;

export function findTool(options: FindToolOptions): Tool<typeof FindArguments, typeof FindResult> {
  return {
    name: 'find',
    title: 'Find definitions and uses',
    description:
      'Finds in the live image: where a name is defined (file and line), its callers, all references, names by part (apropos), completions (m-v-b too), or, with kind unsaved, definitions that were evaluated and are in no file. Reads and evaluates nothing.',
    scope: 'read',
    args: FindArguments,
    result: FindResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const found = await session.ability('knowledge').find(findRequest(args));
      const view = new SourceView(session, options.history);
      const results = found.results.map(({ source, ...finding }) => ({
        ...finding,
        ...(source === undefined ? {} : { source: view.place(source) }),
      }));
      const structured = {
        session: session.id,
        results,
        total: found.total,
        notes: [...notes, ...(found.notes ?? [])],
      };
      return { structured, text: findingsText(structured), isError: false };
    },
  };
}

function findRequest({ query, kind, ...args }: z.output<typeof FindArguments>): FindRequest {
  const where = kind === 'apropos' ? 'in' : 'package';
  return {
    kind: KINDS[kind],
    query,
    limit: args.limit ?? 50,
    ...(args.package === undefined ? {} : { [where]: args.package }),
    ...(args.external === undefined ? {} : { external: args.external }),
    ...(args.only === undefined ? {} : { only: args.only }),
  };
}

function findingsText({ session, results, total, notes }: FindResult): string {
  const rest =
    total > results.length ? `; ${total - results.length} more: raise limit or narrow the query` : '';
  return [
    total === 0 ? 'Nothing found.' : results.map(findingText).join('\n'),
    [rest, `; ${total} found · ${session}`, ...notes.map((note) => `; note: ${note}`)]
      .filter(Boolean)
      .join('\n'),
  ].join('\n');
}

function findingText({
  kind,
  text,
  arglist,
  value,
  documentation,
  source,
  command,
  builtIn,
}: FindingResult): string {
  const call = arglist === undefined ? text : `${text} ${arglist}`;
  return [
    `${kind}: ${call}${value === undefined ? '' : ` = ${value}`}`,
    command === undefined ? undefined : `command ${command}`,
    builtIn ? 'built in' : undefined,
    source && placeText(source),
    documentation,
  ]
    .filter(Boolean)
    .join(' · ');
}
