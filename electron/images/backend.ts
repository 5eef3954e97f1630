/** The group of images that are servers of HTTP: Lisply backends, whose web pages and other endpoints can be asked for. */
import type { BackendRequest, BackendResponse } from '../contract/backend';

export interface Backend {
  /**
   * Sends to the backend's own origin and to nothing else; a redirection is answered, not followed.
   * @throws HarborError `engine_unavailable` when it does not answer, `bad_arguments` for a header that cannot be sent
   */
  request(request: BackendRequest, signal: AbortSignal): Promise<BackendResponse>;
}
