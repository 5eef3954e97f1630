/** The logical world of an ACL2 image: questions about its commands, and the code that undoes them. */

import { z } from 'zod';
import { CheckedFunction, CheckedTheorem } from '../../contract/final-check';
import { lispString } from '../../contract/knowledge';
import { TrustIssue } from '../../contract/proof';
import { Dependencies, NameMark, WorldCommand, type WorldCommands, WorldEvent } from '../../contract/world';
import type { Code, OneForm } from '../../source/code';
import type { CommandsRequest, Statements, World } from '../world';
import type { Acl2Queries } from './queries';
import { harborForm } from './requests';

export class Acl2World implements World {
  readonly #queries: Acl2Queries;

  constructor(queries: Acl2Queries) {
    this.#queries = queries;
  }

  commands({ from, limit, source }: CommandsRequest): Promise<WorldCommands> {
    return this.#queries.ask('commands', '', { from, limit, source }, COMMANDS);
  }

  dependencies(name: string, depth: number): Promise<Dependencies[]> {
    return this.#queries.ask('dependencies', name, { depth }, z.array(Dependencies));
  }

  statements(name: string | null): Promise<Statements> {
    return this.#queries.ask('statements', name ?? '', {}, STATEMENTS);
  }

  /** What `name`, or all, is about, with the books that the world rests on. */
  judgement(name: string | null): Promise<Judgement> {
    return this.#queries.ask('theorems', name ?? '', {}, JUDGEMENT);
  }

  undoCode(command: number): string {
    return harborForm('undo', String(command));
  }

  undoOneCode(command: number): string {
    return harborForm('undo-one', String(command));
  }

  certifyCode(book: string): string {
    return harborForm('certify', lispString(book));
  }

  observeCode(form: Code, rules: readonly OneForm[]): string {
    return harborForm('observe', `(${rules.join(' ')})\n${form}\n`);
  }

  checkCode(text: string): string {
    return harborForm('check-syntax', lispString(text));
  }

  buildCode(term: OneForm, instructions: Code): string {
    return harborForm('verify', `${term}\n${instructions}\n`);
  }
}

const STATEMENTS = z.object({
  statements: z.array(z.object({ name: z.string(), term: z.string() })),
  count: z.number().int(),
  issues: z.array(TrustIssue),
});

/** `books` are the full names of all that are included, also locally. */
const JUDGEMENT = z
  .object({
    theorems: z.array(CheckedTheorem),
    theorem_count: z.number().int(),
    functions: z.array(CheckedFunction),
    function_count: z.number().int(),
    books: z.array(z.string()),
    issues: z.array(TrustIssue),
    acl2: z.string(),
    lisp: z.string(),
  })
  .transform(({ theorem_count: theoremCount, function_count: functionCount, ...same }) => ({
    ...same,
    theoremCount,
    functionCount,
  }));
export type Judgement = z.infer<typeof JUDGEMENT>;

const mark = NameMark.omit({ guardsVerified: true })
  .extend({ guards_verified: z.boolean() })
  .transform(({ guards_verified: guardsVerified, ...same }) => ({ ...same, guardsVerified }));

const event = WorldEvent.extend({ marks: z.array(mark) });

const command = WorldCommand.omit({ eventCount: true })
  .extend({ events: z.array(event), event_count: z.number().int() })
  .transform(({ event_count: eventCount, ...same }) => ({ ...same, eventCount }));

/** The answer to the query `commands`. */
export const COMMANDS = z.object({ commands: z.array(command), total: z.number().int() });
