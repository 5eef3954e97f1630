/**
 * `lisp://session/{id}/transcript` and `lisp://session/{id}/definitions`. A transcript is history, so it outlives its
 * session and is seen like any row; definitions are asked of the image, so only of a session of one's own.
 */
import { sessionSource } from '../../sessions/export/session-source';
import type { Sessions } from '../../sessions/sessions';
import { cleanText } from '../clean-text';
import { rowsThatFit, rowText } from '../evaluation/history-row';
import { type SeenHistory, sessionIds, type Viewer, visibility } from '../viewer';
import { addressOf, type ResourceFamily, type ResourceListing, type ResourceTemplate } from './resource';

/** What is listed of a session, asleep or not. */
type Listed = ReturnType<Sessions['of']>[number];

export interface SessionResourceOptions extends SeenHistory {
  sessions: Sessions;
}

export const TRANSCRIPT_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://session/{id}/transcript',
  name: 'transcript',
  title: 'Transcript of a session',
  description: 'What was evaluated in the session, oldest first, with values, output and conditions.',
  mimeType: 'text/plain',
};

export const DEFINITIONS_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://session/{id}/definitions',
  name: 'definitions',
  title: 'Definitions of a session',
  description: 'What the session has defined and no file holds yet, as a source file.',
  mimeType: 'text/plain',
};

/** Evaluations of one transcript, the newest; as many of them as fit into one answer. */
const LONGEST_TRANSCRIPT = 200;

export function transcriptResource(options: SessionResourceOptions): ResourceFamily {
  const { history, sessions } = options;
  const page = (session: string, limit: number, viewer: Viewer) =>
    history.evaluations.page({ session, limit, ...visibility(options, viewer) });
  return {
    template: TRANSCRIPT_TEMPLATE,
    list: (viewer) => sessions.of(viewer.client).map((session) => listing(TRANSCRIPT_TEMPLATE, session)),
    exists: ({ id = '' }, viewer) =>
      ownSession(sessions, id, viewer) !== undefined || page(id, 1, viewer).rows.length > 0,
    read: async ({ id = '' }, viewer) => {
      const { rows, next } = rowsThatFit(page(id, LONGEST_TRANSCRIPT, viewer));
      const earlier =
        next === null ? [] : [`; earlier evaluations: history with session ${id}, before ${next}`];
      const texts =
        rows.length === 0 ? ['; nothing has been evaluated'] : rows.toReversed().map((row) => rowText(row));
      return cleanText(`${[...earlier, ...texts].join('\n\n')}\n`);
    },
    values: (_, viewer) => sessionIds(sessions, viewer),
  };
}

export function definitionsResource({ history, sessions }: SessionResourceOptions): ResourceFamily {
  return {
    template: DEFINITIONS_TEMPLATE,
    list: (viewer) => sessions.of(viewer.client).map((session) => listing(DEFINITIONS_TEMPLATE, session)),
    exists: ({ id = '' }, viewer) => ownSession(sessions, id, viewer) !== undefined,
    read: async ({ id = '' }, { client }) => {
      const { text, portcullis } = await sessionSource(await sessions.find(id, client), history.evaluations);
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
