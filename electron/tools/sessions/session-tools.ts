/**
 * The tools `open_session` and `close_session`. A session starts as a fresh image, a saved state, a server to
 * attach to, or a container.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { CheckpointName } from '../../contract/changes';
import { HarborError } from '../../contract/errors';
import { EngineName } from '../../contract/model';
import { type Note, NoteText, note, noteTexts } from '../../contract/note';
import { addressText, ServerAddress } from '../../contract/server';
import { projectServer } from '../../sandbox/named-servers';
import type { Projects } from '../../sandbox/projects';
import { SessionChanges, type SessionChangesOptions } from '../../sessions/changes/session-changes';
import type { OpenRequest } from '../../sessions/open-request';
import type { Checkpoints } from '../../sessions/recovery/checkpoints';
import { Session } from '../../sessions/session/session';
import { mayAccess, type Sessions } from '../../sessions/sessions';
import { inOneLine } from '../prover/quoted';
import type { Caller, Tool, ToolResult } from '../tool';
import type { AccessRequests } from './access-requests';
import { memoryNotes } from './memory-result';
import {
  LimitsArguments,
  LimitsResult,
  limitsResult,
  limitsText,
  requestedLimits,
  sandboxText,
} from './session-result';

export interface OpenSessionToolOptions {
  sessions: Sessions;
  checkpoints: Checkpoints;
  projects: Projects;
  accessRequests: AccessRequests;
  engines: {
    /**
     * Returns the engine of new sessions on a project.
     * @throws HarborError `engine_unavailable` if there is none
     */
    default: (project: string) => Promise<EngineName>;
  };
}

/** A server as agents give it. Its host is checked where servers are configured. */
const ServerArgument = z.strictObject(ServerAddress.omit({ portFile: true, prefix: true }).shape).extend({
  port: ServerAddress.shape.port.optional(),
  url: z.string().optional(),
  image: z.string().optional(),
});
type ServerArgument = z.output<typeof ServerArgument>;

const OpenArguments = z.strictObject({
  engine: EngineName.optional(),
  name: z.string().min(1).max(80).optional(),
  project: z.string().optional().describe('Approved by the user, or below'),
  host: z.string().optional(),
  checkpoint: CheckpointName.optional(),
  aliases: z.array(z.string()).optional().describe('Of Clojure: aliases or profiles'),
  limits: LimitsArguments.optional(),
  attach: ServerArgument.optional().describe(
    'On this computer; the user is asked, unless it is in the settings. nrepl without port: the project’s .nrepl-port; lisply: url, or image of a container',
  ),
  network: z.boolean().optional().describe('The user is asked'),
});

type OpenArguments = z.output<typeof OpenArguments>;

const OpenResult = z.object({
  session: z.string(),
  engine: z.string(),
  package: z.string(),
  project: z.string(),
  sandbox: z.string(),
  limits: LimitsResult,
  server: z.string().optional(),
  host: z.string().optional(),
  notes: z.array(NoteText),
});

export function openSessionTool(
  options: OpenSessionToolOptions,
): Tool<typeof OpenArguments, typeof OpenResult> {
  return {
    name: 'open_session',
    title: 'Open a session',
    description:
      'Starts a fresh image; returns the handle to pass as `session`: for a second engine, another project, or state that must not mix. Without it every tool uses your default session. attach: a running server instead, whose state is shared.',
    scope: 'evaluate',
    args: OpenArguments,
    result: OpenResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const request = await openRequest(args, caller, options);
      // The caller has its result by the time that another image replaces the first one.
      let answered = false;
      const onProgress = (doing: string) => answered || caller.progress?.(doing);
      const session = await options.sessions.open({ ...request, onProgress: onProgress });
      answered = true;
      return openedResult(session, args, caller, await shortage(options.sessions, caller));
    },
  };
}

/** Returns notes about memory, with those of the caller's sessions that it could end. */
async function shortage(sessions: Sessions, { client }: Caller): Promise<Note[]> {
  if (!sessions.memoryIsShort) return [];
  const memory = await sessions.memory();
  return memoryNotes(memory, await sessions.list(client), Date.now());
}

/**
 * Requests to the user come last, so that the user is not asked about a call that is refused anyway.
 * @throws HarborError `project_not_approved`, `unknown_checkpoint`, `engine_unavailable`, `bad_arguments`,
 *   `not_approved`, `paused`, `cancelled`
 */
async function openRequest(
  args: OpenArguments,
  caller: Caller,
  { projects, accessRequests, ...options }: OpenSessionToolOptions,
): Promise<OpenRequest> {
  const { project: requested, name, limits, attach, aliases, host } = args;
  const project = requested === undefined ? caller.project : projects.resolve(requested, caller.project);
  const named = {
    client: caller.client.key,
    project,
    ...(name === undefined ? {} : { name }),
    ...(host === undefined ? {} : { host }),
    ...(aliases?.length ? { aliases: aliases.map(aliasName) } : {}),
    ...(limits === undefined ? {} : { limits: requestedLimits(limits) }),
  };
  if (host !== undefined && (attach !== undefined || args.checkpoint !== undefined || args.network))
    throw new HarborError(
      'bad_arguments',
      'A session on a host starts afresh and without a network: leave out attach, checkpoint and network.',
    );
  if (attach?.image !== undefined) {
    requireContainerAlone(args, attach);
    return { ...named, engine: 'lisply', container: await accessRequests.container(attach.image, caller) };
  }
  if (attach !== undefined) {
    const server = await serverAlone(args, attach, project);
    return { ...named, server, serverAllowed: await accessRequests.server(server, caller) };
  }
  const begun = { ...named, ...(await beginning(args, project, caller, options)) };
  if (!args.network) return begun;
  const { engine = await options.engines.default(project) } = begun;
  return { ...begun, engine, network: await accessRequests.network({ ...begun, engine }, caller) };
}

/** @throws HarborError `bad_arguments` */
function aliasName(written: string): string {
  const name = written.replace(/^:/, '');
  if (/^[\w.*!?<>=/-]+$/.test(name)) return name;
  throw new HarborError('bad_arguments', `${written} is no name of an alias. Write :test or test.`);
}

/** @throws HarborError `unknown_checkpoint`, `engine_unavailable` */
async function beginning(
  { engine, checkpoint }: OpenArguments,
  project: string,
  caller: Caller,
  { checkpoints }: Pick<OpenSessionToolOptions, 'checkpoints'>,
): Promise<Pick<OpenRequest, 'engine' | 'from'>> {
  const wanted = engine ?? caller.engine;
  if (checkpoint === undefined) return wanted === undefined ? {} : { engine: wanted };
  const found = checkpoints.find({ name: checkpoint, project }, caller.client);
  return { engine: found.engine, from: checkpoints.origin(found) };
}

/** @throws HarborError `bad_arguments` */
function requireContainerAlone(
  { engine, checkpoint, network }: OpenArguments,
  { kind, port, url }: ServerArgument,
): void {
  const others = [checkpoint, port, url, network].filter((each) => each !== undefined);
  if (kind === 'lisply' && others.length === 0 && (engine === undefined || engine === kind)) return;
  throw new HarborError('bad_arguments', 'image names a container and is valid only with kind lisply.');
}

/**
 * @throws HarborError `bad_arguments` if a different engine, state or network is requested with the server
 */
async function serverAlone(
  { engine, checkpoint, network }: OpenArguments,
  attach: ServerArgument,
  project: string,
): Promise<ServerAddress> {
  if (checkpoint !== undefined)
    throw new HarborError('bad_arguments', 'A server continues from its own state; leave checkpoint out.');
  if (engine !== undefined && engine !== attach.kind)
    throw new HarborError('bad_arguments', `A ${attach.kind} server is not ${engine}; leave engine out.`);
  if (network !== undefined)
    throw new HarborError(
      'bad_arguments',
      'A server has the network it was started with; leave network out.',
    );
  const { port, url, kind, host } = attach;
  if (url !== undefined) {
    if (kind === 'lisply' && port === undefined) return lisplyAddress(url);
    throw new HarborError(
      'bad_arguments',
      'A url gives the address and port of a lisply backend; leave host and port out.',
    );
  }
  if (port !== undefined) return { kind, host, port };
  if (attach.kind === 'nrepl') return projectServer(project);
  throw new HarborError('bad_arguments', `Give the port of the ${attach.kind} server.`);
}

/**
 * Returns the result. Limits, project and sandbox are included if they were requested or are not the usual
 * ones.
 */
function openedResult(
  session: Session,
  requested: OpenArguments,
  { conversation, project: usual }: Caller,
  shortage: readonly Note[],
): ToolResult<z.input<typeof OpenResult>> {
  const { id, engine, package: packageName, project, sandbox, limits, server, host } = session.view();
  const { introduction = [] } = session.image;
  conversation.reportOnce(id, 'session', id);
  conversation.reportOnce(id, 'package', packageName);
  const structured = {
    session: id,
    engine,
    package: packageName,
    project,
    sandbox: sandboxText(sandbox),
    limits: limitsResult(limits),
    ...(server ? { server: addressText(server) } : {}),
    ...(host === undefined ? {} : { host }),
    notes: [...introduction, ...shortage],
  };
  const facts = [
    `Opened ${id}`,
    ...(server ? [addressText(server)] : []),
    ...(host === undefined ? [] : [`on ${host}`]),
    `package ${packageName}`,
    ...(project === usual ? [] : [`project ${project}`]),
    ...(sandbox.confined && !sandbox.network ? [] : [structured.sandbox]),
    ...(requested.limits ? [limitsText(structured.limits)] : []),
  ];
  return {
    structured,
    text: inOneLine(facts.join(' · ')),
    notes: structured.notes,
    statesSandbox: true,
    isError: false,
  };
}

const CloseArguments = z.strictObject({ session: z.string() });
const CloseResult = z.object({ session: z.string(), closed: z.boolean(), notes: z.array(NoteText) });

const WAS_ASLEEP = note('asleep', 'It was asleep. The history has the code of all its evaluations.');

export function closeSessionTool({
  sessions,
  ...rest
}: SessionChangesOptions & { sessions: Sessions }): Tool<typeof CloseArguments, typeof CloseResult> {
  return {
    name: 'close_session',
    title: 'Close a session',
    description: 'Ends the session and its image, and returns the definitions that no file has.',
    scope: 'evaluate',
    approval: 'kill',
    args: CloseArguments,
    result: CloseResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const session = sessions.known(args.session, caller.client);
      if (!mayAccess(caller.client, session.identity))
        throw new HarborError(
          'not_approved',
          `Session ${session.id} runs the application of its project. The user stops it in the window.`,
        );
      const isAwake = session instanceof Session;
      const unsaved = isAwake ? await unsavedNotes(session, new SessionChanges(rest)) : [WAS_ASLEEP];
      const interrupted = isAwake ? session.running : null;
      // It is unknown whether the server of a lost or sleeping session still runs.
      const server = isAwake && session.state !== 'lost' ? session.identity.server : undefined;
      await sessions.close(session);
      const notes = [
        ...(interrupted
          ? [note('stopped_by', `Evaluation ${interrupted.id} was running and has been interrupted.`)]
          : []),
        ...unsaved,
        ...(server
          ? [
              note(
                'server_runs',
                `The server at ${addressText(server)} continues to run, with everything that was defined in it.`,
              ),
            ]
          : []),
      ];
      const text = [`Closed ${args.session}.`, ...noteTexts(notes).map(inOneLine)].join(' ');
      return { structured: { session: args.session, closed: true, notes }, text, isError: false };
    },
  };
}

/** Maximum number of names in the note. */
const SHOWN = 20;

/** Milliseconds to wait for the image, which may be stuck. */
const UNSAVED_TIMEOUT_MS = 4_000;

const UNKNOWN_UNSAVED = note(
  'unsaved',
  'The image did not report which definitions are in no file. The history has the code of all evaluations.',
);

/**
 * Returns a note about definitions that would be lost with the session; none if there are none or the image
 * cannot tell.
 */
export async function unsavedNotes(
  session: Session,
  changes: Pick<SessionChanges, 'unsaved'>,
): Promise<Note[]> {
  const late = delay(UNSAVED_TIMEOUT_MS, 'late' as const, { ref: false });
  const found = await Promise.race([changes.unsaved(session, { limit: SHOWN }).catch(() => null), late]);
  if (found === 'late') return [UNKNOWN_UNSAVED];
  if (!found || found.total === 0) return [];
  const names = found.results.map(({ kind, text }) => `${text} (${kind})`);
  const rest = found.total > names.length ? ` and ${found.total - names.length} more` : '';
  return [
    note(
      'unsaved',
      `Defined by evaluation and in no file: ${names.join(', ')}${rest}. The history has the code; search it by name.`,
    ),
  ];
}

// The address of a Lisply backend, as users write it.

const DEFAULT_PORT = 80;

/**
 * @param text such as http://127.0.0.1:9081/lisply
 * @throws HarborError `bad_arguments`
 */
function lisplyAddress(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const prefix = url?.pathname.replaceAll(/^\/|\/$/g, '');
  const address = ServerAddress.safeParse({
    kind: 'lisply',
    host: url?.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url?.port ? Number(url.port) : DEFAULT_PORT,
    ...(prefix ? { prefix } : {}),
  });
  if (url?.protocol === 'http:' && url.search === '' && address.success) return address.data;
  throw new HarborError(
    'bad_arguments',
    `${text} is not an address of a Lisply backend: give one such as http://127.0.0.1:9081/lisply.`,
  );
}
