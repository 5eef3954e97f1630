/** What changes in what a client sees, so that it can be told (MCP list_changed, resources/updated). */
import type { Evaluation, EvaluationKind } from '../../contract/model';
import type { SessionEvents } from '../../sessions/events';
import type { SessionIdentity } from '../../sessions/session/evaluation-request';
import { maySee } from '../../sessions/sessions';
import { maySeeRow, type SeenHistory, type Viewer } from '../viewer';
import { HISTORY_TEMPLATE } from './history-resource';
import { addressOf } from './resource';
import { DEFINITIONS_TEMPLATE, TRANSCRIPT_TEMPLATE } from './session-resources';

/** The list of tools, the list of resources, or the text of one resource is another one now. */
export type Change = { kind: 'tools' } | { kind: 'resources' } | { kind: 'resource'; uri: string };

export type ChangeListener = (change: Change) => void;

/** Kinds of evaluations after which the session is as it was. */
const WITHOUT_TRACE: readonly EvaluationKind[] = ['try', 'inspect'];

/** Tells `listener` of changes among resources until what this answers is called. */
export function watchResources(
  events: SessionEvents,
  seen: Pick<SeenHistory, 'ownOnly'>,
  viewer: () => Viewer,
  listener: ChangeListener,
): () => void {
  const listed = (identity: SessionIdentity) => {
    if (maySee(viewer().client, identity)) listener({ kind: 'resources' });
  };
  const onEnded = (_: string, identity: SessionIdentity) => listed(identity);
  const told = (row: Evaluation) => {
    if (!maySeeRow(seen, row, viewer())) return;
    const { id, session, kind, endedAt } = row;
    listener({ kind: 'resource', uri: addressOf(HISTORY_TEMPLATE, { id: String(id) }) });
    listener({ kind: 'resource', uri: addressOf(TRANSCRIPT_TEMPLATE, { id: session }) });
    if (endedAt !== null && !WITHOUT_TRACE.includes(kind))
      listener({ kind: 'resource', uri: addressOf(DEFINITIONS_TEMPLATE, { id: session }) });
  };
  events.on('begun', listed).on('ended', onEnded);
  for (const event of ROW_EVENTS) events.on(event, told);
  return () => {
    events.off('begun', listed).off('ended', onEnded);
    for (const event of ROW_EVENTS) events.off(event, told);
  };
}

const ROW_EVENTS = ['opened', 'held', 'closed'] as const;
