/** What the window may ask: every call of the contract and the service that answers it. */
import type { Approvals } from '../access/approvals';
import type { ClientProfiles } from '../access/client-profiles';
import type { Tokens } from '../access/tokens';
import type { Connect } from '../connect/install';
import type { EventName } from '../contract/channels';
import type { HarborStatus, Payload } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { Client, Evaluation } from '../contract/model';
import type { SwankView } from '../contract/ports';
import type { Settings, SettingsChange } from '../contract/settings';
import type { History } from '../history/history';
import { historyRow } from '../history/list-row';
import { NOTHING_UNSAVED, unsavedDefinitions } from '../sessions/export/session-source';
import type { Listeners } from '../sessions/listeners';
import type { Checkpoints } from '../sessions/recovery/checkpoints';
import type { Sessions } from '../sessions/sessions';
import type { CallHandlers } from './answer';
import { attachServer, startContainer } from './attach-calls';
import { exportNotebook, exportSession, type SaveText } from './export-session';
import { type SandboxControls, sandboxCalls } from './sandbox-calls';
import { lastCommands, undo } from './world-calls';

/** The services behind the window, as the harbor composed them. */
export interface WindowServices {
  /** The person at the window. */
  person: Client;
  sessions: Sessions;
  checkpoints: Checkpoints;
  listeners: Listeners;
  history: History;
  tokens: Tokens;
  clientProfiles: ClientProfiles;
  connect: Connect;
  swank: {
    start: (session: string) => Promise<SwankView>;
    stop: (session: string) => Promise<string[]>;
  };
  revokeToken: (id: number) => Promise<void>;
  status: () => Promise<HarborStatus>;
  project: () => string;
  readSettings: () => Settings;
  changeSettings: (change: SettingsChange) => Settings;
  /** Shows the folder dialog; null when the person cancelled. */
  chooseProject: () => Promise<string | null>;
  saveText: SaveText;
  sandbox: SandboxControls;
  approvals: Approvals;
  /** Shows the folder dialog for the allow-list; null when the person cancelled. */
  chooseFolder: () => Promise<string | null>;
  /** Makes the folder the project of new sessions; answers it as it is known from now on. */
  approveProject: (folder: string) => string;
}

/** Types of object that the window shows of a session's memory, and names of what a session would lose by ending. */
const SHOWN_TYPES = 40;
const SHOWN_NAMES = 12;

export function windowCalls(services: WindowServices): CallHandlers {
  const { person, sessions, checkpoints, listeners, history, tokens, clientProfiles, connect } = services;
  const find = ({ session }: { session: string }) => sessions.find(session, person);
  return {
    'harbor:status': services.status,
    'harbor:memory': () => sessions.memory(),
    'sessions:list': () => sessions.list(person),
    'sessions:open': async ({ engine, name }) => {
      const session = await sessions.open({
        client: person.key,
        project: services.project(),
        ...(engine === undefined ? {} : { engine }),
        ...(name === undefined ? {} : { name }),
        tell: (doing) => void sessions.events.emit('opening', doing),
      });
      return session.view();
    },
    'sessions:attach': (server) => attachServer(services, server),
    'sessions:container': (container) => startContainer(services, container),
    'sessions:close': async (args) => {
      await sessions.close(find(args));
      return null;
    },
    'sessions:interrupt': async (args) => {
      const session = find(args);
      const interrupted = await session.interrupt();
      // Ctrl+C at the prompt drops the form that was begun.
      if (!interrupted) listeners.of(session).cancel();
      return { interrupted };
    },
    'sessions:hold': (args) => {
      find(args).hold(args.hold);
      return null;
    },
    'sessions:progress': async (args) => {
      const session = find(args);
      return session.running && session.progress(session.running);
    },
    'sessions:allowRawLisp': (args) => {
      find(args).allowRawLisp();
      return null;
    },
    'checkpoints:list': () => checkpoints.list(person),
    'checkpoints:save': (args) => checkpoints.save(find(args), person, args.name),
    'checkpoints:restore': async (args) => {
      const { kept, row } = await checkpoints.restore(find(args), checkpoints.find(args, person), person);
      if (row && row.outcome !== 'ok') throw notBack(row);
      return { kept, lost: row?.report?.proof?.lost?.length ?? 0 };
    },
    'checkpoints:branch': async (args) => {
      const found = checkpoints.find(args, person);
      const { engine, project } = found;
      const from = checkpoints.origin(found);
      const session = await sessions.open({ client: person.key, project, engine, from });
      return session.view();
    },
    'checkpoints:drop': async (args) => {
      await checkpoints.drop(checkpoints.find(args, person));
      return null;
    },
    'sessions:memory': (args) => find(args).ability('memory').read(SHOWN_TYPES),
    'sessions:unsaved': (args) => unsavedDefinitions(find(args), SHOWN_NAMES).catch(() => NOTHING_UNSAVED),
    'sessions:export': (args) => exportSession(find(args), history.evaluations, services.saveText),
    'sessions:notebook': (args) => exportNotebook(find(args), history.evaluations, services.saveText),
    'world:commands': (args) => lastCommands(find(args), args.last),
    'world:undo': (args) => undo(find(args), person, args),
    'swank:start': (args) => services.swank.start(find(args).id),
    'swank:stop': async (args) => ({ threads: await services.swank.stop(find(args).id) }),
    'listener:open': (args) => ({ transcript: listeners.of(find(args)).transcript }),
    'listener:submit': (args) => {
      void listeners.of(find(args)).submit(args.text);
      return null;
    },
    'history:page': (query) => history.page(query),
    'history:evaluation': ({ id }) => {
      const evaluation = history.evaluations.find(id);
      if (evaluation) return evaluation;
      throw new HarborError('unknown_evaluation', `There is no evaluation ${id} in the history.`);
    },
    'tokens:list': () => tokens.list(),
    'tokens:issue': ({ name, scopes }) => tokens.issue(name, scopes),
    'tokens:revoke': async ({ id }) => {
      await services.revokeToken(id);
      return null;
    },
    'profiles:list': () => clientProfiles.view(),
    'profiles:choose': ({ client, profile }) => {
      clientProfiles.choose(client, profile);
      return clientProfiles.view();
    },
    'connect:list': () => connect.list(),
    'connect:preview': ({ name, action }) => connect.preview(name, action),
    'connect:add': ({ name }) => connect.add(name),
    'connect:remove': ({ name }) => connect.remove(name),
    'settings:read': services.readSettings,
    'settings:change': services.changeSettings,
    ...sandboxCalls(services),
    'projects:choose': async () => {
      const chosen = await services.chooseProject();
      return chosen === null ? null : { project: services.approveProject(chosen) };
    },
  };
}

/** Passes on to the window what happens in the harbor; answers a function that stops it. */
export function forwardEvents(
  { sessions, listeners, approvals }: Pick<WindowServices, 'sessions' | 'listeners' | 'approvals'>,
  send: <E extends EventName>(event: E, payload: Payload<E>) => void,
): () => void {
  const { events } = sessions;
  const onOpening = (doing: string) => send('session:opening', { doing });
  const onChanged = (view: Payload<'session:changed'>) => send('session:changed', view);
  const onEnded = (session: string) => send('session:ended', { session });
  const onCheckpoints = () => send('checkpoints:changed', null);
  const onOpened = (row: Parameters<typeof historyRow>[0]) => send('evaluation:opened', historyRow(row));
  const onOutput = (output: Payload<'evaluation:output'>) => send('evaluation:output', output);
  const onClosed = (row: Parameters<typeof historyRow>[0]) => send('evaluation:closed', historyRow(row));
  const onText = (session: string, text: string) => send('listener:output', { session, text });
  events
    .on('opening', onOpening)
    .on('changed', onChanged)
    .on('ended', onEnded)
    .on('checkpoints', onCheckpoints)
    .on('opened', onOpened);
  events.on('held', onOpened).on('wentOn', onOpened).on('output', onOutput).on('closed', onClosed);
  const onApprovals = () => send('approvals:changed', approvals.state);
  listeners.on('output', onText);
  approvals.on('changed', onApprovals);
  return () => {
    events
      .off('opening', onOpening)
      .off('changed', onChanged)
      .off('ended', onEnded)
      .off('checkpoints', onCheckpoints)
      .off('opened', onOpened);
    events.off('held', onOpened).off('wentOn', onOpened).off('output', onOutput).off('closed', onClosed);
    listeners.off('output', onText);
    approvals.off('changed', onApprovals);
  };
}

function notBack({ id, outcome, condition }: Evaluation): HarborError {
  const why = condition?.message ?? `Evaluation ${id} was ${outcome}.`;
  return new HarborError('checkpoint_failed', `The session did not go back: ${why}`);
}
