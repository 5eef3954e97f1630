/**
 * Commands for a running harbor: `health-check`, `list-tools`, `stop`, `telnet-code`, `test-eval` and `repl`.
 */

import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { runRepl } from '../endpoints/local/repl';
import { reachHarbor } from '../host/harbor-reach';
import { reachOptions } from '../host/hidden-start';
import { addListeners } from '../host/listeners';
import { OPTIONS, type OptionName } from '../host/options';
import { VERSION } from '../host/paths';
import { bridgeSecret, RunningHarbor } from '../host/running-harbor';
import { runningHarbor, type Subcommand } from './command-list';

export const healthCheck: Subcommand = {
  usage: '[--data DIR]',
  about: 'exits with 0 if the harbor of the data folder answers, with 1 if not',
  positionals: 0,
  takes: ['data'],
  async run({ folder, print }) {
    const { url, pid, kind, sessions } = await runningHarbor(folder).summary();
    if (url === null)
      throw new HarborError('internal', `The harbor (process ${pid}) runs, but does not listen for HTTP.`);
    const { status, version } = await health(url);
    const count = sessions.length === 1 ? '1 session' : `${sessions.length} sessions`;
    print(`${status}: ${url}, version ${version}, ${kind}, process ${pid}, ${count}`);
    // A package manager may replace the files of a running harbor, this command included.
    if (version !== VERSION)
      print(
        `Version ${VERSION} is installed. "lisp-harbor stop" stops the running one; its sessions fall asleep, and the next start uses the installed version.`,
      );
    return 0;
  },
};

/** Requests `/health` next to the MCP address. @throws HarborError if there is no valid response */
async function health(url: string): Promise<{ status: string; version: string }> {
  const address = new URL('/health', url);
  try {
    const response = await fetch(address);
    if (response.ok) return (await response.json()) as { status: string; version: string };
    throw new Error(`HTTP ${response.status}`);
  } catch (error) {
    // `fetch` says only "fetch failed"; its cause says why.
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HarborError('internal', `${address.href} does not answer: ${reason}.`);
  }
}

const Listing = z.object({ tools: z.array(z.object({ name: z.string(), description: z.string() })) });

export const listTools: Subcommand = {
  usage: '[--profile NAME] [--data DIR]',
  about: 'prints the tools of a profile with the first sentence of each description',
  positionals: 0,
  takes: ['data', 'profile'],
  async run({ folder, options: { profile }, print }) {
    const mcp = await runningHarbor(folder).mcp(profile === undefined ? {} : { profile });
    try {
      const { tools } = Listing.parse(await mcp.request('tools/list'));
      const width = Math.max(...tools.map(({ name }) => name.length));
      for (const { name, description } of tools)
        print(`${name.padEnd(width)}  ${firstSentence(description)}`);
      return 0;
    } finally {
      mcp.close();
    }
  },
};

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? text;
}

export const stop: Subcommand = {
  usage: '[--data DIR]',
  about: 'stops the harbor of the data folder, with its sessions',
  positionals: 0,
  takes: ['data'],
  async run({ folder, print }) {
    const running = RunningHarbor.of(folder);
    if (!running) {
      print(`No harbor runs on ${folder.root}.`);
      return 0;
    }
    const { pid } = await running.summary();
    if (!(await running.stop()))
      throw new HarborError(
        'internal',
        `The harbor (process ${pid}) was requested to stop but is still running.`,
      );
    print(`The harbor of ${folder.root} (process ${pid}) has stopped.`);
    return 0;
  },
};

export const telnetCode: Subcommand = {
  usage: '[--data DIR]',
  about: 'prints the code for the next telnet connection',
  positionals: 0,
  takes: ['data'],
  async run({ folder, print }) {
    print(String(await runningHarbor(folder).command('telnet-code')));
    return 0;
  },
};

const USUAL_FORM = '(+ 1 2)';

const Result = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.object({ text: z.string().default('') })).default([]),
  structuredContent: z
    .object({
      forms: z.array(z.object({ values: z.array(z.unknown()) })).default([]),
      notes: z.array(z.string()).default([]),
    })
    .optional(),
});

export const testEval: Subcommand = {
  usage: '[CODE] [--data DIR] [--engine NAME]',
  about: `evaluates CODE, or ${USUAL_FORM}, through MCP and prints the values and notes; exits with 1 on an error`,
  positionals: 1,
  takes: ['data', 'engine'],
  async run({ folder, options: { engine }, positionals: [code = USUAL_FORM], print }) {
    const mcp = await runningHarbor(folder).mcp({ profile: 'default', ...(engine && { engine }) });
    try {
      const answer = await mcp.request('tools/call', { name: 'eval', arguments: { code } });
      const { isError, content, structuredContent } = Result.parse(answer);
      if (isError) throw new HarborError('internal', content.map(({ text }) => text).join('\n'));
      for (const value of structuredContent?.forms.at(-1)?.values ?? []) print(String(value));
      for (const note of structuredContent?.notes ?? []) print(`; ${note}`);
      return 0;
    } finally {
      mcp.close();
    }
  },
};

/** Options that are not passed to a harbor that has to be started. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  'port',
  'profile',
  'client',
  'issue-token',
  'hidden',
  'help',
]);
const reaching = (Object.keys(OPTIONS) as OptionName[]).filter((name) => !NOT_PASSED_ON.has(name));

export const repl: Subcommand = {
  usage: '[--engine NAME] [--session NAME] [--project DIR] [--data DIR]',
  about:
    'a REPL on this terminal, or on a pipe: Ctrl+C interrupts, Ctrl+D ends it. A named session continues afterwards',
  positionals: 0,
  takes: reaching,
  async run({ folder, options }) {
    const { engine, session } = options;
    const socket = await reachHarbor(reachOptions(folder, options));
    const hello = {
      secret: await bridgeSecret(folder),
      kind: 'repl' as const,
      project: options.project ?? process.env.INIT_CWD ?? process.cwd(),
      ...(engine && { engine }),
      ...(session && { session }),
    };
    const { stdin, stdout } = process;
    await runRepl(socket, hello, { stdin, stdout, onInterrupt });
    // After Ctrl+D the cursor is still on the line of the prompt.
    if (stdin.isTTY) stdout.write('\n');
    return 0;
  },
};

function onInterrupt(interrupt: () => void): () => void {
  return addListeners(process, (on) => on('SIGINT', interrupt));
}
