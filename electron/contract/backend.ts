/** HTTP requests to a Lisply backend and its answers, whoever that is. */

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
