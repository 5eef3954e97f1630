/** What the window may ask: every call of the contract and the service that answers it. */
import type { ParsedArgs } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import { arglist, completions } from '../sessions/completions';
import { nothingUnsaved, unsavedDefinitions } from '../sessions/export/session-source';
import { buildProof } from '../sessions/proof-building';
import type { SleepingSession } from '../sessions/recovery/sleeping-session';
import { Session } from '../sessions/session/session';
import type { CallHandlers } from './answer';
import { attachServer, startContainer } from './attach-calls';
import { browseCalls } from './browse-calls';
import { changesCalls } from './changes-calls';
import { debuggerCalls } from './debugger-calls';
import { diagnosticsCalls } from './diagnostics-calls';
import { exportNotebook, exportSession } from './export-session';
import { historyCalls } from './history-calls';
import { inspectorCalls } from './inspector-calls';
import { logCalls } from './log-calls';
import { sandboxCalls } from './sandbox-calls';
import { tapsCalls } from './taps-calls';
import { thrownCalls } from './thrown-calls';
import { updateCalls } from './update-calls';
import type { WindowServices } from './window-services';
import { check, lastCommands, undo } from './world-calls';

/** How many types of object the window shows of a session's memory, and how many unsaved definitions it names. */
const SHOWN_TYPES = 40;
const SHOWN_NAMES = 12;

export function windowCalls(services: WindowServices): CallHandlers {
  const { person, sessions, checkpoints, listeners, history, tokens, clientProfiles, connect } = services;
  const find = ({ session }: { session: string }) => sessions.find(session, person);
  const openIn = async (project: string, { engine, name }: ParsedArgs<'sessions:open'>) => {
    const session = await sessions.open({
      client: person.key,
      project,
      ...(engine === undefined ? {} : { engine }),
      ...(name === undefined ? {} : { name }),
      tell: (doing) => void sessions.events.emit('opening', doing),
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
      // Ctrl+C at the prompt drops the form that was begun.
      if (!interrupted) listeners.of(session).cancel();
      return { interrupted };
    },
    'sessions:stop': async (args) => {
      const session = await find(args);
      const evaluation = session.pending(args.evaluation);
      const stop = args.byForce ? session.force : session.cancel;
      return { stopped: evaluation !== null && (await stop.call(session, evaluation, person.key)) };
    },
    'sessions:restart': async (args) => {
      const session = await find(args);
      const again = session.startAgain(person.key, 'a person restarted it');
      if (session.running) void session.force(session.running, person.key);
      await again;
      return null;
    },
    'sessions:name': async (args) => {
      (await find(args)).choices.call(args.name, args.note);
      return null;
    },
    'sessions:complete': async (args) => completions(await find(args), args.prefix),
    'sessions:arglist': async (args) => ({ arglist: await arglist(await find(args), args.operator) }),
    'sessions:hold': async (args) => {
      (await find(args)).choices.hold(args.hold);
      return null;
    },
    'sessions:progress': async (args) => {
      const session = await find(args);
      const { running } = session;
      return running?.id === args.evaluation ? history.redaction.data(await session.progress(running)) : null;
    },
    'sessions:allowRawLisp': async (args) => {
      (await find(args)).choices.allowRawLisp();
      return null;
    },
    'sessions:allowTrustTags': async (args) => {
      await (await find(args)).choices.allowTrustTags(args.tags);
      return null;
    },
    'checkpoints:list': () => checkpoints.list(person),
    'checkpoints:save': async (args) => checkpoints.save(await find(args), person, args.name),
    'checkpoints:restore': async (args) => {
      const { kept, row } = await checkpoints.restore(
        await find(args),
        checkpoints.find(args, person),
        person,
      );
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
    'sessions:memory': async (args) => (await find(args)).ability('memory').read(SHOWN_TYPES),
    'sessions:unsaved': ({ session }) => unsavedIn(sessions.known(session, person)),
    'sessions:export': async (args) =>
      exportSession(await find(args), history.evaluations, services.saveText),
    'sessions:notebook': async (args) =>
      exportNotebook(await find(args), history.evaluations, services.saveText),
    'world:commands': async (args) => lastCommands(await find(args), args.last),
    'world:undo': async (args) => undo(await find(args), person, args),
    'world:build': async (args) => buildProof(await find(args), person.key, args),
    'world:check': async (args) => check(await find(args), person, args),
    'swank:start': ({ session }) => services.swank.start(sessions.known(session, person).id),
    'swank:stop': async (args) => ({
      threads: await services.swank.stop(sessions.known(args.session, person).id),
    }),
    ...debuggerCalls(services),
    ...tapsCalls(services),
    ...thrownCalls(services),
    ...diagnosticsCalls(services),
    ...inspectorCalls(services),
    ...browseCalls(services),
    ...changesCalls(services),
    ...logCalls(services),
    'listener:open': async (args) => {
      const { transcript, view } = listeners.of(await find(args));
      return { transcript, view };
    },
    'listener:submit': async (args) => {
      void listeners.of(await find(args)).submit(args.text, args.level);
      return null;
    },
    'listener:takeBack': async (args) => listeners.of(await find(args)).takeBack(),
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
    'connect:preview': ({ name, action, ...asked }) => connect.preview(name, action, asked),
    'connect:add': ({ name, ...asked }) => connect.add(name, asked),
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
    'projects:open': ({ folder }) => openIn(services.approveProject(folder), {}),
    'projects:choose': async () => {
      const chosen = await services.chooseProject();
      return chosen === null ? null : { project: services.approveProject(chosen) };
    },
  };
}

/** What ending the session would lose; of one that is asleep nobody can tell. */
async function unsavedIn(session: Session | SleepingSession) {
  return session instanceof Session
    ? unsavedDefinitions(session, { limit: SHOWN_NAMES }).catch(nothingUnsaved)
    : nothingUnsaved();
}

function notBack({ id, outcome, condition }: Evaluation): HarborError {
  const why = condition?.message ?? `Evaluation ${id} was ${outcome}.`;
  return new HarborError('checkpoint_failed', `The session did not go back: ${why}`);
}
