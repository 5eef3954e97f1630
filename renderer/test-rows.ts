/** Test data: a row of the history and a session as main sends them. */
import type { HistoryEntry } from '../electron/contract/history';
import type { HistoryRow, SessionView } from '../electron/contract/model';

export function historyRow(id: number, part: Partial<HistoryRow> = {}): HistoryRow {
  return {
    id,
    kind: 'eval',
    session: 's1',
    engine: 'sbcl',
    client: 'codex',
    project: '/p',
    package: 'CL-USER',
    code: `(f ${id})`,
    outcome: 'ok',
    startedAt: id,
    endedAt: id + 1,
    durationMs: 1,
    values: [],
    output: '',
    conditionType: null,
    conditionMessage: null,
    ...part,
  };
}

export function historyEntry(key: number, part: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    key,
    evaluation: key,
    call: null,
    kind: 'eval',
    tool: 'eval',
    session: 's1',
    sessionName: 'geometry',
    engine: 'sbcl',
    client: 'codex',
    outcome: 'ok',
    startedAt: key,
    durationMs: 1,
    line: `(f ${key})`,
    result: { kind: 'values', texts: ['1'] },
    warnings: 0,
    ...part,
  };
}

export function sessionView(id: string, part: Partial<SessionView> = {}): SessionView {
  return {
    id,
    engine: 'sbcl',
    name: id,
    state: 'idle',
    package: 'CL-USER',
    client: 'codex',
    project: '/p',
    pid: 1,
    memoryBytes: 1,
    startedAt: 0,
    lastUsedAt: 0,
    generation: 1,
    sandbox: { confined: true, launcher: 'bubblewrap' },
    runningEvaluation: null,
    stopping: null,
    lostBecause: null,
    note: '',
    limits: { heapMiB: 2048, cpuSeconds: null, outputChars: 4_194_304 },
    hold: false,
    checkpoints: true,
    comesBack: { checkpoint: null, definitions: true },
    slime: true,
    taps: false,
    world: false,
    trust: null,
    ...part,
  };
}
