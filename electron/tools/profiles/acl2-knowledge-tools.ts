/** The tools of the profile `acl2` that look names and theorems up. They ask the world and its books, and evaluate nothing. */
import { z } from 'zod';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { describeTool } from '../knowledge/describe-tool';
import { type FindToolOptions, findTool } from '../knowledge/find-tool';
import type { Tool } from '../tool';
import { session_id } from './acl2-arguments';
import { adaptersOf } from './tool-adapter';

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
        'What a name or topic stands for: its event, formula, guard, rules with whether they are enabled, and documentation, also of ACL2’s own names.',
      args: Described,
      engine: 'acl2',
      toArguments: ({ name, ...given }) => ({ symbol: name, ...asOurs(given) }),
    }),
    finder({
      name: 'find',
      description:
        'Names of the world by a part of them (apropos), where one is defined, what calls or mentions it, what no file holds (unsaved), topics of the documentation by words, any text of files.',
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
