/** What is asked for when a session is opened. */

import type { EngineName } from '../contract/model';
import type { Container, ServerAddress } from '../contract/server';
import type { Lineage } from './recovery/lineage';
import type { AskedLimits } from './session-limits';

export interface OpenRequest {
  client: string;
  project: string;
  engine?: EngineName;
  /** Attaches to this server instead of starting an image; its kind is the engine. */
  server?: ServerAddress;
  /** A person has allowed that server to this session, or left it to the client which of this computer's servers it is. */
  serverAllowed?: boolean;
  /** A person has allowed its images network connections, whatever its project may. */
  network?: boolean;
  /** To start the image in. */
  container?: Container;
  name?: string;
  /** Package to begin in, made where there is none; absent means the engine's usual one. */
  package?: string;
  limits?: AskedLimits;
  /** Hears what goes on while an image starts in several steps. */
  tell?: (doing: string) => void;
  /** The conversation whose default session it is, however often the harbor is started again; absent: of none. */
  conversation?: string;
  /** Nobody can come back to it when the harbor has ended, so it ends then. */
  passing?: boolean;
  /** The state to begin with; absent means an image that holds nothing yet. */
  from?: Origin;
}

/** A state that a new session begins with. */
export interface Origin {
  /** @param session the id of the new session */
  lineage: (session: string) => Lineage;
  /** The package to be in. */
  package: string;
}
