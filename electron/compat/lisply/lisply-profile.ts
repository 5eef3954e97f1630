/**
 * The profile of Lisply's MCP wrapper: evaluate, ping, and HTTP requests to the backend; results as the
 * wrapper prints them.
 */

import { z } from 'zod';
import { HarborError, listSimilarNames } from '../../contract/errors';
import { type Note, NoteText } from '../../contract/note';

import type { BackendRequest, BackendResponse } from '../../contract/server';
import { Listeners } from '../../sessions/listeners';
import type { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { sessionOf } from '../../tools/arguments';
import type { DefaultProfileOptions } from '../../tools/default-profile';
import { evalTool } from '../../tools/evaluation/eval-tool';
import { jobTool } from '../../tools/evaluation/job-tool';
import { actOf } from '../../tools/evaluation/own-evaluation';
import type { EvaluationRecord } from '../../tools/evaluation/record';
import { recordText } from '../../tools/evaluation/record-text';
import type { Profile } from '../../tools/profile';
import { guideResource } from '../../tools/resources/resources';
import type { Caller, Tool, ToolResult } from '../../tools/tool';
import type { Viewer } from '../../tools/viewer';
import { adaptersOf } from '../tool-adapter';
import { lisplyBody, throughListener } from './lisply-evaluation';

const INSTRUCTIONS = `You have a live Lisp, the backend. Work REPL-first: evaluate small forms, look at real values, and write to files what works.

- \`lisp_eval\` evaluates every form and returns the values of the last one and the output. Definitions stay. An error is returned with its type, message, restarts and backtrace; the backend continues at its top level.
- With \`mode: "stdio"\` the code is typed at the backend's prompt instead, and you see what a terminal would show, the prompt last. An error then enters the debugger, as the prompt shows (\`0] \`, nested \`1] \`): a number takes a restart, and forms are evaluated at that level.
- \`ping_lisp\` checks that the backend is available; \`http_request\` sends a request to it, and to nothing else.
- A long evaluation continues as a job, which \`job\` follows or cancels.`;

const EvalArguments = z.strictObject({
  code: z.string().min(1).describe('The Lisp code to evaluate'),
  package: z.string().min(1).optional().describe('The package to use for the evaluation'),
  mode: z.enum(['http', 'stdio']).optional().describe('stdio: as typed at the prompt (default: http)'),
  session: z.string().optional().describe('A session handle; default: your default session'),
});

const EvalResult = z.looseObject({ session: z.string(), notes: z.array(NoteText) });

const PingArguments = z.strictObject({
  session: z.string().optional().describe('A session handle; default: this harbor'),
});
const PingResult = z.object({ answer: z.string() });

export type LisplyProfileOptions = DefaultProfileOptions & DocsOptions;

export function lisplyProfile(options: LisplyProfileOptions): Profile {
  return {
    name: 'lisply',
    instructions: INSTRUCTIONS,
    tools: [
      lispEvalTool(options),
      pingTool(options),
      httpRequestTool(options),
      ...docsTools(options),
      jobTool(options),
    ],
  };
}

function lispEvalTool(options: LisplyProfileOptions): Tool<typeof EvalArguments, typeof EvalResult> {
  const listeners = new Map<string, Listeners>();
  const listenersOf = ({ client }: Caller): Listeners => {
    const known = listeners.get(client.key) ?? new Listeners(options.sessions, client.key);
    listeners.set(client.key, known);
    return known;
  };
  const overHttp = adaptersOf(evalTool(options))({
    name: 'lisp_eval',
    description:
      'Evaluates Lisp code in the backend: values of the last form and output, or the error with its restarts. `mode: "stdio"` types it at the prompt.',
    args: EvalArguments,
    toArguments: ({ code, package: packageName, session }) => ({
      code,
      on_error: 'report',
      ...(packageName === undefined ? {} : { package: packageName }),
      ...(session === undefined ? {} : { session }),
    }),
    render: evaluationText,
  });
  return {
    ...overHttp,
    result: EvalResult,
    async run(args, caller) {
      if (args.mode !== 'stdio') return overHttp.run(args, caller);
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      return throughListener(listenersOf(caller).of(session), { ...args, session, notes }, caller, options);
    },
  };
}

/** Formats a record as the wrapper prints a backend's response. */
function evaluationText(record: EvaluationRecord): string {
  if (record.job !== undefined) return recordText(record);
  const body = lisplyBody(record);
  return body.success ? `Result: ${body.result}, Stdout: ${body.stdout}` : `Error: ${body.error}`;
}

function pingTool({ sessions }: LisplyProfileOptions): Tool<typeof PingArguments, typeof PingResult> {
  return {
    name: 'ping_lisp',
    title: 'Ping the backend',
    description: 'Checks if the Lisply backend is available.',
    scope: 'read',
    args: PingArguments,
    result: PingResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ session: handle }, caller) {
      const session =
        handle === undefined ? undefined : await sessions.find(handle, caller.client, caller.grant);
      const server = session?.identity.server;
      if (!session || server?.kind !== 'lisply') return pinged('pong', true);
      const { status, body } = await session.ability('backend').ping(caller.signal);
      return pinged(body, status === 200 && body.length > 0);
    },
  };
}

function pinged(answer: string, alive: boolean) {
  return { structured: { answer }, text: answer, isError: !alive };
}

// The tool `http_request` of Lisply's wrapper: sends an HTTP request only to the backend.

/** The argument names of the wrapper; `content` is its older name of `body`. */
const Arguments = z.strictObject({
  path: z.string().min(1).describe('From the root of the backend, such as /lisply/ping-lisp'),
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
    .optional()
    .describe('Default: GET'),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
  content: z.string().optional().describe('The same as body'),
  session: z.string().optional().describe('One attached to a backend; default: this harbor’s own'),
  rawResponse: z.boolean().optional().describe('Return status and headers as well'),
});

const HttpResult = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/**
 * Sends a request to this harbor's own Lisply in the name of the caller. `sessionOf` finds the caller's
 * sessions.
 */
type OwnBackend = (
  request: BackendRequest,
  caller: Caller,
  sessionOf: (handle: string | undefined) => Promise<{ session: Session; notes: Note[] }>,
) => Promise<BackendResponse>;

interface HttpRequestOptions {
  sessions: Sessions;
  ownBackend: OwnBackend;
}

function httpRequestTool({
  sessions,
  ownBackend,
}: HttpRequestOptions): Tool<typeof Arguments, typeof HttpResult> {
  return {
    name: 'http_request',
    title: 'HTTP request to the backend',
    description: 'Sends an HTTP request to the backend, at the given path. No other server can be reached.',
    scope: 'evaluate',
    args: Arguments,
    result: HttpResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { path, method = 'GET', headers = {}, body, content, session, rawResponse = false } = args;
      requirePath(path);
      const sent = content ?? body;
      const request = { method, path, headers: withType(headers, sent), body: sent };
      const response =
        session === undefined
          ? await ownBackend(request, caller, (handle) => sessionOf(handle, caller, sessions))
          : await attachedBackend(await sessions.find(session, caller.client, caller.grant), request, caller);
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

/**
 * @throws HarborError if the path could name another server: by an absolute address, or by a second slash or
 *   a character that browsers treat as one.
 */
function requirePath(path: string): void {
  if (/^\/(?![/\\])/.test(path)) return;
  throw new HarborError(
    'bad_arguments',
    `${path} is not a path of the backend: give one from its root, such as /lisply/ping-lisp. No other server can be reached.`,
  );
}

function responseText({ status, headers, body }: BackendResponse, raw: boolean): string {
  return raw ? JSON.stringify({ status, headers, content: body }, null, 2) : body;
}

/**
 * The document tools of Lisply's wrapper. The documents of this harbor are the guides to its engines; those
 * of a backend are at `/docs`.
 */
interface DocsOptions extends HttpRequestOptions {
  /** The folder of the guides. */
  guides: string;
}

const session = z.string().optional().describe('One attached to a backend; default: this harbor’s own');
const Listing = z.strictObject({ session });
const Wanted = z.strictObject({
  doc_id: z.string().min(1).max(500).describe('As listed by get_docs_list'),
  session,
});

const DocsResult = z.looseObject({ body: z.string() });

const KIND = {
  scope: 'evaluate',
  result: DocsResult,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

function docsTools(options: DocsOptions): Tool[] {
  const list: Tool<typeof Listing, typeof DocsResult> = {
    ...KIND,
    name: 'get_docs_list',
    title: 'List documents',
    description: 'The documents of the backend, for get_docs.',
    args: Listing,
    async run({ session }, caller) {
      return session === undefined
        ? listed(caller, options)
        : requestDocument('list', session, caller, options);
    },
  };
  const get: Tool<typeof Wanted, typeof DocsResult> = {
    ...KIND,
    name: 'get_docs',
    title: 'Read a document',
    description: 'A document of the backend.',
    args: Wanted,
    async run({ doc_id, session }, caller) {
      if (session === undefined) return read(doc_id, caller, options);
      return requestDocument(encodeURIComponent(doc_id), session, caller, options);
    },
  };
  return [list, get];
}

/** Returns the response of the backend of that session. */
async function requestDocument(document: string, session: string, caller: Caller, options: DocsOptions) {
  const { identity } = await options.sessions.find(session, caller.client, caller.grant);
  const path = `/${identity.server?.prefix ?? 'lisply'}/docs/${document}`;
  return httpRequestTool(options).run({ path, session }, caller);
}

function listed(viewer: Viewer, { guides }: DocsOptions): ToolResult<z.infer<typeof DocsResult>> {
  const engines = guideResource(guides).values('engine', viewer);
  return textResult(engines.map((engine) => `${engine}: how to work with ${engine} here`).join('\n'));
}

/** @throws HarborError `bad_arguments` */
async function read(document: string, viewer: Viewer, { guides }: DocsOptions) {
  const family = guideResource(guides);
  if (family.exists({ engine: document }, viewer))
    return textResult(await family.read({ engine: document }, viewer));
  throw new HarborError(
    'bad_arguments',
    `There is no document ${document}. ${listSimilarNames(document, family.values('engine', viewer))}`,
  );
}

function textResult(body: string): ToolResult<z.infer<typeof DocsResult>> {
  return { structured: { body }, text: body, isError: false };
}
