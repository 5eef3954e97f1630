/** The handlers of all window calls. */
import type { ParsedArgs } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import type { SessionChanges } from '../sessions/changes/session-changes';
import { nothingUnsaved } from '../sessions/export/session-source';
import { arglist, completions } from '../sessions/listeners';
import { buildProof } from '../sessions/parsed-arguments';
import { PresentNotSaved } from '../sessions/recovery/checkpoints';
import type { SleepingSession } from '../sessions/recovery/sleeping-sessions';
import { Session } from '../sessions/session/session';
import type { CallHandlers } from './answer';
import { debuggerCalls, thrownCalls } from './debugger-calls';
import { exportNotebook, exportSession } from './export-session';
import { diagnosticsCalls, gitCalls, logCalls, sandboxCalls, updateCalls } from './harbor-calls';
import { historyCalls } from './history-calls';
import { browseCalls, inspectorCalls, tapsCalls, traceCalls } from './image-calls';
import {
  attachServer,
  changesCalls,
  check,
  lastCommands,
  sourceCalls,
  startContainer,
  undo,
} from './session-calls';
import { testCalls } from './test-calls';
import type { WindowServices } from './window-services';

/** Maximum number of object types in the memory view, and of unsaved definitions shown by name. */
const SHOWN_TYPES = 40;
const SHOWN_NAMES = 12;

export function windowCalls(services: WindowServices): CallHandlers {
  const { person, sessions, checkpoints, listeners, history, tokens, clientProfiles, connect } = services;
  const { applications } = services;
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  const openIn = async (project: string, { engine, name }: ParsedArgs<'sessions:open'>) => {
    const session = await sessions.open({
      client: person.key,
      project,
      ...(engine === undefined ? {} : { engine }),
      ...(name === undefined ? {} : { name }),
      onProgress: (doing) => void sessions.events.emit('opening', doing),
    });
    return session.view();
  };
  return {
    'harbor:status': services.status,
    'harbor:memory': () => sessions.memory(),
    'harbor:look': services.look,
    'harbor:listen': async () => {
      await services.listen();
      return null;
    },
    'applications:start': async ({ project }) => {
      await applications.start(project);
      return null;
    },
    'applications:stop': async ({ project }) => {
      await applications.stop(project);
      return null;
    },
    'applications:show': async ({ project }) => {
      const url = applications.views().find((each) => each.project === project)?.url;
      if (url) await services.openLink(url);
      return null;
    },
    'sessions:list': () => sessions.list(person),
    'sessions:open': (wanted) => openIn(services.project(), wanted),
    'sessions:attach': (server) => attachServer(services, server),
    'sessions:container': (container) => startContainer(services, container),
    'sessions:close': async ({ session }) => {
      await sessions.close(sessions.known(session, person));
      return null;
    },
    'sessions:wake': async (args) => (await find(args)).view(),
    'sessions:interrupt': async (args) => {
      const session = await find(args);
      const interrupted = await session.interrupt(person.key);
      // Ctrl+C at the prompt discards an unfinished form.
      if (!interrupted) listeners.of(session).cancel();
      return { interrupted };
    },
    'sessions:stop': async (args) => {
      const session = await find(args);
      const evaluation = session.pending(args.evaluation);
      const stop = args.byForce ? session.force : session.cancel;
      return { stopped: evaluation !== null && (await stop.call(session, evaluation, person.key)) };
    },
    'sessions:break': async (args) => {
      const session = await find(args);
      const evaluation = session.pending(args.evaluation);
      if (!evaluation)
        throw new HarborError(
          'bad_arguments',
          `Evaluation ${args.evaluation} has ended, so there is nothing to break.`,
        );
      await session.hold(evaluation);
      return null;
    },
    'sessions:restart': async (args) => {
      const session = await find(args);
      const again = session.startAgain({ client: person.key, grant: null }, 'the user restarted it');
      if (session.running) void session.force(session.running, person.key);
      await again;
      return null;
    },
    'sessions:name': async (args) => {
      (await find(args)).settings.rename(args.name, args.note);
      return null;
    },
    'sessions:complete': async (args) => completions(await find(args), args.prefix, args.package),
    'sessions:arglist': async (args) => ({
      arglist: await arglist(await find(args), args.operator, args.package),
    }),
    'sessions:hold': async (args) => {
      (await find(args)).settings.hold(args.hold);
      return null;
    },
    'sessions:progress': async (args) => {
      const session = await find(args);
      const { running } = session;
      return running?.id === args.evaluation ? history.redaction.data(await session.progress(running)) : null;
    },
    'sessions:allowRawLisp': async (args) => {
      (await find(args)).settings.allowRawLisp();
      return null;
    },
    'sessions:allowTrustTags': async (args) => {
      await (await find(args)).settings.allowTrustTags(args.tags);
      return null;
    },
    'checkpoints:list': () => checkpoints.list(person),
    'checkpoints:save': async (args) =>
      checkpoints.save(await find(args), { client: person, grant: null }, args.name),
    'checkpoints:restore': async (args) => {
      const [session, requester] = [await find(args), { client: person, grant: null }];
      const restored = await checkpoints
        .restore(session, checkpoints.find(args, person), requester, args)
        .catch(unlessNotSaved);
      if ('unsaved' in restored) return restored;
      const { savedAs, row } = restored;
      if (row && row.outcome !== 'ok') throw notBack(row);
      return { savedAs, lost: row?.report?.proof?.lost?.length ?? 0 };
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
    'sessions:memory': async (args) => (await find(args)).ability('memory').read(SHOWN_TYPES),
    'sessions:unsaved': ({ session }) => unsavedIn(sessions.known(session, person), services.changes),
    'sessions:export': async (args) =>
      exportSession(await find(args), history.evaluations, services.saveText),
    'sessions:notebook': async (args) =>
      exportNotebook(await find(args), history.evaluations, services.saveText),
    'world:commands': async (args) => lastCommands(await find(args), args.last),
    'world:undo': async (args) => undo(await find(args), person, args),
    'world:build': async (args) => buildProof(await find(args), person.key, args),
    'world:check': async (args) => check(await find(args), person, args),
    'editor:open': (args) => services.ports[args.protocol].open(sessions.known(args.session, person).id),
    'editor:close': async (args) => ({
      threads: (await services.ports[args.protocol].stop(sessions.known(args.session, person).id)).threads,
    }),
    ...debuggerCalls(services),
    ...tapsCalls(services),
    ...traceCalls(services),
    ...thrownCalls(services),
    ...diagnosticsCalls(services),
    ...inspectorCalls(services),
    ...browseCalls(services),
    ...changesCalls(services),
    ...testCalls(services),
    ...sourceCalls(services),
    ...logCalls(services),
    'listener:open': async (args) => {
      const { transcript, view } = listeners.of(await find(args));
      return { transcript, view };
    },
    'listener:submit': async (args) => {
      void listeners.of(await find(args)).submit(args.text, args.level);
      return null;
    },
    'listener:takeBack': async (args) => listeners.of(await find(args)).undo(),
    ...historyCalls(services),
    'tokens:list': () => tokens.list(),
    'tokens:issue': ({ name, scopes }) => tokens.issue(name, scopes),
    'tokens:rotate': ({ id }) => services.rotateToken(id),
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
    'connect:preview': ({ name, action, ...options }) => connect.preview(name, action, options),
    'connect:add': ({ name, ...options }) => connect.add(name, options),
    'connect:remove': ({ name }) => connect.remove(name),
    'connect:doctor': ({ name }) => connect.diagnose(name),
    'connect:openLink': async ({ name }) => {
      await services.openLink(await connect.link(name));
      return null;
    },
    ...updateCalls(services),
    'settings:read': () => services.settings.current,
    'settings:change': services.changeSettings,
    ...sandboxCalls(services),
    ...gitCalls(),
    'window:commands': (commands) => {
      services.showCommands(commands);
      return null;
    },
    'output:begin': () => {
      services.output.begin();
      return null;
    },
    'output:taken': ({ characters }) => {
      services.output.taken(characters);
      return null;
    },
    'needs:read': () => services.needs.view,
    'needs:dismiss': ({ id }) => {
      services.calls.dismiss(id);
      return null;
    },
    'needs:dismissAppeared': ({ project, path }) => {
      services.projectWatch.dismiss(project, path);
      return null;
    },
    'projects:open': ({ folder }) => openIn(services.approveProject(folder), {}),
    'projects:choose': async () => {
      const chosen = await services.chooseProject();
      return chosen === null ? null : { project: services.approveProject(chosen) };
    },
  };
}

/** Returns the definitions that would be lost; unknown for a session that is asleep. */
async function unsavedIn(session: Session | SleepingSession, changes: SessionChanges) {
  return session instanceof Session
    ? changes.unsaved(session, { limit: SHOWN_NAMES }).catch(nothingUnsaved)
    : nothingUnsaved();
}

function unlessNotSaved(error: unknown): { unsaved: string } {
  if (error instanceof PresentNotSaved) return { unsaved: error.message };
  throw error;
}

function notBack({ id, outcome, condition }: Evaluation): HarborError {
  const why = condition?.message ?? `Evaluation ${id} was ${outcome}.`;
  return new HarborError('checkpoint_failed', `The session was not restored: ${why}`);
}
