/**
 * The commands about other programs: `clients` connects them to the harbor, tests the connection and chooses
 * the profile of a client; `agent` installs skills and hooks.
 */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentView } from '../connect/agent/agent-install';
import type { Connect } from '../connect/install';
import { CLIENT_PROGRAMS } from '../connect/programs/table';
import { ConnectPreview, type ConnectRequest, type ConnectState, ConnectView } from '../contract/clients';
import { HarborError } from '../contract/errors';
import { type EngineName, Scope } from '../contract/model';
import { flag, value } from '../host/command-line';
import { makeDataFolder } from '../host/data-folder';
import { reachOptions } from '../host/hidden-start';
import type { RunningHarbor } from '../host/running-harbor';
import type { CommandDependencies, Subcommand } from './command-list';
import { commandsOnRunningHarbor } from './commands-on-running-harbor';

const USAGE =
  'list | add NAME | remove NAME|--all | doctor [NAME] | profile NAME [PROFILE] | bundle FILE   [options]';

/** Allowed numbers of words for each action, itself included, and the options that apply to it. */
const ACTIONS: Readonly<Record<string, { words: readonly number[]; options: readonly string[] }>> = {
  list: { words: [1], options: ['project', 'all'] },
  add: {
    words: [2],
    options: ['project', 'http', 'stdio', 'profile', 'engine', 'scopes', 'new-token', 'dry-run'],
  },
  remove: { words: [1, 2], options: ['project', 'dry-run', 'all'] },
  doctor: { words: [1, 2], options: ['project'] },
  profile: { words: [2, 3], options: [] },
  bundle: { words: [2], options: [] },
};

export const clients: Subcommand = {
  usage: USAGE,
  about:
    'Connects other programs: adds an entry to the file in which a program stores its MCP servers, or removes it.',
  more: `list      programs found on this computer, and the state of their entries
add       writes the entry and backs up the file; the rest of the file is unchanged.
          For a program without a file it prints the text to paste
remove    removes an entry of any Lisp Harbor and revokes its token; with --all every
          entry of this one, as before you uninstall it
doctor    tests the entry with the program’s own handshake and lists what its model sees
profile   the set of tools of a client; without PROFILE the default one
bundle    writes an .mcpb, which Claude Desktop installs when it is opened

Names:    ${namesInLines()}`,
  positionals: 3,
  takes: ['data', 'project', 'profile', 'engine'],
  here: {
    project: 'the file in that project’s folder, which applies only there (list, add, remove, doctor)',
    profile: 'set of tools of the client (add)',
    engine: 'engine of the client’s new sessions (add)',
  },
  own: {
    http: flag('the address and its own token, for a program that accepts one (add)'),
    stdio: flag('the command that starts the bridge (add; default)'),
    scopes: value('NAMES', 'scopes, comma-separated: read,evaluate,admin (add; default: read,evaluate)'),
    'new-token': flag('replaces a valid token (add)'),
    'dry-run': flag('shows the changes without writing (add, remove)'),
    all: flag('also lists programs that were not found (list); every program with an entry (remove)'),
  },
  run: (dependencies) => printResult(answer(dependencies), dependencies),
};

function namesInLines(): string {
  const names = CLIENT_PROGRAMS.map(({ name }) => name);
  return [names.slice(0, 7), names.slice(7, 14), names.slice(14)]
    .map((line) => line.join(', '))
    .join(',\n          ');
}

async function answer(dependencies: CommandDependencies): Promise<string> {
  const [action = '', name = '', profile = null] = dependencies.positionals;
  const allowed = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!allowed?.words.includes(dependencies.positionals.length))
    throw new HarborError('bad_arguments', `Usage: lisp-harbor clients ${USAGE}`);
  refuseOthers(dependencies, action, allowed.options);
  switch (action) {
    case 'list':
      return list(dependencies);
    case 'doctor':
      return doctor(dependencies, name);
    case 'profile':
      return chooseProfile(dependencies, name, profile);
    case 'bundle':
      return bundle(dependencies, name);
    case 'add':
      return change(dependencies, 'add', name);
    default:
      return remove(dependencies, name);
  }
}

/** @throws HarborError `bad_arguments` for an option that has no effect on the action */
function refuseOthers(
  { options, own }: CommandDependencies,
  action: string,
  accepted: readonly string[],
): void {
  const { project, profile, engine } = options;
  const present = Object.entries({ project, profile, engine, ...own });
  const [other] = present.find(([name, value]) => value !== undefined && !accepted.includes(name)) ?? [];
  if (other === undefined) return;
  throw new HarborError('bad_arguments', `clients ${action} does not accept --${other}.`);
}

async function list(dependencies: CommandDependencies): Promise<string> {
  const all = await views(dependencies);
  const shown = dependencies.own.all ? all : all.filter(({ found, state }) => found || state !== 'absent');
  const hidden = all.length - shown.length;
  const more = hidden === 0 ? [] : [`${hidden} more programs were not found; --all lists them.`];
  return [...shown.map(lineOf), ...more].join('\n');
}

function lineOf({ name, state, transport, file, detail }: ConnectView): string {
  const how = transport === null ? state : `${state}, ${transport}`;
  return `${name.padEnd(16)}${how.padEnd(20)}${file ?? ''}`.trimEnd().concat(`\n${' '.repeat(16)}${detail}`);
}

/** @throws HarborError `bad_arguments` unless there is a name or `--all`, and not both */
async function remove(dependencies: CommandDependencies, name: string): Promise<string> {
  if ((name === '') !== Boolean(dependencies.own.all))
    throw new HarborError('bad_arguments', 'Give one NAME, or --all for every program with an entry.');
  if (name !== '') return change(dependencies, 'remove', name);
  const removed: string[] = [];
  for (const each of await connected(dependencies)) removed.push(await change(dependencies, 'remove', each));
  return removed.join('\n') || 'No program is connected.';
}

async function change(
  dependencies: CommandDependencies,
  action: 'add' | 'remove',
  name: string,
): Promise<string> {
  const request = requestFrom(dependencies);
  if (dependencies.own['dry-run']) {
    const { diff } = ConnectPreview.parse(
      await query(dependencies, 'preview', { name, action, ...request }, (connect) =>
        connect.preview(name, action, request),
      ),
    );
    return diff === '' ? 'No changes.' : diff.trimEnd();
  }
  const view = ConnectView.parse(
    await query(dependencies, action, { name, ...request }, (connect) =>
      action === 'add' ? connect.add(name, request) : connect.remove(name, request.project),
    ),
  );
  return view.state === 'manual' ? textToPaste(view, request) : viewText(view);
}

/** Returns the text to paste for a program without a file. */
function textToPaste(view: ConnectView, { transport }: ConnectRequest): string {
  const { name, snippet, httpSnippet } = view;
  if (transport !== 'http' || httpSnippet === undefined) return `${viewText(view)}\n\n${snippet.trimEnd()}`;
  const token = `Replace <token> by the output of "lisp-harbor serve --issue-token ${name}".`;
  return `${viewText(view)} ${token}\n\n${httpSnippet.trimEnd()}`;
}

/** @throws HarborError `bad_arguments` for unknown scopes */
function requestFrom({ options, own }: CommandDependencies): ConnectRequest {
  const { project, profile, engine } = options;
  if (own.http && own.stdio) throw new HarborError('bad_arguments', 'Give --http or --stdio, not both.');
  const choice = {
    ...(profile !== undefined && { profile }),
    ...(engine !== undefined && { engine }),
    ...(typeof own.scopes === 'string' && { scopes: scopesIn(own.scopes) }),
  };
  return {
    ...(project !== undefined && { project }),
    ...(own.http && { transport: 'http' as const }),
    ...(own.stdio && { transport: 'stdio' as const }),
    ...(own['new-token'] && { newToken: true }),
    ...(Object.keys(choice).length > 0 && { choice }),
  };
}

function scopesIn(text: string): Scope[] {
  const scopes = Scope.array()
    .min(1)
    .safeParse(text.split(',').map((scope) => scope.trim()));
  if (scopes.success) return scopes.data;
  throw new HarborError('bad_arguments', `--scopes ${text}: use some of ${Scope.options.join(', ')}.`);
}

function viewText({ title, state, file, detail, afterwards, backup, choice }: ConnectView): string {
  const chosen = Object.entries(choice).flatMap(([what, value]) =>
    value === null ? [] : [`${what} ${[value].flat().join(', ')}`],
  );
  const isConnected = state === 'connected';
  return [
    `${title}: ${state}${file === null ? '' : ` (${file})`}`,
    detail,
    isConnected && chosen.length > 0 ? `Its sessions use ${chosen.join('; ')}.` : '',
    isConnected && backup ? `The previous file was backed up to ${backup}.` : '',
    isConnected ? afterwards : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** States in which there is no entry that could be tested. */
const WITHOUT_ENTRY: ReadonlySet<ConnectState> = new Set(['absent', 'ready', 'manual']);

/**
 * Tests one program, or all that `list` shows with an entry, also one that somebody changed. The command fails
 * if a test fails.
 */
async function doctor(dependencies: CommandDependencies, name: string): Promise<string> {
  const { project } = dependencies.options;
  const all = name === '' ? await views(dependencies) : [];
  const withEntry = all.filter(({ state }) => !WITHOUT_ENTRY.has(state));
  const names = name === '' ? withEntry.map((view) => view.name) : [name];
  // The lock is not acquired, because the entry may have to start a harbor.
  const connect = dependencies.connectAlone();
  const found = await Promise.all(names.map((each) => connect.diagnose(each, project)));
  const results = found.map(({ title, ok, lines }) => `${ok ? '✓' : '✗'} ${[title, ...lines].join('\n  ')}`);
  if (found.every(({ ok }) => ok)) return results.join('\n') || 'No program is connected.';
  throw new HarborError('internal', `\n${results.join('\n')}`);
}

async function views(dependencies: CommandDependencies): Promise<ConnectView[]> {
  const { project } = dependencies.options;
  return ConnectView.array().parse(
    await query(dependencies, 'list', { project }, (connect) => connect.list(project)),
  );
}

/** Returns the programs with an entry of ours. */
async function connected(dependencies: CommandDependencies): Promise<string[]> {
  return (await views(dependencies))
    .filter(({ transport, state }) => transport !== null && state !== 'foreign')
    .map(({ name }) => name);
}

/** Chooses a client’s profile. In a running harbor it also applies to open conversations. */
async function chooseProfile(
  dependencies: CommandDependencies,
  client: string,
  profile: string | null,
): Promise<string> {
  const served = await commandsOnRunningHarbor(dependencies, {
    running: (harbor) => harbor.command('clients-profile', { client, profile }),
    alone: async () => dependencies.connectAlone().choose(client, { profile }),
  });
  return `${client} now has ${String(served ?? 'the harbor’s default profile')}.`;
}

async function bundle(dependencies: CommandDependencies, file: string): Promise<string> {
  const bytes = await commandsOnRunningHarbor(dependencies, {
    running: async (harbor: RunningHarbor) =>
      Buffer.from(String(await harbor.command('clients-bundle')), 'base64'),
    alone: () => dependencies.connectAlone().bundle(),
  });
  const target = path.resolve(process.env.INIT_CWD ?? '.', file);
  await writeFile(target, bytes);
  return `Wrote ${target}. Open it with Claude Desktop, which asks before it installs it.`;
}

function query(
  dependencies: CommandDependencies,
  command: string,
  args: object,
  alone: (connect: Connect) => Promise<unknown>,
): Promise<unknown> {
  return commandsOnRunningHarbor(dependencies, {
    running: (harbor) => harbor.command(`clients-${command}`, args),
    alone: () => alone(dependencies.connectAlone()),
  });
}

const AGENT_USAGE = 'list | diff NAME | install NAME | remove NAME   [--project DIR] [--data DIR]';

export const agent: Subcommand = {
  usage: AGENT_USAGE,
  about:
    'installs a skill, and a hook that checks the parentheses of each Lisp file an agent edits, for claude-code, codex and opencode, with --project for that folder only; or a kernel for each engine, for jupyter',
  positionals: 2,
  takes: ['data', 'project'],
  here: { project: 'for that folder only' },
  run: (dependencies) => printResult(agentAnswer(dependencies), dependencies),
};

async function agentAnswer(dependencies: CommandDependencies): Promise<string> {
  const { agents, folder, options } = dependencies;
  const [action, name] = dependencies.positionals;
  if (action === 'list' && name === undefined) return (await agents.list()).map(agentText).join('\n');
  if (name === undefined) throw new HarborError('bad_arguments', `Usage: agent ${AGENT_USAGE}`);
  switch (action) {
    case 'diff':
      return (await agents.diff(name, await enginesFor(name, dependencies))) || 'No changes.';
    case 'install': {
      if (name === 'jupyter' && options.project !== undefined)
        throw new HarborError('bad_arguments', 'Jupyter has no kernels of a project: leave out --project.');
      makeDataFolder(folder);
      const view = await agents.install(name, await enginesFor(name, dependencies));
      return `${agentText(view)}\n${view.afterwards}`;
    }
    case 'remove':
      return agentText(await agents.remove(name));
    default:
      throw new HarborError('bad_arguments', `Usage: agent ${AGENT_USAGE}`);
  }
}

/** Returns the engines that the harbor finds. Only Jupyter needs them; a harbor is started for that. */
async function enginesFor(name: string, context: CommandDependencies): Promise<EngineName[]> {
  if (name !== 'jupyter') return [];
  const { enginesFound } = await import('../editors/harbor-link');
  return enginesFound(context.folder, reachOptions(context.folder, context.options));
}

function agentText({ name, pieces }: AgentView): string {
  return pieces
    .map(({ kind, state, file }) => `${name.padEnd(13)}${kind.padEnd(8)}${state.padEnd(11)}${file}`)
    .join('\n');
}

/**
 * Prints the result. An unknown program is misuse of the command.
 * @returns the exit code
 * @throws HarborError `bad_arguments`, or the error of `answer`
 */
async function printResult(
  answer: Promise<string>,
  { print }: Pick<CommandDependencies, 'print'>,
): Promise<number> {
  try {
    print(await answer);
    return 0;
  } catch (error) {
    if (error instanceof HarborError && error.code === 'client_unknown')
      throw new HarborError('bad_arguments', error.message);
    throw error;
  }
}
