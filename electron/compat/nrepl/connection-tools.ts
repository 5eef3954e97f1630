/** The tools of the profile `nrepl` about the connection: status, connect, test. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { noteTexts } from '../../contract/note';
import { addressText } from '../../contract/server';
import { projectServer } from '../../sandbox/named-servers';
import type { Session } from '../../sessions/session/session';
import { matches } from '../../source/regexp-search';
import type { EvaluateToolOptions } from '../../tools/evaluation/evaluation-answer';
import { evaluateFor } from '../../tools/evaluation/own-evaluation';
import type { ImagesToolOptions } from '../../tools/sessions/images-tool';
import type { Caller, Tool, ToolResult } from '../../tools/tool';
import { librariesOf } from './library-tools';
import { CONNECT_TOOL, DEFAULT_HOST, type LinkOf, type NreplLink } from './nrepl-link';

const Nothing = z.strictObject({});
const Facts = z.looseObject({});

const ConnectArguments = z.strictObject({
  host: z.string().min(1).optional().describe('Default: localhost'),
  port: z.int().min(1).max(65_535).optional().describe('Default: NREPL_PORT, else the port file'),
});

const InSession = z.strictObject({ session: z.string().optional() });

interface LinkTool<A extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  args: A;
  run(given: z.output<A>, link: NreplLink, caller: Caller): Promise<Answer>;
}

type Answer = Omit<ToolResult, 'isError'> & { isError?: boolean };

export function linkTools(linkOf: LinkOf, options: EvaluateToolOptions & ImagesToolOptions): Tool[] {
  const tool = <A extends z.ZodObject>(reads: boolean, { run, ...named }: LinkTool<A>): Tool => ({
    ...named,
    scope: reads ? 'read' : 'evaluate',
    result: Facts,
    annotations: {
      readOnlyHint: reads,
      destructiveHint: false,
      idempotentHint: reads,
      openWorldHint: false,
    },
    run: async (given, caller) => ({
      isError: false,
      ...(await run(given as z.output<A>, linkOf(caller), caller)),
    }),
  });
  return [
    tool(false, CONNECT),
    tool(true, STATUS),
    tool(false, NEW_SESSION),
    tool(false, testing(options)),
    tool(false, healthCheck(options)),
    tool(false, INTERRUPT),
    tool(true, ports(options)),
    tool(true, libraries(linkOf)),
  ];
}

const CONNECT: LinkTool<typeof ConnectArguments> = {
  name: CONNECT_TOOL,
  title: 'Connect to an nREPL server',
  description: 'Connects to a server on this computer, by its port or by the project’s .nrepl-port.',
  args: ConnectArguments,
  async run({ host = DEFAULT_HOST, port }, link, caller) {
    await link.connect(caller, host, port);
    const { address } = link;
    const { introduction } = link.current?.image ?? {};
    return {
      structured: { connected: true, ...address },
      text: `Connected to nREPL server${address ? ` at ${addressText(address)}` : ''}`,
      ...(introduction ? { asides: noteTexts(introduction) } : {}),
    };
  },
};

const STATUS: LinkTool<typeof Nothing> = {
  name: 'nrepl-status',
  title: 'State of the connection',
  description: 'Whether the server is connected, its address, the number of sessions, and its health.',
  args: Nothing,
  async run(_, link, caller) {
    // Connects to a server that appeared since the last look, without a request to the user.
    const { client, project, profileChosen } = caller;
    await link.find({ client, project, profileChosen }, undefined).catch(() => undefined);
    const structured = statusOf(link, caller);
    return { structured, text: JSON.stringify(structured, null, 2) };
  },
};

/** Returns the members of the documented record. Times are milliseconds since the epoch, 0 for never. */
function statusOf(link: NreplLink, caller: Caller) {
  const { connected, address, sessions, commands, current, lastTest } = link;
  const heartbeat = connected ? current?.ability('heartbeat') : undefined;
  return {
    connected,
    host: address?.host ?? null,
    port: address?.port ?? null,
    workspace: link.workspace(caller),
    sessions: connected ? sessions : 0,
    'recent-commands': commands,
    health: {
      'heartbeat-connected': connected && (heartbeat?.failures ?? 0) === 0,
      'last-heartbeat': heartbeat?.lastAt ?? 0,
      'heartbeat-failures': heartbeat?.failures ?? (address && !connected ? 1 : 0),
      'last-test-passed': lastTest?.passed ?? false,
      'last-test-timestamp': lastTest?.at ?? 0,
    },
  };
}

const NEW_SESSION: LinkTool<typeof Nothing> = {
  name: 'nrepl-new-session',
  title: 'Open another session',
  description: 'Opens a session with a namespace, *1 and bindings of its own on the connected server.',
  args: Nothing,
  async run(_, link, caller) {
    const structured = { 'new-session': await link.open(caller) };
    return { structured, text: JSON.stringify(structured) };
  },
};

function testing(options: EvaluateToolOptions): LinkTool<typeof Nothing> {
  return {
    name: 'nrepl-test',
    title: 'Test the server',
    description: 'Runs five checks on the server and reports which passed.',
    args: Nothing,
    async run(_, link, caller) {
      const began = performance.now();
      const found = await link.find(caller, undefined).catch(() => null);
      const results = await checkHealth(caller, link.connected ? (found?.session ?? null) : null, options);
      const passed = results.every((result) => result.passed);
      link.lastTest = { passed, at: Date.now() };
      const text = healthText(results, performance.now() - began);
      return { structured: { results }, text, isError: !passed };
    },
  };
}

const HealthCheckArguments = z.strictObject({
  'include-performance': z.boolean().optional().describe('Default: true'),
  verbose: z.boolean().optional().describe('Include the members of nrepl-status'),
});

function healthCheck(options: EvaluateToolOptions): LinkTool<typeof HealthCheckArguments> {
  const test = testing(options);
  return {
    name: 'nrepl-health-check',
    title: 'Examine the server',
    description: 'As nrepl-test, with the time of one evaluation and the state of the server.',
    args: HealthCheckArguments,
    async run({ 'include-performance': isTimed = true, verbose = false }, link, caller) {
      const tested = await test.run({}, link, caller);
      const session = link.connected ? link.current : null;
      const milliseconds = isTimed && session ? await roundTrip(caller, session, options) : null;
      const status = verbose ? statusOf(link, caller) : null;
      const lines = [
        tested.text,
        ...(milliseconds === null ? [] : [`One evaluation takes ${milliseconds.toFixed(1)} ms.`]),
        ...(status === null ? [] : [JSON.stringify(status, null, 2)]),
      ];
      const structured = {
        ...tested.structured,
        ...(milliseconds === null ? {} : { milliseconds }),
        ...(status === null ? {} : { status }),
      };
      return { ...tested, structured, text: lines.join('\n') };
    },
  };
}

const INTERRUPT: LinkTool<typeof InSession> = {
  name: 'nrepl-interrupt',
  title: 'Interrupt what runs',
  description: 'Interrupts the evaluation of a session; its state is kept.',
  args: InSession,
  async run({ session: uuid }, link, caller) {
    const { session } = await link.find(caller, uuid);
    if (await session.interrupt(caller.client.key))
      return { structured: { interrupted: true }, text: 'Interrupted' };
    throw new HarborError('bad_arguments', 'Nothing is running in this session.');
  },
};

const Explained = z.strictObject({ explanation: z.string().optional() });

/** Lists servers named in the settings or by the project. Ports of this computer are not scanned. */
function ports({ engines }: ImagesToolOptions): LinkTool<typeof Explained> {
  return {
    name: 'list_nrepl_ports',
    title: 'nREPL servers',
    description: 'The nREPL servers that the project or the settings name, and which one is connected.',
    args: Explained,
    async run(_, link, caller) {
      const found = await engines.discover();
      const named = found.find(({ engine }) => engine === 'nrepl')?.servers ?? [];
      const ofProject = await projectServer(link.workspace(caller)).catch(() => null);
      const servers = [
        ...(link.connected && link.address ? [{ ...link.address, state: 'connected' }] : []),
        ...(ofProject ? [{ ...ofProject, state: 'named by the port file of the project' }] : []),
        ...named.map((server) => ({
          ...server,
          state: server.listens ? 'named, listens' : 'named, does not listen',
        })),
      ].map(({ host, port, state }) => ({ host, port, state }));
      const lines = servers.map(({ host, port, state }) => `${host}:${port} ${state}`);
      return {
        structured: { servers },
        text: lines.join('\n') || 'None is named. nrepl-connect takes a port.',
      };
    },
  };
}

const Filtered = z.strictObject({ pattern: z.string().min(1).optional().describe('Regular expression') });

function libraries(linkOf: LinkOf): LinkTool<typeof Filtered> {
  return {
    name: 'deps_list',
    title: 'Libraries',
    description: 'The libraries on the classpath of the connected server, with version and jar.',
    args: Filtered,
    async run({ pattern }, _link, caller) {
      const all = await librariesOf(linkOf, caller);
      const isWanted =
        pattern === undefined
          ? null
          : matches(
              pattern,
              all.map(({ library }) => library),
            );
      const found = all.filter((_, index) => isWanted?.[index] ?? true);
      const lines = found.map(({ library, version, jar }) =>
        [library, version, jar].filter(Boolean).join(' '),
      );
      return { structured: { libraries: found }, text: lines.join('\n') || 'Nothing found.' };
    },
  };
}

/** The five checks of `nrepl-test`: the server answers, and its answers are correct. */
interface CheckResult {
  name: string;
  passed: boolean;
  detail: string;
}

interface Check {
  name: string;
  code: string;
  /** The correct answer. */
  expected: string;
  answer(row: Evaluation): string;
}

const value = (row: Evaluation): string => row.forms.at(-1)?.values[0] ?? '';

const CHECKS: readonly Check[] = [
  { name: 'Basic Arithmetic', code: '(+ 2 3)', expected: '5', answer: value },
  { name: 'String Operations', code: '(str "hello" " " "world")', expected: '"hello world"', answer: value },
  { name: 'Data Structures', code: '(count [1 2 3 4 5])', expected: '5', answer: value },
  {
    name: 'Output Handling',
    code: '(println "test-output")',
    expected: 'test-output',
    answer: ({ stdout }) => stdout.trim(),
  },
];

/** @param session null if there is no connection; no check passes then */
async function checkHealth(
  caller: Caller,
  session: Session | null,
  options: EvaluateToolOptions,
): Promise<CheckResult[]> {
  const results = [described(session)];
  for (const check of CHECKS) results.push(await run(check, caller, session, options));
  return results;
}

/** Returns the milliseconds of one evaluation of `nil`, with all overhead of an evaluation. */
async function roundTrip(caller: Caller, session: Session, options: EvaluateToolOptions): Promise<number> {
  const began = performance.now();
  await evaluateFor(caller, session, { kind: 'eval', code: 'nil' }, options);
  return performance.now() - began;
}

/** Formats the lines as in the documentation. */
function healthText(results: readonly CheckResult[], milliseconds: number): string {
  const passed = results.filter((result) => result.passed).length;
  return [
    `Health Test Results: ${passed}/${results.length} tests passed (took ${Math.round(milliseconds)}ms)`,
    ...results.map(({ name, passed: well, detail }) => `${well ? '✅' : '❌'} ${name}: ${detail}`),
  ].join('\n');
}

function described(session: Session | null): CheckResult {
  const name = 'Server Description';
  try {
    const { operations, failures } = session?.ability('heartbeat') ?? { operations: 0, failures: 1 };
    return { name, passed: failures === 0 && operations > 0, detail: `${operations} operations` };
  } catch {
    return { name, passed: false, detail: 'not connected' };
  }
}

async function run(
  { name, code, expected, answer }: Check,
  caller: Caller,
  session: Session | null,
  options: EvaluateToolOptions,
): Promise<CheckResult> {
  if (!session) return { name, passed: false, detail: 'not connected' };
  const row = await evaluateFor(caller, session, { kind: 'eval', code }, options);
  const detail = row.outcome === 'ok' ? answer(row) : (row.condition?.message ?? row.outcome);
  return { name, passed: detail === expected, detail: `${code} -> ${detail}` };
}
