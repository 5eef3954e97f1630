/** Families of resources in list order, and notification of changes in them. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import {
  mentionText,
  OUR_NAMES,
  OUR_TOOLS,
  type OurTool,
  ours,
  type ToolNames,
} from '../../contract/mention';
import type { Evaluation, EvaluationKind } from '../../contract/model';
import { addListeners } from '../../host/listeners';
import { sessionSource } from '../../sessions/export/session-source';
import type { SessionEvents } from '../../sessions/journal';
import type { SessionIdentity } from '../../sessions/session/session-journal';
import { mayAccess, type Sessions } from '../../sessions/sessions';
import { rowsThatFit, rowText, wholeEvaluation } from '../evaluation/history-tool';
import { type FileToolOptions, openText } from '../files/text-files';
import { resultText } from '../rendering';
import { canSeeRow, type SeenHistory, sessionIds, type Viewer, visibility, visibleRow } from '../viewer';
import { cleanText } from '../wire-data';
import {
  addressOf,
  type ResourceFamily,
  type ResourceListing,
  type ResourceTemplate,
  type Variables,
} from './resource';

interface ResourcesOptions extends SessionResourceOptions, FileToolOptions {
  /** Folder of the engine guides. */
  guides: string;
}

export function resources(options: ResourcesOptions): readonly ResourceFamily[] {
  return [
    guideResource(options.guides),
    transcriptResource(options),
    definitionsResource(options),
    historyResource(options),
    sourceResource(options),
  ];
}

/** `lisp://guide/{engine}`: guide to an engine for agents. The texts are files. */
const GUIDE_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://guide/{engine}',
  name: 'guide',
  title: 'Guide to an engine',
  description: 'How to work with an engine here: what matters, what to avoid, how to read its results.',
  mimeType: 'text/markdown',
};

/** @param folder contains a Markdown file for each engine that has a guide */
export function guideResource(folder: string): ResourceFamily {
  const engines = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.basename(file, '.md'))
    .sort();
  const { name, title, description, mimeType } = GUIDE_TEMPLATE;
  const listed = engines.map((engine) => ({
    uri: addressOf(GUIDE_TEMPLATE, { engine }),
    name: `${engine} ${name}`,
    title: title.replace('an engine', engine),
    description,
    mimeType,
  }));
  return {
    template: GUIDE_TEMPLATE,
    list: () => listed,
    exists: ({ engine = '' }) => engines.includes(engine),
    read: async ({ engine = '' }, { names }) =>
      templateText(await readFile(path.join(folder, `${engine}.md`), 'utf8'), names),
    values: () => engines,
  };
}

/**
 * Returns a document for a reader. `{{…}}` in it is a mention, in which `{find kind}` names our tool `find`,
 * which must take `kind`.
 */
export function templateText(document: string, names: ToolNames = OUR_NAMES): string {
  return document.replaceAll(/\{\{([\s\S]*?)\}\}(?!\})/g, (_whole, sentence: string) => {
    const parts = sentence.split(/(\{\w+(?: \w+)*\})/).map((part, place) => {
      const [tool = '', ...takes] = part.slice(1, -1).split(' ');
      return place % 2 === 0 || !isOurTool(tool) ? part : ours(tool, ...takes);
    });
    return mentionText(parts, names) ?? '';
  });
}

function isOurTool(name: string): name is OurTool {
  return (OUR_TOOLS as readonly string[]).includes(name);
}

/**
 * `lisp://history/{id}`: one whole evaluation. Found by the template; not listed, since the list would be
 * endless.
 */
const HISTORY_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://history/{id}',
  name: 'evaluation',
  title: 'One evaluation',
  description: 'Code, values, output, condition and cost of one evaluation, by its number in the history.',
  mimeType: 'text/plain',
};

/** Number of latest evaluations offered as completions. */
const OFFERED = 100;

function historyResource(seen: SeenHistory): ResourceFamily {
  return {
    template: HISTORY_TEMPLATE,
    list: () => [],
    exists(variables, viewer) {
      const id = rowId(variables);
      const row = id === null ? null : seen.history.evaluations.find(id);
      return row !== null && canSeeRow(seen, row, viewer);
    },
    read: async (variables, viewer) =>
      cleanText(resultText(wholeEvaluation(visibleRow(seen, rowId(variables) ?? 0, viewer)), viewer.names)),
    values: (_, viewer) =>
      seen.history.evaluations
        .page({ limit: OFFERED, ...visibility(seen, viewer) })
        .rows.map(({ id }) => String(id)),
  };
}

function rowId({ id = '' }: Variables): number | null {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

// `lisp://session/{id}/transcript` and `lisp://session/{id}/definitions`. A transcript is part of the
// history, so it outlives its session and has the visibility of rows. Definitions are queried from the image,
// so only for sessions of the viewer.

/** A listed session, asleep or not. */
type Listed = ReturnType<Sessions['of']>[number];

interface SessionResourceOptions extends SeenHistory {
  sessions: Sessions;
}

const TRANSCRIPT_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://session/{id}/transcript',
  name: 'transcript',
  title: 'Transcript of a session',
  description: 'Evaluations of the session, oldest first, with values, output and conditions.',
  mimeType: 'text/plain',
};

const DEFINITIONS_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://session/{id}/definitions',
  name: 'definitions',
  title: 'Definitions of a session',
  description: 'Definitions of the session that no file contains yet, as a source file.',
  mimeType: 'text/plain',
};

/** Maximum number of evaluations in a transcript. The latest ones are included as far as they fit. */
const MAX_TRANSCRIPT_ROWS = 200;

function transcriptResource(options: SessionResourceOptions): ResourceFamily {
  const { history, sessions } = options;
  const page = (session: string, limit: number, viewer: Viewer) =>
    history.evaluations.page({ session, limit, ...visibility(options, viewer) });
  return {
    template: TRANSCRIPT_TEMPLATE,
    list: (viewer) => sessions.of(viewer.client).map((session) => listing(TRANSCRIPT_TEMPLATE, session)),
    exists: ({ id = '' }, viewer) =>
      ownSession(sessions, id, viewer) !== undefined || page(id, 1, viewer).rows.length > 0,
    read: async ({ id = '' }, viewer) => {
      const { rows, next } = rowsThatFit(page(id, MAX_TRANSCRIPT_ROWS, viewer));
      const earlier =
        next === null ? [] : [`; earlier evaluations are in the history of session ${id}, before ${next}`];
      const texts =
        rows.length === 0 ? ['; nothing has been evaluated'] : rows.toReversed().map((row) => rowText(row));
      return cleanText(`${[...earlier, ...texts].join('\n\n')}\n`);
    },
    values: (_, viewer) => sessionIds(sessions, viewer),
  };
}

function definitionsResource({ history, sessions }: SessionResourceOptions): ResourceFamily {
  return {
    template: DEFINITIONS_TEMPLATE,
    list: (viewer) => sessions.of(viewer.client).map((session) => listing(DEFINITIONS_TEMPLATE, session)),
    exists: ({ id = '' }, viewer) => ownSession(sessions, id, viewer) !== undefined,
    read: async ({ id = '' }, { client }) => {
      const { text, portcullis } = await sessionSource(
        await sessions.find(id, client, null),
        history.evaluations,
      );
      return portcullis === undefined ? text : `; To be evaluated before the book:\n${portcullis}\n${text}`;
    },
    values: (_, viewer) => sessionIds(sessions, viewer),
  };
}

function ownSession(sessions: Sessions, id: string, { client }: Viewer): Listed | undefined {
  return sessions.of(client).find((session) => session.id === id);
}

function listing(template: ResourceTemplate, { id, identity }: Listed): ResourceListing {
  const { name, title, description, mimeType } = template;
  return {
    uri: addressOf(template, { id }),
    name: `${id} ${name}`,
    title: `${title.replace(/ .*/s, '')} of ${identity.name} (${identity.engine})`,
    description,
    mimeType,
  };
}

/**
 * `lisp://source/{path}`: a text file that the allow-list lets the client read. Found by the template; `find`
 * and the file tools list files.
 */
const SOURCE_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://source/{path}',
  name: 'source',
  title: 'A source file',
  description:
    'The text of a project file by its relative path, or of a library file by its absolute path. Write slashes as %2F.',
  mimeType: 'text/plain',
};

function sourceResource(options: FileToolOptions): ResourceFamily {
  return {
    template: SOURCE_TEMPLATE,
    list: () => [],
    // Whether a file may be read is known only when it is opened.
    exists: () => true,
    read: async ({ path = '' }, { project }) =>
      (await openText(path, { project }, options).catch(unknown)).text,
    values: () => [],
  };
}

/** Reports a missing file as a missing resource. */
function unknown(error: unknown): never {
  if (error instanceof HarborError && error.code === 'file_missing')
    throw new HarborError('unknown_resource', error.message);
  throw error;
}

// Changes of resources that a client is notified of (MCP list_changed, resources/updated).

/** The list of tools, the list of resources, or the text of one resource has changed. */
export type Change = { kind: 'tools' } | { kind: 'resources' } | { kind: 'resource'; uri: string };

export type ChangeListener = (change: Change) => void;

/** Every evaluation has such changes, and few clients subscribe, so the address is made only for those. */
class ResourceChange {
  readonly kind = 'resource';
  readonly #template: ResourceTemplate;
  readonly #id: string;

  constructor(template: ResourceTemplate, id: string) {
    this.#template = template;
    this.#id = id;
  }

  get uri(): string {
    return addressOf(this.#template, { id: this.#id });
  }
}

/** Kinds of evaluations that leave the session unchanged. */
const WITHOUT_TRACE: readonly EvaluationKind[] = ['try', 'inspect'];

/** Calls `listener` on changes of resources. Returns a function that ends this. */
export function watchResources(
  events: SessionEvents,
  seen: Pick<SeenHistory, 'ownOnly'>,
  viewer: () => Viewer,
  listener: ChangeListener,
): () => void {
  const listed = (identity: SessionIdentity) => {
    if (mayAccess(viewer().client, identity)) listener({ kind: 'resources' });
  };
  const notify = (row: Evaluation) => {
    if (!canSeeRow(seen, row, viewer())) return;
    const { id, session, kind, endedAt } = row;
    listener(new ResourceChange(HISTORY_TEMPLATE, String(id)));
    listener(new ResourceChange(TRANSCRIPT_TEMPLATE, session));
    if (endedAt !== null && !WITHOUT_TRACE.includes(kind))
      listener(new ResourceChange(DEFINITIONS_TEMPLATE, session));
  };
  return addListeners(events, (on) => {
    on('begun', listed);
    on('ended', (_, identity) => listed(identity));
    on('opened', notify);
    on('suspended', notify);
    on('closed', notify);
  });
}
