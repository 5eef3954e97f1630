/** The engines `swank` and `slynk`: attach to running Common Lisp images that serve SLIME or SLY. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { HarborError } from '../../contract/errors';
import type { EmacsProtocol } from '../../contract/harbor-status';
import { mention, ours } from '../../contract/mention';
import type { EngineFound } from '../../contract/model';
import { addressText, type ServerAddress } from '../../contract/server';
import { connect, findAttachable, howToAttach, isListening } from '../attachable-servers';

import type { AttachRequest, Engine, Image } from '../image';

import { DIALECTS, type Dialect, readHelper } from './handshake';
import { SwankImage } from './image';

export interface SwankOptions {
  /** Folder of our own Lisp code for servers, `resources/swank`. */
  sources: string;
  /** The servers that the user named; called each time. */
  named: () => readonly ServerAddress[];
  /** The folder of the secret; the home folder by default. */
  home?: string;
}

export class SwankEngine implements Engine {
  readonly name: EmacsProtocol;
  readonly #options: SwankOptions;
  readonly #dialect: Dialect;
  readonly #how: ReturnType<typeof howToAttach>;

  constructor(name: EmacsProtocol, options: SwankOptions) {
    this.name = name;
    this.#options = options;
    this.#dialect = DIALECTS[name];
    this.#how = howToAttach(
      mention`Call ${ours('open_session', 'attach')} with a running server as attach {"kind": "${name}", "port": 4005}.`,
      'The user must have named it (in the window by Attach…, or under "servers" in settings.json), or is asked in the window.',
    );
  }

  discover(): Promise<EngineFound> {
    return findAttachable(this.name, this.#how, this.#options.named());
  }

  async start(): Promise<Image> {
    throw new HarborError('engine_unavailable', this.#how.text, this.#how);
  }

  async attach({ server, package: packageName }: AttachRequest): Promise<Image> {
    const address = addressText(server);
    const dialect = this.#dialect;
    const helper = await readHelper(this.#options.sources, dialect);
    const secret = await this.#secret();
    return SwankImage.attach(await connect(server), {
      ...{ dialect, address, helper, secret },
      package: packageName,
      afterwards: async () =>
        (await hasStopped(server)) ? ', and nothing listens there any more: it has exited or crashed' : '',
    });
  }

  /** Reads the first line of the file, as Emacs does; the server expects it first. */
  async #secret(): Promise<string | null> {
    const file = path.join(this.#options.home ?? homedir(), this.#dialect.secretFile);
    const text = await readFile(file, 'utf8').catch(() => null);
    return text === null ? null : (text.split('\n')[0] ?? '');
  }
}

/**
 * Milliseconds before each check: a dying process closes its descriptors one by one, perhaps its port last.
 */
const LOOKS_MS = [0, 50, 250];

async function hasStopped(server: ServerAddress): Promise<boolean> {
  for (const wait of LOOKS_MS) {
    await setTimeout(wait);
    if ((await isListening(server)) === false) return true;
  }
  return false;
}
