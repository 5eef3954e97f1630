/** This harbor's own Lisply, as the tool `http_request` asks it. */
import type { BackendRequest, BackendResponse } from '../contract/server';
import type { Session } from '../sessions/session/session';
import type { Caller } from './tool';

/** Asks in the name of the caller, for whom `sessionOf` finds sessions. */
export type OwnBackend = (
  request: BackendRequest,
  caller: Caller,
  sessionOf: (handle: string | undefined) => Promise<{ session: Session; notes: string[] }>,
) => Promise<BackendResponse>;
