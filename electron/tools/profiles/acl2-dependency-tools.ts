/** The tools of the profile `acl2` that say what a theorem or a function rests on. They ask the world and evaluate nothing. */
import { z } from 'zod';
import type { Dependencies } from '../../contract/world';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../arguments';
import { inOneLine } from '../prover/quoted';
import { noted, type Tool } from '../tool';
import { session_id, wholeNumber } from './acl2-arguments';
import { eventName } from './acl2-conjecture';
import { speakingTo } from './tool-adapter';

const Result = z.object({
  dependencies: z.array(z.looseObject({ name: z.string() })),
  notes: z.array(z.string()),
});

const Named = z.strictObject({ name: z.string().min(1), session_id });

const Theorem = z.strictObject({ theorem_name: z.string().min(1), session_id });

const Graph = Named.extend({ depth: wholeNumber(20).optional().describe('Steps from the name (default 3)') });

type Arguments = z.ZodObject<{ session_id: typeof session_id }>;

interface Asking<A extends Arguments> {
  name: string;
  title: string;
  description: string;
  args: A;
  /** Of what, and of what it rests on up to how many steps away. */
  asked(given: z.output<A>): { name: string; depth: number };
  /** @param all not empty, the name itself first */
  text(all: readonly Dependencies[]): string;
}

export function dependencyTools({ sessions }: { sessions: Sessions }): Tool[] {
  const tool = <A extends Arguments>(asking: Asking<A>): Tool<A, typeof Result> => ({
    ...asking,
    scope: 'read',
    result: Result,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(given, client) {
      const { session, notes } = await sessionOf(given.session_id, speakingTo('acl2', client), sessions);
      const { name, depth } = asking.asked(given);
      const all = await session.ability('world').dependencies(String(eventName(name)), depth);
      return {
        structured: { dependencies: [...all], notes },
        text: asking.text(inOneLine(all)),
        asides: notes.map(noted),
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
      asked: ({ name }) => ({ name, depth: 0 }),
      text: (all) => all.map(dependenciesText).join('\n'),
    }),
    tool({
      name: 'extract_lemmas',
      title: 'What a proof used',
      description: 'The events that the proof of a theorem used, as ACL2 recorded them.',
      args: Theorem,
      asked: ({ theorem_name }) => ({ name: theorem_name, depth: 0 }),
      text: (all) => all.map(lemmasText).join('\n'),
    }),
    tool({
      name: 'dependency_graph',
      title: 'What a name rests on, in steps',
      description: 'A tree of what a name rests on, and what that rests on; ACL2’s own names are its ends.',
      args: Graph,
      asked: ({ name, depth = 3 }) => ({ name, depth: Math.min(Number(depth), 20) - 1 }),
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

/** Each name with what it rests on once; where it stands again, `…`. */
function graphText(all: readonly Dependencies[]): string {
  const [root] = all;
  if (!root) return '';
  const known = new Map(all.map((each) => [each.name, each]));
  const lines = [`Dependency graph for ${root.name}:`];
  const told = new Set<string>();
  const left = [{ name: root.name, depth: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { name, depth } = next;
    const below = known.get(name);
    const again = below !== undefined && told.has(name);
    lines.push(`${'  '.repeat(depth)}${name}${again ? ' …' : ''}`);
    if (!below || again) continue;
    told.add(name);
    const needed = [...new Set([...below.calls, ...below.used])];
    left.push(...needed.toReversed().map((each) => ({ name: each, depth: depth + 1 })));
  }
  return lines.join('\n');
}
