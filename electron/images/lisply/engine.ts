/** The engine `lisply`: whatever answers Lisply's three endpoints on this computer, such as Gendl or GNU Emacs. */
import { HarborError } from '../../contract/errors';
import type { EngineFound } from '../../contract/model';
import { addressText, type ServerAddress } from '../../contract/server';
import { attachable } from '../attachable';
import type { AttachRequest, Engine, Image, StartRequest } from '../image';
import { listens } from '../listening-ports';
import { BackendClient } from './client';
import { startInContainer } from './containers';
import { LisplyImage } from './image';

const HOW =
  'Not started but attached to. `open_session` takes a running backend as attach {"kind": "lisply", "url": "http://127.0.0.1:9081/lisply"}, or starts one in a container as attach {"kind": "lisply", "image": "genworks/gendl"}. A person names either (in the window by Attach…, or under "servers" or "containers" in settings.json), or is asked in the window.';

/** Milliseconds in which a backend must say that it is there. */
const PING_MS = 10_000;

export class LisplyEngine implements Engine {
  readonly name = 'lisply';
  /** The servers that a person named, asked each time. */
  readonly #named: () => readonly ServerAddress[];
  readonly #searchPath: string;

  /** @param searchPath folders to look for Docker or Podman in, as in PATH */
  constructor(named: () => readonly ServerAddress[], searchPath: string) {
    this.#named = named;
    this.#searchPath = searchPath;
  }

  discover(): Promise<EngineFound> {
    return attachable(this.name, HOW, this.#named());
  }

  async start(
    { container, package: packageName }: StartRequest,
    tell: (doing: string) => void = () => undefined,
  ): Promise<Image> {
    if (!container) throw new HarborError('engine_unavailable', HOW);
    return startInContainer(container, { searchPath: this.#searchPath, packageName }, tell);
  }

  async isThere(server: ServerAddress): Promise<boolean> {
    return (await listens(server)) !== false;
  }

  async attach({ server, package: packageName }: AttachRequest): Promise<Image> {
    const client = new BackendClient(server);
    const { status, body } = await client.ping(AbortSignal.timeout(PING_MS)).catch((error: unknown) => {
      client.close();
      throw error instanceof HarborError ? error : silent(server);
    });
    // As wrappers of Lisply have it: whatever it says.
    if (status === 200 && body.length > 0) return new LisplyImage(client, server, packageName);
    client.close();
    throw new HarborError(
      'engine_failed',
      `What listens at ${addressText(server)} is no Lisply backend: ${client.endpoint('ping-lisp')} answers with status ${status}.`,
    );
  }
}

function silent(server: ServerAddress): HarborError {
  return new HarborError(
    'engine_unavailable',
    `The backend at ${addressText(server)} did not answer in ${PING_MS / 1000} s.`,
  );
}
