/**
 * Access of sessions beyond their folders: a server, a container, the network. What the user has not allowed
 * beforehand is requested in the window, for one session.
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

import { type NamedContainers, type NamedServers, unnamed, wayToName } from '../../sandbox/named-servers';

import type { Caller } from '../tool';

export interface AccessRequestsOptions {
  approver: Approver;
  servers: NamedServers;
  containers: NamedContainers;
  /** Whether images of the project have network access by a setting. */
  hasNetwork: (project: string) => boolean;
  /** Names everything that code with network access can connect to. */
  networkReach: () => string;
}

/** The caller. Without a signal no call waits for the answer. */
export type AccessRequester = Pick<Caller, 'client' | 'tool'> & Partial<Pick<Caller, 'signal'>>;

export class AccessRequests {
  readonly #options: AccessRequestsOptions;

  constructor(options: AccessRequestsOptions) {
    this.#options = options;
  }

  /**
   * Requests a server for one session. Returns false if a setting names it.
   * @param unlessRuled the answer if no user rule applies
   * @throws HarborError `not_approved`, `paused`, `cancelled`, `engine_unavailable`
   */
  async server(
    server: ServerAddress,
    asker: AccessRequester,
    unlessRuled: ApprovalAnswer = 'ask',
  ): Promise<boolean> {
    const { approver, servers } = this.#options;
    if (await servers.has(server)) return false;
    await approver.require({
      ...callOf(asker),
      class: 'attach',
      unlessRuled,
      code: serverText(server),
      explanation: {
        wish: 'attach',
        meaning: phrase`${unnamed(server)} Code runs there with all rights of this server, without a sandbox of Lisp Harbor.`,
      },
      otherwise: `Or just this server: ${wayToName(server)}`,
      always: () => servers.add(server),
    });
    return true;
  }

  /**
   * Returns the container of the image: as configured by the user, or without any folder of this computer.
   * @throws HarborError `bad_arguments`, `not_approved`, `paused`, `cancelled`
   */
  async container(image: string, asker: AccessRequester): Promise<Container> {
    const { approver, containers } = this.#options;
    const named = containers.find(image);
    if (named) return named;
    const container = plainContainer(image);
    await approver.require({
      ...callOf(asker),
      class: 'attach',
      code: image,
      explanation: {
        wish: 'container',
        meaning: phrase`The container image ${image} is not configured. It is downloaded if it is missing, has network access, and sees no folder of this computer.`,
      },
      otherwise: `Or just this container: the user adds it in the window (Sessions, Attach…), or under "containers" in settings.json: ${JSON.stringify({ image, mounts: [] })}.`,
      always: () => containers.add(container),
    });
    return container;
  }

  /**
   * Requests network access for one session. Returns false if its project has it by a setting.
   * @throws HarborError `not_approved`, `paused`, `cancelled`
   */
  async network(wanted: { project: string; engine: EngineName }, asker: AccessRequester): Promise<boolean> {
    const { approver, hasNetwork, networkReach } = this.#options;
    const { project, engine } = wanted;
    if (hasNetwork(project)) return false;
    await approver.require({
      ...callOf(asker),
      class: 'network',
      code: `engine: ${engine}\nproject: ${visibleLine(project)}`,
      explanation: {
        wish: 'network',
        meaning: [
          `Images of this project have no network access. With it, code in this session can connect to ${networkReach()}, until the session ends.`,
        ],
      },
      otherwise: `Or every image of this project: in the window under Sandbox, or under "networkProjects" in settings.json: ${JSON.stringify([project])}. Without \`network\`, the session opens as usual.`,
    });
    return true;
  }
}

function callOf({
  client,
  tool,
  signal,
}: AccessRequester): Pick<Act, 'client' | 'tool' | 'signal' | 'unbidden'> {
  return { client: client.key, tool, ...(signal ? { signal } : { unbidden: true }) };
}

/** Returns `swank 127.0.0.1:4005`, `lisply 127.0.0.1:9081/gendl`. */
function serverText({ kind, prefix, ...address }: ServerAddress): string {
  return `${kind} ${addressText(address)}${prefix === undefined ? '' : `/${prefix}`}`;
}

function plainContainer(image: string): Container {
  const { data } = ContainerSchema.safeParse({ image });
  if (data) return data;
  throw new HarborError(
    'bad_arguments',
    `${JSON.stringify(image)} is not a valid name of a container image.`,
  );
}
