/**
 * What sessions reach beyond their folders: a server, a container, the network. What no person has allowed beforehand
 * is asked of one, in the window, for the one session that wants it.
 */
import type { Act, ApprovalAnswer, Approver } from '../../contract/approvals';
import { HarborError } from '../../contract/errors';
import type { EngineName } from '../../contract/model';
import { phrase } from '../../contract/phrase';
import {
  addressText,
  type Container,
  Container as ContainerSchema,
  type ServerAddress,
} from '../../contract/server';
import { visibleLine } from '../../contract/visible-text';
import type { NamedContainers } from '../../sandbox/named-containers';
import { type NamedServers, unnamed, wayToName } from '../../sandbox/named-servers';
import type { Caller } from '../tool';

export interface AccessRequestsOptions {
  approver: Approver;
  servers: NamedServers;
  containers: NamedContainers;
  /** Whether images of the project reach the network without anybody's word. */
  hasNetwork: (project: string) => boolean;
}

/** Who wants it; without a signal nobody waits for the answer. */
export type Asker = Pick<Caller, 'client' | 'tool'> & Partial<Pick<Caller, 'signal'>>;

export class AccessRequests {
  readonly #options: AccessRequestsOptions;

  constructor(options: AccessRequestsOptions) {
    this.#options = options;
  }

  /** Whether a person has allowed the server to this one session; false where it is named anyway.
   * @param unlessRuled what holds where no rule of a person speaks of it
   * @throws HarborError `not_approved`, `paused`, `cancelled`, `engine_unavailable` */
  async server(server: ServerAddress, asker: Asker, unlessRuled: ApprovalAnswer = 'ask'): Promise<boolean> {
    const { approver, servers } = this.#options;
    if (await servers.has(server)) return false;
    await approver.require({
      ...callOf(asker),
      class: 'attach',
      unlessRuled,
      code: serverText(server),
      told: {
        wish: 'attach',
        meaning: phrase`${unnamed(server)} Code runs there with all that this server may do, in no sandbox of Lisp Harbor.`,
      },
      otherwise: `Or just this server: ${wayToName(server)}`,
      always: () => servers.add(server),
    });
    return true;
  }

  /** The container of that image: as a person named it, or without any folder of this computer.
   * @throws HarborError `bad_arguments`, `not_approved`, `paused`, `cancelled` */
  async container(image: string, asker: Asker): Promise<Container> {
    const { approver, containers } = this.#options;
    const named = containers.find(image);
    if (named) return named;
    const container = plainContainer(image);
    await approver.require({
      ...callOf(asker),
      class: 'attach',
      code: image,
      told: {
        wish: 'container',
        meaning: phrase`No person has named the container image ${image}. It is fetched where it is not here yet, has a network, and sees no folder of this computer.`,
      },
      otherwise: `Or just this container: a person names it in the window (Sessions, Attach…), or under "containers" in settings.json: ${JSON.stringify({ image, mounts: [] })}.`,
      always: () => containers.add(container),
    });
    return container;
  }

  /** Whether a person has allowed network connections to this one session; false where its project has them anyway.
   * @throws HarborError `not_approved`, `paused`, `cancelled` */
  async network(wanted: { project: string; engine: EngineName }, asker: Asker): Promise<boolean> {
    const { approver, hasNetwork } = this.#options;
    const { project, engine } = wanted;
    if (hasNetwork(project)) return false;
    await approver.require({
      ...callOf(asker),
      class: 'network',
      code: `engine: ${engine}\nproject: ${visibleLine(project)}`,
      told: {
        wish: 'network',
        meaning: phrase`Images of this project have no network. With one, code in this session can connect to all that this computer reaches, to servers on it as well, until the session ends.`,
      },
      otherwise: `Or every image of this project: in the window under Sandbox, or under "networkProjects" in settings.json: ${JSON.stringify([project])}. Without \`network\`, the session opens as usual.`,
    });
    return true;
  }
}

function callOf({ client, tool, signal }: Asker): Pick<Act, 'client' | 'tool' | 'signal' | 'unbidden'> {
  return { client: client.key, tool, ...(signal ? { signal } : { unbidden: true }) };
}

/** `swank 127.0.0.1:4005`, `lisply 127.0.0.1:9081/gendl`. */
function serverText({ kind, prefix, ...address }: ServerAddress): string {
  return `${kind} ${addressText(address)}${prefix === undefined ? '' : `/${prefix}`}`;
}

function plainContainer(image: string): Container {
  const { data } = ContainerSchema.safeParse({ image });
  if (data) return data;
  throw new HarborError('bad_arguments', `${JSON.stringify(image)} is no name of a container image.`);
}
