/** `clients`: connects other programs to the harbor, looks whether that works, and chooses what a client is served. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connect } from '../connect/install';
import { CLIENT_PROGRAMS } from '../connect/programs/table';
import { type ConnectAsked, ConnectPreview, ConnectView } from '../contract/connections';
import { HarborError } from '../contract/errors';
import { Scope } from '../contract/model';
import { flag, value } from '../host/option-row';
import type { RunningHarbor } from '../host/running-harbor';
import { byHolder } from './by-holder';
import { saying } from './saying';
import type { CommandDependencies, Subcommand } from './subcommand';

const USAGE =
  'list | add NAME | remove NAME | doctor [NAME] | profile NAME [PROFILE] | bundle FILE   [options]';

/** How many words each action takes, itself included, and the options that have an effect on it. */
const ACTIONS: Readonly<Record<string, { words: readonly number[]; options: readonly string[] }>> = {
  list: { words: [1], options: ['project', 'all'] },
  add: {
    words: [2],
    options: ['project', 'http', 'stdio', 'profile', 'engine', 'scopes', 'new-token', 'dry-run'],
  },
  remove: { words: [2], options: ['project', 'dry-run'] },
  doctor: { words: [1, 2], options: ['project'] },
  profile: { words: [2, 3], options: [] },
  bundle: { words: [2], options: [] },
};

export const clients: Subcommand = {
  usage: USAGE,
  about:
    'Connects other programs: adds one entry to the file in which a program keeps its MCP servers, and takes it out again.',
  more: `list      programs found here, and what their files say of Lisp Harbor
add       writes the entry; what else is in the file keeps its bytes, and a copy of it is kept.
          For a program without a file it prints what to paste
remove    takes out what any Lisp Harbor wrote, and revokes its token
doctor    the program’s own handshake by exactly what is in its file, and what its model will see
profile   the set of tools that a client is served; without PROFILE the harbor’s own
bundle    writes an .mcpb, which Claude Desktop installs when it is opened

Names:    ${namesInLines()}`,
  positionals: 3,
  takes: ['data', 'project', 'profile', 'engine'],
  here: {
    project: 'the file in that project’s folder, which holds there alone (list, add, remove, doctor)',
    profile: 'set of tools that the client is served (add)',
    engine: 'engine of the client’s new sessions (add)',
  },
  own: {
    http: flag('the address and a token of its own, for a program that takes one (add)'),
    stdio: flag('the command that starts the bridge (add; usual)'),
    scopes: value('NAMES', 'what it may do, with commas: read,evaluate,admin (add; usual: read,evaluate)'),
    'new-token': flag('replaces a token that works (add)'),
    'dry-run': flag('shows what would change in the file, and writes nothing (add, remove)'),
    all: flag('programs that were not found as well (list)'),
  },
  run: (dependencies) => saying(answer(dependencies), dependencies),
};

function namesInLines(): string {
  const names = CLIENT_PROGRAMS.map(({ name }) => name);
  return [names.slice(0, 7), names.slice(7, 14), names.slice(14)]
    .map((line) => line.join(', '))
    .join(',\n          ');
}

async function answer(dependencies: CommandDependencies): Promise<string> {
  const [action = '', name = '', profile = null] = dependencies.positionals;
  const taken = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!taken?.words.includes(dependencies.positionals.length))
    throw new HarborError('bad_arguments', `Usage: lisp-harbor clients ${USAGE}`);
  refuseOthers(dependencies, action, taken.options);
  switch (action) {
    case 'list':
      return list(dependencies);
    case 'doctor':
      return doctor(dependencies, name);
    case 'profile':
      return chooseProfile(dependencies, name, profile);
    case 'bundle':
      return bundle(dependencies, name);
    default:
      return change(dependencies, action === 'add' ? 'add' : 'remove', name);
  }
}

/** @throws HarborError `bad_arguments` for an option that would have no effect on the action */
function refuseOthers({ options, own }: CommandDependencies, action: string, known: readonly string[]): void {
  const { project, profile, engine } = options;
  const given = Object.entries({ project, profile, engine, ...own });
  const [other] = given.find(([name, value]) => value !== undefined && !known.includes(name)) ?? [];
  if (other === undefined) return;
  throw new HarborError('bad_arguments', `clients ${action} takes no --${other}.`);
}

async function list(dependencies: CommandDependencies): Promise<string> {
  const { own, options } = dependencies;
  const views = ConnectView.array().parse(
    await ask(dependencies, 'list', { project: options.project }, (connect) => connect.list(options.project)),
  );
  const shown = own.all ? views : views.filter(({ found, state }) => found || state !== 'absent');
  const hidden = views.length - shown.length;
  const more = hidden === 0 ? [] : [`${hidden} more were not found here; --all lists them.`];
  return [...shown.map(lineOf), ...more].join('\n');
}

function lineOf({ name, state, transport, file, detail }: ConnectView): string {
  const how = transport === null ? state : `${state}, ${transport}`;
  return `${name.padEnd(16)}${how.padEnd(20)}${file ?? ''}`.trimEnd().concat(`\n${' '.repeat(16)}${detail}`);
}

async function change(
  dependencies: CommandDependencies,
  action: 'add' | 'remove',
  name: string,
): Promise<string> {
  const asked = askedFor(dependencies);
  if (dependencies.own['dry-run']) {
    const { diff } = ConnectPreview.parse(
      await ask(dependencies, 'preview', { name, action, ...asked }, (connect) =>
        connect.preview(name, action, asked),
      ),
    );
    return diff === '' ? 'Nothing would change.' : diff.trimEnd();
  }
  const view = ConnectView.parse(
    await ask(dependencies, action, { name, ...asked }, (connect) =>
      action === 'add' ? connect.add(name, asked) : connect.remove(name, asked.project),
    ),
  );
  return view.state === 'manual' ? textToPaste(view, asked) : viewText(view);
}

/** Of a program without a file. */
function textToPaste(view: ConnectView, { transport }: ConnectAsked): string {
  const { name, snippet, httpSnippet } = view;
  if (transport !== 'http' || httpSnippet === undefined) return `${viewText(view)}\n\n${snippet.trimEnd()}`;
  const token = `In the place of <token> goes what "lisp-harbor serve --issue-token ${name}" prints.`;
  return `${viewText(view)} ${token}\n\n${httpSnippet.trimEnd()}`;
}

/** @throws HarborError `bad_arguments` for scopes that there are not */
function askedFor({ options, own }: CommandDependencies): ConnectAsked {
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
  throw new HarborError('bad_arguments', `--scopes ${text}: give some of ${Scope.options.join(', ')}.`);
}

function viewText({ title, state, file, detail, afterwards, backup, choice }: ConnectView): string {
  const chosen = Object.entries(choice).flatMap(([what, value]) =>
    value === null ? [] : [`${what} ${[value].flat().join(', ')}`],
  );
  const isConnected = state === 'connected';
  return [
    `${title}: ${state}${file === null ? '' : ` (${file})`}`,
    detail,
    isConnected && chosen.length > 0 ? `It is served with ${chosen.join('; ')}.` : '',
    isConnected && backup ? `The file as it was is kept in ${backup}.` : '',
    isConnected ? afterwards : '',
  ]
    .filter(Boolean)
    .join('\n');
}

/** Of one program, or of all with an entry of ours. A program that gets nothing is a failure of the command. */
async function doctor(dependencies: CommandDependencies, name: string): Promise<string> {
  const { project } = dependencies.options;
  const names = name === '' ? await connected(dependencies) : [name];
  // Not with the data folder held: what the entry runs may have to start a harbor.
  const connect = dependencies.connectAlone();
  const found = await Promise.all(names.map((each) => connect.diagnose(each, project)));
  const told = found.map(({ title, ok, lines }) => `${ok ? '✓' : '✗'} ${[title, ...lines].join('\n  ')}`);
  if (found.every(({ ok }) => ok)) return told.join('\n') || 'No program is connected.';
  throw new HarborError('internal', `\n${told.join('\n')}`);
}

async function connected(dependencies: CommandDependencies): Promise<string[]> {
  const { project } = dependencies.options;
  const views = ConnectView.array().parse(
    await ask(dependencies, 'list', { project }, (connect) => connect.list(project)),
  );
  return views
    .filter(({ transport, state }) => transport !== null && state !== 'foreign')
    .map(({ name }) => name);
}

/** Tells the client's open conversations, where a harbor runs. */
async function chooseProfile(
  dependencies: CommandDependencies,
  client: string,
  profile: string | null,
): Promise<string> {
  const served = await byHolder(dependencies, {
    running: (harbor) => harbor.command('clients-profile', { client, profile }),
    alone: async () => dependencies.connectAlone().choose(client, { profile }),
  });
  return `${client} is served ${String(served ?? 'the harbor’s own profile')}.`;
}

async function bundle(dependencies: CommandDependencies, file: string): Promise<string> {
  const bytes = await byHolder(dependencies, {
    running: async (harbor: RunningHarbor) =>
      Buffer.from(String(await harbor.command('clients-bundle')), 'base64'),
    alone: () => dependencies.connectAlone().bundle(),
  });
  const place = path.resolve(process.env.INIT_CWD ?? '.', file);
  await writeFile(place, bytes);
  return `${place} is written. Open it with Claude Desktop, which asks before it installs it.`;
}

function ask(
  dependencies: CommandDependencies,
  command: string,
  args: object,
  alone: (connect: Connect) => Promise<unknown>,
): Promise<unknown> {
  return byHolder(dependencies, {
    running: (harbor) => harbor.command(`clients-${command}`, args),
    alone: () => alone(dependencies.connectAlone()),
  });
}
