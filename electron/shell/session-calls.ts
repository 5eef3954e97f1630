/**
 * Window calls that attach sessions to servers and containers, change the logical world, show a session's
 * changes, and edit source files.
 */
import type { ParsedArgs, Result } from '../contract/contract';
import type { Client, SessionView } from '../contract/model';
import { type Container, isSameServer, type ServerAddress } from '../contract/server';
import type { WorldCommands } from '../contract/world';
import { finalCheckOf } from '../sessions/export/final-check';
import { Session } from '../sessions/session/session';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type Services = Pick<WindowServices, 'sessions' | 'person' | 'project' | 'settings'>;

/**
 * Attaches a session to a server and adds the server to the settings, so that agents may use it too.
 * @throws HarborError as `Sessions.open` does; the server is then not added
 */
export async function attachServer(services: Services, server: ServerAddress): Promise<SessionView> {
  const { sessions, person, project, settings } = services;
  const known = settings.current.servers.some((each) => isSameServer(each, server));
  if (!known) settings.change(({ servers }) => ({ servers: [...servers, server] }));
  try {
    const session = await sessions.open({ client: person.key, project: project(), server });
    return session.view();
  } catch (error) {
    const others = (named: ServerAddress[]) => named.filter((each) => !isSameServer(each, server));
    if (!known) settings.change(({ servers }) => ({ servers: others(servers) }));
    throw error;
  }
}

/**
 * Starts a session in a container and adds the container to the settings, so that agents may use it too.
 * @throws HarborError as `Sessions.open` does; the container is then not added
 */
export async function startContainer(services: Services, container: Container): Promise<SessionView> {
  const { sessions, person, project, settings } = services;
  const onProgress = (doing: string) => void sessions.events.emit('opening', doing);
  const session = await sessions.open({
    client: person.key,
    project: project(),
    engine: 'lisply',
    container,
    onProgress: onProgress,
  });
  settings.change(({ containers }) => ({
    containers: [...containers.filter(({ image }) => image !== container.image), container],
  }));
  return session.view();
}

/**
 * Returns the last commands of the world, at most `most`, oldest first.
 * @throws HarborError `not_supported`, `session_ended`, and as the image does
 */
export async function lastCommands(session: Session, most: number): Promise<WorldCommands> {
  const world = session.ability('world');
  // Numbers do not always start at 1; the image has the first one.
  const { commands, total } = await world.commands({ limit: 1 });
  const [first] = commands;
  if (!first || total === 1) return { commands, total };
  return world.commands({ from: first.number + Math.max(0, total - most), limit: most });
}

/** Starts a final check as an evaluation in the history. */
export async function check(
  session: Session,
  person: Client,
  { claim }: ParsedArgs<'world:check'>,
): Promise<Result<'world:check'>> {
  const request = await finalCheckOf(session, claim === null ? {} : { claim });
  return { evaluation: session.evaluate({ client: person.key, grant: null, kind: 'test', ...request }).id };
}

/** Undoes commands by an evaluation in the history. */
export async function undo(
  session: Session,
  person: Client,
  { command, alone }: ParsedArgs<'world:undo'>,
): Promise<Result<'world:undo'>> {
  const world = session.ability('world');
  const code = alone ? world.undoOneCode(command) : world.undoCode(command);
  const row = await session.evaluate({ client: person.key, grant: null, kind: 'eval', code }).settled;
  return {
    evaluation: row.id,
    outcome: row.outcome,
    problem: row.condition?.message ?? null,
    lost: row.report?.proof?.lost ?? [],
  };
}

type ChangesCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `changes:${string}`>>;

export function changesCalls({ person, sessions, changes, written }: WindowServices): ChangesCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  return {
    'changes:view': async ({ since, ...args }) => changes.view(await find(args), since),
    'changes:inFile': async ({ path, ...args }) => changes.inFile(await find(args), path),
    'changes:write': async ({ path, definitions, over, ...args }) => ({
      path: await written.definitions(await find(args), path, definitions, over ?? undefined),
    }),
    'changes:load': async ({ since, key, ...args }) =>
      changes.loadFromFile(await find(args), { since, key }, person),
    'changes:revert': async ({ since, key, ...args }) =>
      changes.revert(await find(args), { since, key }, person),
    'changes:revertFile': async ({ path, earlierContent, hash, ...args }) => {
      const session = await find(args);
      if (earlierContent === null) await written.remove(session, path, hash);
      else await written.restore(session, path, earlierContent, hash);
      return null;
    },
  };
}

type SourceCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `source:${string}`>>;

export function sourceCalls({ person, sessions, project, sources, settings }: WindowServices): SourceCalls {
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  const known = (session: string | null) => (session === null ? null : sessions.known(session, person));
  const projectOf = (session: string | null) => known(session)?.identity.project ?? project();
  return {
    'source:folder': ({ session, path }) => sources.folder(projectOf(session), path),
    'source:groups': ({ session }) => sources.groups(projectOf(session)),
    'source:read': ({ session, path }) => sources.read(projectOf(session), path),
    'source:write': ({ session, ...file }) =>
      sources.write({ project: projectOf(session), session: session ?? undefined }, file),
    'source:versions': ({ session, path }) => {
      const found = known(session);
      return sources.versions(projectOf(session), path, found instanceof Session ? found : null);
    },
    'source:find': ({ session, name }) => sources.find(projectOf(session), name),
    'source:compile': async (args) => sources.compile(await find(args), args),
    'source:load': async (args) => sources.load(await find(args), args.path),
    'source:edit': async ({ session, path, line }) => {
      await sources.edit(projectOf(session), path, line, settings.current.editor);
      return null;
    },
    'source:expand': async (args) => sources.expand(await find(args), args, args.extent),
  };
}
