/** An HTTP request to a Lisply backend and its answer, as the tool `http_request` has them. */
import type { Session } from '../sessions/session';
import type { Caller } from './tool';

export interface BackendRequest {
  method: string;
  /** With its query, from the root of the backend's origin. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

export interface BackendResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** This harbor's own Lisply, asked in the name of the caller, for whom `sessionOf` finds sessions. */
export type OwnBackend = (
  request: BackendRequest,
  caller: Caller,
  sessionOf: (handle: string | undefined) => Promise<{ session: Session; notes: string[] }>,
) => Promise<BackendResponse>;
