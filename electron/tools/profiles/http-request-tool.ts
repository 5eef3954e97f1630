/** The tool `http_request` of Lisply's wrapper: sends an HTTP request to the backend, and to nothing else. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { BackendRequest, BackendResponse } from '../../contract/server';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../arguments';
import { actOf } from '../evaluation/own-evaluation';
import type { Caller, Tool } from '../tool';

/** Named as the wrapper names them; `content` is its older name of `body`. */
const Arguments = z.strictObject({
  path: z.string().min(1).describe('From the root of the backend, such as /lisply/ping-lisp'),
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
    .optional()
    .describe('Default: GET'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  content: z.string().optional().describe('The same as body'),
  session: z.string().optional().describe('One attached to a backend; omitted: this harbor’s own'),
  rawResponse: z.boolean().optional().describe('Answer status and headers as well'),
});

const Result = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** This harbor's own Lisply, asked in the name of the caller, for whom `sessionOf` finds sessions. */
export type OwnBackend = (
  request: BackendRequest,
  caller: Caller,
  sessionOf: (handle: string | undefined) => Promise<{ session: Session; notes: string[] }>,
) => Promise<BackendResponse>;

export interface HttpRequestOptions {
  sessions: Sessions;
  ownBackend: OwnBackend;
}

export function httpRequestTool({
  sessions,
  ownBackend,
}: HttpRequestOptions): Tool<typeof Arguments, typeof Result> {
  return {
    name: 'http_request',
    title: 'HTTP request to the backend',
    description: 'Sends an HTTP request to the backend, at the path given. No other server can be reached.',
    scope: 'evaluate',
    args: Arguments,
    result: Result,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { path, method = 'GET', headers = {}, body, content, session, rawResponse = false } = args;
      requirePath(path);
      const sent = content ?? body;
      const request = { method, path, headers: withType(headers, sent), body: sent };
      const response =
        session === undefined
          ? await ownBackend(request, caller, (handle) => sessionOf(handle, caller, sessions))
          : await attachedBackend(await sessions.find(session, caller.client), request, caller);
      return {
        structured: response,
        text: responseText(response, rawResponse),
        isError: response.status >= 400,
      };
    },
  };
}

async function attachedBackend(session: Session, request: BackendRequest, caller: Caller) {
  const act = actOf(caller, `${request.method} ${request.path}\n${request.body ?? ''}`);
  return (await session.abilityFor(act, 'backend')).request(request, caller.signal);
}

/** A body is JSON unless its headers say otherwise. */
function withType(headers: Readonly<Record<string, string>>, body: string | undefined) {
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return body === undefined || isTyped ? headers : { ...headers, 'Content-Type': 'application/json' };
}

/** A path can name no other server: not as an address of its own, and not by a second slash or what browsers take for one. */
function requirePath(path: string): void {
  if (/^\/(?![/\\])/.test(path)) return;
  throw new HarborError(
    'bad_arguments',
    `${path} is no path of the backend: give one from its root, such as /lisply/ping-lisp. No other server is reached.`,
  );
}

function responseText({ status, headers, body }: BackendResponse, raw: boolean): string {
  return raw ? JSON.stringify({ status, headers, content: body }, null, 2) : body;
}
