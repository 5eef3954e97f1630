/** The tool `open_session`: a fresh image, a saved state, a server to attach to, or a container to start. */
import { z } from 'zod';
import { CheckpointName } from '../../contract/checkpoints';
import { HarborError } from '../../contract/errors';
import { EngineName } from '../../contract/model';
import { addressText, ServerAddress } from '../../contract/server';
import { projectServer } from '../../sandbox/port-files';
import type { Projects } from '../../sandbox/projects';
import type { OpenRequest } from '../../sessions/open-request';
import type { Checkpoints } from '../../sessions/recovery/checkpoints';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { closingLines } from '../closing-lines';
import type { Caller, Tool, ToolResult } from '../tool';
import type { AccessRequests } from './access-requests';
import { askedLimits, LimitsArguments, LimitsResult, limitsResult, limitsText } from './limits-result';
import { lisplyAddress } from './lisply-url';
import { memoryNotes } from './memory-advice';
import { sandboxText } from './session-result';

export interface OpenSessionToolOptions {
  sessions: Sessions;
  checkpoints: Checkpoints;
  projects: Projects;
  accessRequests: AccessRequests;
  engines: {
    /** @throws HarborError `engine_unavailable` when there is none */
    default: () => Promise<EngineName>;
  };
}

/** As agents give it; a host is checked where servers are named. */
const ServerArgument = z.strictObject(ServerAddress.omit({ portFile: true, prefix: true }).shape).extend({
  port: ServerAddress.shape.port.optional(),
  url: z.string().optional(),
  image: z.string().optional(),
});
type ServerArgument = z.output<typeof ServerArgument>;

const OpenArguments = z.strictObject({
  engine: EngineName.optional().describe('Omitted: the default engine'),
  name: z.string().min(1).max(80).optional(),
  project: z.string().optional().describe('Approved by a person, or below; may be relative'),
  checkpoint: CheckpointName.optional().describe('Begin with this saved state of the project'),
  limits: LimitsArguments.optional(),
  attach: ServerArgument.optional().describe(
    'On this computer; a person is asked, unless they named it. nrepl without port: the project’s .nrepl-port; lisply: by url, or image of a container to start',
  ),
  network: z.boolean().optional().describe('A person is asked, unless the project has one'),
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
  notes: z.array(z.string()),
});

export function openSessionTool(
  options: OpenSessionToolOptions,
): Tool<typeof OpenArguments, typeof OpenResult> {
  return {
    name: 'open_session',
    title: 'Open a session',
    description:
      'Starts a fresh image and answers the handle to pass as `session`: for a second engine, another project, or state that must not mix. Without it every tool uses your default session. attach: a running Swank, nREPL or Lisply server instead, whose state is shared.',
    scope: 'evaluate',
    args: OpenArguments,
    result: OpenResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const request = await openRequest(args, caller, options);
      // Whoever opened it has an answer by the time that another image takes the first one's place.
      let answered = false;
      const tell = (doing: string) => answered || caller.progress?.(doing);
      const session = await options.sessions.open({ ...request, tell });
      answered = true;
      return openedResult(session, args, caller, await shortage(options.sessions, caller));
    },
  };
}

/** What a caller has to know of memory, with those of its sessions that it could end. */
async function shortage(sessions: Sessions, { client }: Caller): Promise<string[]> {
  if (!sessions.memoryIsShort) return [];
  const memory = await sessions.memory();
  return memoryNotes(memory, await sessions.list(client), Date.now());
}

/** Where a person has to be asked, that comes last: nobody is asked about what is refused anyway.
 * @throws HarborError `project_not_approved`, `unknown_checkpoint`, `engine_unavailable`, `bad_arguments`,
 * `not_approved`, `paused`, `cancelled` */
async function openRequest(
  args: OpenArguments,
  caller: Caller,
  { projects, accessRequests, ...options }: OpenSessionToolOptions,
): Promise<OpenRequest> {
  const { project: asked, name, limits, attach } = args;
  const project = asked === undefined ? caller.project : projects.resolve(asked, caller.project);
  const named = {
    client: caller.client.key,
    project,
    ...(name === undefined ? {} : { name }),
    ...(limits === undefined ? {} : { limits: askedLimits(limits) }),
  };
  if (attach?.image !== undefined) {
    requireContainerAlone(args, attach);
    return { ...named, engine: 'lisply', container: await accessRequests.container(attach.image, caller) };
  }
  if (attach !== undefined) {
    const server = await serverAlone(args, attach, project);
    return { ...named, server, serverAllowed: await accessRequests.server(server, caller) };
  }
  const begun = { ...named, ...(await beginning(args, project, caller, options)) };
  return args.network ? { ...begun, network: await accessRequests.network(begun, caller) } : begun;
}

/** @throws HarborError `unknown_checkpoint`, `engine_unavailable` */
async function beginning(
  { engine, checkpoint }: OpenArguments,
  project: string,
  caller: Caller,
  { checkpoints, engines }: Pick<OpenSessionToolOptions, 'checkpoints' | 'engines'>,
): Promise<{ engine: EngineName } & Pick<OpenRequest, 'from'>> {
  if (checkpoint === undefined) return { engine: engine ?? caller.engine ?? (await engines.default()) };
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
  throw new HarborError('bad_arguments', 'An image names a container of kind lisply, and nothing else does.');
}

/** @throws HarborError `bad_arguments` when an image is asked for beside the server, that is another one */
async function serverAlone(
  { engine, checkpoint, network }: OpenArguments,
  attach: ServerArgument,
  project: string,
): Promise<ServerAddress> {
  if (checkpoint !== undefined)
    throw new HarborError('bad_arguments', 'A server goes on from its own state; leave checkpoint out.');
  if (engine !== undefined && engine !== attach.kind)
    throw new HarborError('bad_arguments', `A ${attach.kind} server is no ${engine}; leave engine out.`);
  if (network !== undefined)
    throw new HarborError(
      'bad_arguments',
      'A server has the network it was started with; leave network out.',
    );
  const { port, url, kind, host } = attach;
  if (url !== undefined) {
    if (kind === 'lisply' && port === undefined) return lisplyAddress(url);
    throw new HarborError('bad_arguments', 'A url names a lisply backend, port and all.');
  }
  if (port !== undefined) return { kind, host, port };
  if (attach.kind === 'nrepl') return projectServer(project);
  throw new HarborError('bad_arguments', `Give the port of the ${attach.kind} server.`);
}

/** Limits, the project and the sandbox are told where they were asked for, or are not as they always are. */
function openedResult(
  session: Session,
  asked: OpenArguments,
  { told, project: usual }: Caller,
  shortage: readonly string[],
): ToolResult<z.infer<typeof OpenResult>> {
  const { id, engine, package: packageName, project, sandbox, limits, server } = session.view();
  const { introduction } = session.image;
  told.isNews(id, 'session', id);
  told.isNews(id, 'package', packageName);
  const structured = {
    session: id,
    engine,
    package: packageName,
    project,
    sandbox: sandboxText(sandbox),
    limits: limitsResult(limits),
    ...(server ? { server: addressText(server) } : {}),
    notes: [...(introduction === undefined ? [] : [introduction]), ...shortage],
  };
  const facts = [
    `Opened ${id}`,
    ...(server ? [addressText(server)] : []),
    `package ${packageName}`,
    ...(project === usual ? [] : [`project ${project}`]),
    ...(sandbox.confined && !sandbox.network ? [] : [structured.sandbox]),
    ...(asked.limits ? [limitsText(structured.limits)] : []),
  ];
  return {
    structured,
    text: [facts.join(' · '), ...closingLines([], structured.notes)].join('\n'),
    isError: false,
  };
}
