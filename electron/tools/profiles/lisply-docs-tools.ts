/** The tools of Lisply's wrapper for documents: this harbor's are the guides to its engines, a backend's are what it has at
 * `/docs`. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { thereAre } from '../../contract/names-there';
import { guideResource } from '../resources/guide-resource';
import type { Caller, Tool, ToolResult } from '../tool';
import type { Viewer } from '../viewer';
import { type HttpRequestOptions, httpRequestTool } from './http-request-tool';

export interface DocsOptions extends HttpRequestOptions {
  /** The folder of the guides. */
  guides: string;
}

const session = z.string().optional().describe('One attached to a backend; omitted: this harbor’s own');
const Listing = z.strictObject({ session });
const Wanted = z.strictObject({
  doc_id: z.string().min(1).max(500).describe('As get_docs_list has it'),
  session,
});

const Result = z.looseObject({ body: z.string() });

const KIND = {
  scope: 'evaluate',
  result: Result,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
} as const;

export function docsTools(options: DocsOptions): Tool[] {
  const list: Tool<typeof Listing, typeof Result> = {
    ...KIND,
    name: 'get_docs_list',
    title: 'List documents',
    description: 'The documents that the backend has, for get_docs.',
    args: Listing,
    async run({ session }, caller) {
      return session === undefined ? listed(caller, options) : asked('list', session, caller, options);
    },
  };
  const get: Tool<typeof Wanted, typeof Result> = {
    ...KIND,
    name: 'get_docs',
    title: 'Read a document',
    description: 'A document of the backend.',
    args: Wanted,
    async run({ doc_id, session }, caller) {
      if (session === undefined) return read(doc_id, caller, options);
      return asked(encodeURIComponent(doc_id), session, caller, options);
    },
  };
  return [list, get];
}

/** What the backend of that session answers. */
async function asked(document: string, session: string, caller: Caller, options: DocsOptions) {
  const { identity } = await options.sessions.find(session, caller.client);
  const path = `/${identity.server?.prefix ?? 'lisply'}/docs/${document}`;
  return httpRequestTool(options).run({ path, session }, caller);
}

function listed(viewer: Viewer, { guides }: DocsOptions): ToolResult<z.infer<typeof Result>> {
  const engines = guideResource(guides).values('engine', viewer);
  return told(engines.map((engine) => `${engine}: how to work with ${engine} here`).join('\n'));
}

/** @throws HarborError `bad_arguments` */
async function read(document: string, viewer: Viewer, { guides }: DocsOptions) {
  const family = guideResource(guides);
  if (family.exists({ engine: document }, viewer))
    return told(await family.read({ engine: document }, viewer));
  throw new HarborError(
    'bad_arguments',
    `There is no document ${document}. ${thereAre(document, family.values('engine', viewer))}`,
  );
}

function told(body: string): ToolResult<z.infer<typeof Result>> {
  return { structured: { body }, text: body, isError: false };
}
