/**
 * An approval question shows the whole call, for every tool of every profile and each of its arguments; and an
 * approval reaches no further than what it showed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Approvals } from '../../electron/access/approvals';
import { Gate } from '../../electron/access/gate';
import { profiles } from '../../electron/compat/compat';
import {
  ApprovalClass,
  type ApprovalQuestion,
  type Grant,
  type ShownPart,
} from '../../electron/contract/approvals';
import type { Client, Scope } from '../../electron/contract/model';
import { Calls } from '../../electron/history/calls';
import { openDatabase } from '../../electron/history/database';
import { Writer } from '../../electron/history/writer';
import type { Tool } from '../../electron/tools/tool';
import { type Connection, HarborToolbox } from '../../electron/tools/toolbox';

/** Tools ask for services only when they run, and here none runs. */
const all = profiles({} as Parameters<typeof profiles>[0]).map(({ joined: _, ...profile }) => profile);
const codex: Client = { key: 'codex', scopes: new Set<Scope>(['read', 'evaluate', 'admin']) };
const toolbox = new HarborToolbox({
  profiles: all,
  choices: { chosen: () => null, of: () => 'default', watch: () => () => undefined },
  engineOf: () => undefined,
  prompts: [],
  resources: [],
  project: () => '/project',
} as unknown as ConstructorParameters<typeof HarborToolbox>[0]);
const context = { signal: new AbortController().signal };

const approvals = new Approvals({
  rules: () => ApprovalClass.options.map((each) => ({ client: null, class: each, answer: 'ask' as const })),
  addRule: () => undefined,
  isAttended: () => true,
});
let gate: Gate;

beforeAll(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-questions-'));
  const { database } = openDatabase(path.join(folder, 'history.db'));
  gate = new Gate(new Calls(new Writer(database)), approvals);
  return () => {
    database.close();
    rmSync(folder, { recursive: true });
  };
});

/** Whether the user may be asked about calls of the tool. */
const isAsked = ({ scope, approval }: Tool) =>
  approval === undefined ? scope === 'evaluate' : approval !== null;
const tools = all.flatMap(({ name: profile, tools }) =>
  tools.map((tool): [string, string, Tool] => [profile, tool.name, tool]),
);

type Schema = z.core.JSONSchema.BaseSchema;
let count = 0;

/** Returns values of the schema that were never used before: one for each kind of value and each choice. */
function valuesOf(schema: Schema): unknown[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((each) => valuesOf(each as Schema));
  if (schema.enum) return [...schema.enum];
  if (schema.const !== undefined) return [schema.const];
  count += 1;
  switch (schema.type) {
    case 'string':
      // As a name, as one line, and as code of several lines.
      return [
        `n${count}`,
        `say ${count}`,
        `(evil-${count})`,
        `(list 1)\n;;; ${'x'.repeat(200)}\n(evil-${count})`,
      ];
    case 'integer':
    case 'number':
      return [Math.max(Number(schema.minimum ?? 1), Math.min(7000 + count, Number(schema.maximum ?? 99999)))];
    case 'boolean':
      return [true, false];
    case 'array':
      return valuesOf(schema.items as Schema).map((each) => [each]);
    case 'object':
      return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
        valuesOf(each as Schema).map((value) => ({ ...requiredIn(schema), [name]: value })),
      );
    default:
      return [`anything ${count}`];
  }
}

function requiredIn(schema: Schema): Record<string, unknown> {
  const names = (schema.required ?? []) as string[];
  return Object.fromEntries(names.map((name) => [name, valuesOf(schema.properties?.[name] as Schema)[0]]));
}

/** Calls of the tool that differ from the least one in one argument, without those that it refuses. */
function callsOf({ args }: Tool): Record<string, unknown>[] {
  const schema = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' }) as Schema;
  const least = requiredIn(schema);
  const calls = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    valuesOf(each as Schema).map((value) => ({ ...least, [name]: value })),
  );
  return [least, ...calls].filter((call) => args.safeParse(call).success);
}

function leaves(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leaves);
}

const textOf = (part: ShownPart) =>
  part.kind === 'values'
    ? part.values.map(({ name, value }) => `${name}: ${value}`).join('\n')
    : part.kind === 'code'
      ? `${part.name}: ${part.code}`
      : part.diff;

interface Asked {
  question: ApprovalQuestion;
  /** Resolves with what the call may do once the question is answered. */
  grant: Promise<Grant>;
}

/** Makes the call through the real gate, to the point where it would run. */
async function ask(connection: Connection, tool: Tool, args: Record<string, unknown>): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Grant>();
  const { scope = null, approval } = connection.needs(tool.name) ?? {};
  const call = {
    ...{ client: codex, endpoint: 'http', tool: tool.name, scope, args },
    ...(approval === undefined ? {} : { approval }),
    accept: () => ({ args: connection.accept(tool.name, args, context).args }),
  };
  gate
    .run(call, async (grant) => {
      resolve(grant);
      return { isError: false };
    })
    .catch(reject);
  promise.catch(() => undefined);
  await expect.poll(() => approvals.state.questions).toHaveLength(1);
  return { question: approvals.state.questions[0] as ApprovalQuestion, grant: promise };
}

const refused = (code: string) => expect.objectContaining({ code });

describe.each(tools.filter(([, , tool]) => isAsked(tool)))('%s: a call of %s', (profile, name, tool) => {
  const connection = toolbox.connect(codex, { profile, shared: false, project: undefined as never });

  it('is shown with every argument, and an altered call asks again', async () => {
    const calls = callsOf(tool);
    expect(calls.length).toBeGreaterThan(0);
    for (const args of calls) {
      const { question, grant } = await ask(connection, tool, args);
      const text = question.parts.map(textOf).join('\n');
      for (const leaf of leaves(args)) expect(text).toContain(leaf);
      // An answer to a question that showed something else is no answer.
      approvals.answer({ id: question.id, digest: question.digest.replace(/^./, 'x') }, 'once');
      expect(approvals.state.questions).toEqual([question]);
      approvals.answer(question, 'once');
      const granted = await grant;
      for (const other of calls.filter((each) => !isDeepStrictEqual(each, args)).slice(0, 3))
        await expect(connection.call(name, other, { ...context, grant: granted })).rejects.toThrow(
          refused('not_approved'),
        );
      const chosen = { evaluation: 1, restart: '0: [USE-VALUE]', arguments: ['(evil)'] };
      await expect(connection.call(name, args, { ...context, grant: granted, chosen })).rejects.toThrow(
        refused('not_approved'),
      );
    }
  });
});

describe.each(tools)('%s: a call of %s', (profile, name, tool) => {
  const connection = toolbox.connect(codex, { profile, shared: false, project: undefined as never });

  it('has no argument that is passed over, but for what only reads', () => {
    const [args = {}] = callsOf(tool);
    const accept = () => connection.accept(name, { ...args, planted_argument: '(evil)' }, context);
    if (isAsked(tool) || !tool.annotations.readOnlyHint || tool.scope !== 'read')
      expect(accept).toThrow(refused('bad_arguments'));
    else expect(JSON.stringify(accept().args)).not.toContain('evil');
  });
});

it('an act that its call has no grant for shows the call that makes it, and what will run', async () => {
  const connection = toolbox.connect(codex, { profile: 'default', shared: false });
  const args = { symbol: 'car', session: 'sbcl-1' };
  const call = {
    ...{ client: codex, endpoint: 'http', tool: 'describe', scope: 'read' as const, args },
    accept: () => connection.accept('describe', args, context),
  };
  await gate.run(call, async (grant) => {
    const act = { client: 'codex', class: 'evaluate', tool: 'describe', code: '(evil)' } as const;
    const admission = approvals.guard(act, grant)(context.signal);
    const [question] = approvals.state.questions;
    expect(question?.parts).toEqual([
      { kind: 'code', name: '', code: '(evil)' },
      {
        kind: 'values',
        values: [
          { name: 'symbol', value: 'car' },
          { name: 'session', value: 'sbcl-1' },
        ],
      },
    ]);
    approvals.answer(question as ApprovalQuestion, 'no');
    expect(await admission).toMatchObject({ code: 'not_approved' });
    return { isError: false };
  });
});

it('a restart that the client reports as chosen, with its forms, is part of the question', async () => {
  const connection = toolbox.connect(codex, { profile: 'default', shared: false });
  const args = { code: '(error "x")', on_error: 'debug' };
  const chosen = { evaluation: 7, restart: '0: [USE-VALUE]', arguments: ['(evil-form)'] };
  const call = {
    ...{ client: codex, endpoint: 'stdio', tool: 'eval', scope: 'evaluate' as const, args },
    accept: () => connection.accept('eval', args, { ...context, chosen }),
  };
  const running = gate.run(call, async () => ({ isError: false }));
  await expect.poll(() => approvals.state.questions).toHaveLength(1);
  const question = approvals.state.questions[0] as ApprovalQuestion;
  const text = question.parts.map(textOf).join('\n');
  for (const shown of ['(error "x")', '7', '0: [USE-VALUE]', '(evil-form)']) expect(text).toContain(shown);
  approvals.answer(question, 'no');
  await expect(running).rejects.toThrow(refused('not_approved'));
});
