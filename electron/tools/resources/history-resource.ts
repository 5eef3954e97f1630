/** `lisp://history/{id}`: one evaluation, whole. They are found by the template; a list of all would have no end. */
import { cleanText } from '../clean-text';
import { wholeEvaluation } from '../evaluation/history-tool';
import { maySeeRow, type SeenHistory, visibility, visibleRow } from '../viewer';
import type { ResourceFamily, ResourceTemplate, Variables } from './resource';

export const HISTORY_TEMPLATE: ResourceTemplate = {
  uriTemplate: 'lisp://history/{id}',
  name: 'evaluation',
  title: 'One evaluation',
  description: 'Code, values, output, condition and cost of one evaluation, by its number in the history.',
  mimeType: 'text/plain',
};

/** How many of the newest evaluations are offered as a completion. */
const OFFERED = 100;

export function historyResource(seen: SeenHistory): ResourceFamily {
  return {
    template: HISTORY_TEMPLATE,
    list: () => [],
    exists(variables, viewer) {
      const id = rowId(variables);
      const row = id === null ? null : seen.history.evaluations.find(id);
      return row !== null && maySeeRow(seen, row, viewer);
    },
    read: async (variables, viewer) =>
      cleanText(wholeEvaluation(visibleRow(seen, rowId(variables) ?? 0, viewer)).text),
    values: (_, viewer) =>
      seen.history.evaluations
        .page({ limit: OFFERED, ...visibility(seen, viewer) })
        .rows.map(({ id }) => String(id)),
  };
}

function rowId({ id = '' }: Variables): number | null {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}
