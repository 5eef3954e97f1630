/** Starts the images of sessions, each confined to what its project may touch at that moment, and connects to servers. */
import { HarborError } from '../contract/errors';
import type { Limits } from '../contract/memory';
import type { ServerAddress } from '../contract/server';
import type { Engine, Image } from '../images/image';
import { StartsUnderWay } from '../images/starts-under-way';
import type { ImagePlan } from '../images/warm-image';
import type { Launcher } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import type { LibraryFolders } from './library-folders';
import type { OpenRequest } from './open-request';
import type { SessionIdentity } from './session/evaluation-request';
import type { FoldersOfSession, SessionFolders } from './session-folders';

/** What of a request for a session its image is made of. */
export type ImageRequest = Pick<OpenRequest, 'project' | 'package' | 'container' | 'network' | 'tell'>;

/** What of it decides on the confinement. */
type ConfinedRequest = Pick<ImageRequest, 'project' | 'network'>;

/** The plan of an image, and what it will be confined to. */
export interface ConfinedPlan extends ImagePlan {
  asked: ConfinedRequest;
  confinement: Confinement;
}

/** The server to be connected with, and whether a person has allowed just that. */
export interface AttachRequest extends ImageRequest {
  server: ServerAddress;
  serverAllowed?: boolean;
}

export interface ImageStartsOptions {
  launcher: Launcher;
  folders: SessionFolders;
  /** Where libraries are fetched to. */
  libraries?: LibraryFolders;
  /** What images of a project are confined to, beside the folders of their sessions. Asked before each start. */
  confine: (project: string) => Confinement;
  /** Asked before each start of an image. @throws HarborError `project_not_approved` when the project has moved */
  checkProject: (project: string) => void;
  /** Asked before each connection to a server: where it is by now.
   * @param isAllowed a person has allowed it to the session
   * @throws HarborError `not_approved` when nobody has named it, `engine_unavailable` */
  locateServer: (server: ServerAddress, isAllowed: boolean) => Promise<ServerAddress>;
}

export class ImageStarts {
  readonly #options: ImageStartsOptions;
  readonly #underWay = new StartsUnderWay();
  /** By session: what its image was confined to when it was started, and what it was asked for then. */
  readonly #confined = new Map<string, { to: string; asked: ConfinedRequest }>();

  constructor(options: ImageStartsOptions) {
    this.#options = options;
  }

  /** An image that is confined to what holds now. */
  plan(engine: Engine, asked: ImageRequest, { heapMiB }: Limits): ConfinedPlan {
    const { project, package: packageName, container, network } = asked;
    const { launcher, libraries } = this.#options;
    const fetched = engine.fetcher ? libraries?.forImage(project) : undefined;
    const confinement = this.#confinement(asked);
    const { writable, ...rest } = confinement;
    const request = (folders: FoldersOfSession) => ({
      launcher,
      confinement: { ...rest, writable: [...writable, folders.home, folders.checkpoints] },
      project,
      ...folders,
      ...(fetched === undefined ? {} : { libraries: fetched }),
      ...(packageName === undefined ? {} : { package: packageName }),
      ...(heapMiB === null ? {} : { heapMiB }),
      ...(container === undefined ? {} : { container }),
    });
    return { engine, request, confinement, asked: { project, ...(network ? { network } : {}) } };
  }

  /** A new image for the session, from a checkpoint's file where there is one.
   * @throws HarborError `project_not_approved`, and as `Engine.start` does */
  async start(
    engine: Engine,
    identity: SessionIdentity,
    request: ImageRequest,
    checkpoint: string | undefined,
  ): Promise<Image> {
    const { project, limits } = identity;
    this.#options.checkProject(project);
    // The project of a request may be asked anew; that of a session stays.
    const plan = this.plan(engine, { ...request, project }, limits);
    return this.startAsPlanned(plan, identity, request, checkpoint);
  }

  /** The same for a plan that was made just now, of a project that was checked. @throws HarborError as `Engine.start` does */
  async startAsPlanned(
    plan: ConfinedPlan,
    identity: SessionIdentity,
    { tell }: ImageRequest,
    checkpoint: string | undefined,
  ): Promise<Image> {
    this.#options.launcher.expectImage?.();
    this.noteStart(identity, plan);
    const folders = await this.#options.folders.make(identity.id);
    const whole = { ...plan.request(folders), ...(checkpoint === undefined ? {} : { checkpoint }) };
    return this.#underWay.start(plan.engine, whole, tell);
  }

  /** No image is started from now on, nor waited for. */
  giveUp(): void {
    this.#underWay.giveUp();
  }

  /** @throws HarborError `not_approved`, `not_supported`, and as `Engine.attach` does */
  async attach(
    engine: Engine,
    { server: asked, serverAllowed = false, package: packageName }: AttachRequest,
  ): Promise<Image> {
    if (!engine.attach)
      throw new HarborError(
        'not_supported',
        `Sessions of ${engine.name} are not attached; leave attach out.`,
      );
    const server = await this.#options.locateServer(asked, serverAllowed);
    return engine.attach({ server, ...(packageName === undefined ? {} : { package: packageName }) });
  }

  /** The session has an image that is confined as planned. */
  noteStart({ id }: SessionIdentity, { asked, confinement }: ConfinedPlan): void {
    this.#confined.set(id, { to: JSON.stringify(confinement), asked });
  }

  forget(session: string): void {
    this.#confined.delete(session);
  }

  /** Whether an image started now would be confined to something else than the session's is. */
  isOutdated({ id }: SessionIdentity): boolean {
    const confined = this.#confined.get(id);
    return (
      confined !== undefined &&
      this.#options.launcher.sandbox.confined &&
      confined.to !== JSON.stringify(this.#confinement(confined.asked))
    );
  }

  #confinement({ project, network = false }: ConfinedRequest): Confinement {
    const confinement = this.#options.confine(project);
    return { ...confinement, network: confinement.network || network };
  }
}
