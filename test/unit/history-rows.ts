/** Plain rows for tests of the history. */
import type { ClosedEvaluation, OpenedEvaluation } from '../../electron/history/open-row-cache';

export function opened(changes: Partial<OpenedEvaluation> = {}): OpenedEvaluation {
  return {
    kind: 'eval',
    session: 'sbcl-1',
    engine: 'sbcl',
    client: 'codex',
    project: '/home/ada/geometry',
    package: 'CL-USER',
    code: '(+ 1 2)',
    startedAt: 1_000,
    ...changes,
  };
}

export function closed(changes: Partial<ClosedEvaluation> = {}): ClosedEvaluation {
  return {
    outcome: 'ok',
    package: 'CL-USER',
    forms: [{ code: '(+ 1 2)', values: ['3'] }],
    warnings: [],
    condition: null,
    notes: [],
    endedAt: 1_250,
    durationMs: 250,
    ...changes,
  };
}
