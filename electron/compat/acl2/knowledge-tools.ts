/**
 * The tools of the profile `acl2` that look up names and theorems. They query the world and its books, and
 * evaluate nothing.
 */

import { z } from 'zod';
import { NoteText } from '../../contract/note';
import type { Dependencies } from '../../contract/world';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../../tools/arguments';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { describeTool } from '../../tools/knowledge/describe-tool';
import { type FindToolOptions, findTool } from '../../tools/knowledge/find-tool';
import { inOneLine } from '../../tools/prover/quoted';
import type { Tool } from '../../tools/tool';
import { adaptersOf, callerForEngine } from '../tool-adapter';
import { eventName, session_id, wholeNumber } from './acl2-adapters';

const Described = z.strictObject({ name: z.string().min(1), package: z.string().optional(), session_id });

const limit = z.int().min(1).max(500).optional();

const Found = z.strictObject({
  query: z.string().min(1).max(500),
  kind: z.enum([
    ...['definition', 'reference', 'caller', 'apropos', 'completion', 'unsaved', 'documentation', 'text'],
  ] as const),
  path: z.string().optional().describe('Only this file or folder'),
  limit,
  session_id,
});

const Pattern = z.strictObject({
  pattern: z.string().min(1).max(500).describe('Such as (equal (len (append ? ?)) ?)'),
  limit,
  session_id,
});

interface Given {
  session_id?: string | undefined;
}

function asOurs<A extends Given>({ session_id: session, ...given }: A) {
  return session === undefined ? given : { ...given, session };
}

export function knowledgeTools(options: EvaluateToolOptions & FindToolOptions): Tool[] {
  const finder = adaptersOf(findTool(options));
  return [
    adaptersOf(describeTool(options))({
      name: 'describe',
      description:
        'Explains a name or topic: its event, formula, guard, rules and whether they are enabled, and documentation, also of ACL2’s own names.',
      args: Described,
      engine: 'acl2',
      toArguments: ({ name, ...given }) => ({ symbol: name, ...asOurs(given) }),
    }),
    finder({
      name: 'find',
      description:
        'Names of the world by a part of them (apropos), the definition of one, its calls and uses, what no file has (unsaved), topics of the documentation by words, any text of files.',
      args: Found,
      engine: 'acl2',
      toArguments: asOurs,
    }),
    finder({
      name: 'acl2_find_lemma',
      description:
        'Theorems of the world, and of books that are not loaded with the form that includes them, by a pattern that matches a part of their formula (? is anything, a variable the same thing each time), or by a part of their name. Try it before you prove a lemma.',
      args: Pattern,
      engine: 'acl2',
      toArguments: ({ pattern, ...given }) => ({ query: pattern, kind: 'lemma' as const, ...asOurs(given) }),
    }),
  ];
}

// The tools of the profile `acl2` that show what a theorem or a function rests on. They query the world and
// evaluate nothing.

const Result = z.object({
  dependencies: z.array(z.looseObject({ name: z.string() })),
  notes: z.array(NoteText),
});

const Named = z.strictObject({ name: z.string().min(1), session_id });

const Theorem = z.strictObject({ theorem_name: z.string().min(1), session_id });

const Graph = Named.extend({ depth: wholeNumber(20).optional().describe('Steps from the name (default 3)') });

type Arguments = z.ZodObject<{ session_id: typeof session_id }>;

interface DependencyTool<A extends Arguments> {
  name: string;
  title: string;
  description: string;
  args: A;
  /** Returns the name, and the maximum number of steps from it. */
  queryOf(given: z.output<A>): { name: string; depth: number };
  /** @param all not empty, the name itself first */
  text(all: readonly Dependencies[]): string;
}

export function dependencyTools({ sessions }: { sessions: Sessions }): Tool[] {
  const tool = <A extends Arguments>(spec: DependencyTool<A>): Tool<A, typeof Result> => ({
    ...spec,
    scope: 'read',
    result: Result,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(given, client) {
      const { session, notes } = await sessionOf(given.session_id, callerForEngine('acl2', client), sessions);
      const { name, depth } = spec.queryOf(given);
      const all = await session.ability('world').dependencies(String(eventName(name)), depth);
      return {
        structured: { dependencies: [...all], notes },
        text: spec.text(inOneLine(all)),
        asides: notes,
        isError: false,
      };
    },
  });
  return [
    tool({
      name: 'get_dependencies',
      title: 'What a name rests on',
      description: 'The functions in the body or formula of a name, and the events that its proofs used.',
      args: Named,
      queryOf: ({ name }) => ({ name, depth: 0 }),
      text: (all) => all.map(dependenciesText).join('\n'),
    }),
    tool({
      name: 'extract_lemmas',
      title: 'What a proof used',
      description: 'The events that the proof of a theorem used, as recorded by ACL2.',
      args: Theorem,
      queryOf: ({ theorem_name }) => ({ name: theorem_name, depth: 0 }),
      text: (all) => all.map(lemmasText).join('\n'),
    }),
    tool({
      name: 'dependency_graph',
      title: 'What a name rests on, in steps',
      description: 'A tree of what a name rests on, down to ACL2’s own names.',
      args: Graph,
      queryOf: ({ name, depth = 3 }) => ({ name, depth: Math.min(Number(depth), 20) - 1 }),
      text: graphText,
    }),
  ];
}

function dependenciesText({ name, kind, calls, used }: Dependencies): string {
  return [
    `Dependencies for ${name} (${kind}):`,
    `CALLS: ${calls.join(' ') || 'nothing'}`,
    `PROOFS USED: ${used.join(' ') || 'nothing'}`,
  ].join('\n');
}

function lemmasText({ name, used }: Dependencies): string {
  return used.length === 0
    ? `No rules are recorded for ${name}: its proof used no events, or it was not proved here.`
    : `Rules for ${name}:\n${used.map((each) => `  ${each}`).join('\n')}`;
}

/** Returns each name with its dependencies once; `…` where it is repeated. */
function graphText(all: readonly Dependencies[]): string {
  const [root] = all;
  if (!root) return '';
  const known = new Map(all.map((each) => [each.name, each]));
  const lines = [`Dependency graph for ${root.name}:`];
  const shown = new Set<string>();
  const pending = [{ name: root.name, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { name, depth } = next;
    const below = known.get(name);
    const again = below !== undefined && shown.has(name);
    lines.push(`${'  '.repeat(depth)}${name}${again ? ' …' : ''}`);
    if (!below || again) continue;
    shown.add(name);
    const needed = [...new Set([...below.calls, ...below.used])];
    pending.push(...needed.toReversed().map((each) => ({ name: each, depth: depth + 1 })));
  }
  return lines.join('\n');
}
