/** Sessions when their own work fails: it is logged, the state stays right, and a closed session stays closed. */
import { expect, it, vi } from 'vitest';
import type { Log } from '../../electron/host/log';
import { toSavedSession } from '../../electron/sessions/open-request';
import { freshLineage, Lineages } from '../../electron/sessions/recovery/lineage';
import {
  type SavedSessions,
  SleepingSession,
  SleepingSessions,
} from '../../electron/sessions/recovery/sleeping-sessions';
import type { Session } from '../../electron/sessions/session/session';
import { type MachineParts, SessionMachine } from '../../electron/sessions/session/session-machine';
import { NEW_SESSION, type State, waking } from '../../electron/sessions/session/session-state';
import { Sessions, type SessionsOptions } from '../../electron/sessions/sessions';
import { sessionView } from '../../renderer/test-rows';

const DEFECT = new Error('a defect');
const fails = () => Promise.reject(DEFECT);

function machineWith(parts: { image?: object; runner?: object }, state: State = NEW_SESSION) {
  const failed = vi.fn();
  const machine = new SessionMachine(
    {
      session: { package: 'CL-USER' },
      image: { current: { end: async () => undefined }, watch: () => undefined, ...parts.image },
      lineages: new Lineages([freshLineage('sbcl-1')]),
      pending: { settle: vi.fn(), reject: vi.fn(), start: vi.fn(), get: () => undefined },
      runner: { admitted: () => null, stopOutsideImage: () => false, setSystems: vi.fn(), ...parts.runner },
      journal: { changed: vi.fn(), save: vi.fn(), failed },
    } as unknown as MachineParts,
    state,
  );
  return { machine, failed };
}

const turn = { for: 'evaluation', id: 1, level: 0 } as const;

it('does not stay in its start when that fails outside the image', async () => {
  const lost: State = { ...NEW_SESSION, is: 'lost', because: 'it crashed', running: null };
  const { machine, failed } = machineWith({ runner: { admitted: fails } }, lost);
  machine.dispatch({ is: 'requested', turn });
  await expect.poll(() => machine.state.is).toBe('lost');
  await expect.poll(() => failed.mock.calls).toEqual([[DEFECT]]);
  await machine.end();
});

it('starts the next image although the last one did not end cleanly', async () => {
  const replace = vi.fn(async () => undefined);
  const { machine, failed } = machineWith({ image: { giveUp: fails, replace } });
  const by = { because: 'it was reset', from: freshLineage('sbcl-1', 3), systems: null };
  expect(await machine.request((id) => ({ for: 'restart', id, by }))).toBeNull();
  expect(machine.state.is).toBe('idle');
  expect(replace).toHaveBeenCalledOnce();
  expect(failed.mock.calls).toEqual([[DEFECT]]);
});

it('ends an evaluation whose run fails', async () => {
  const { machine, failed } = machineWith({ runner: { run: fails } });
  machine.dispatch({ is: 'requested', turn });
  await expect.poll(() => machine.state.is).toBe('idle');
  expect(failed.mock.calls).toEqual([[DEFECT]]);
});

it('ends although its image does not end cleanly, and its waking settles', async () => {
  const image = {
    current: { end: fails },
    restore: async () => undefined,
    watch: () => {
      throw DEFECT;
    },
  };
  const { machine, failed } = machineWith({ image }, waking('the harbor was started again'));
  await machine.wake('CL-USER', 'the harbor was started again');
  await machine.end();
  expect(machine.state.is).toBe('ended');
  expect(failed.mock.calls).toEqual([[DEFECT], [DEFECT]]);
});

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies Log;
const standing = {
  ...{ lineages: [freshLineage('sbcl-1')], systems: [], holds: false },
  ...{ generation: 1, package: 'CL-USER' },
};
const row = {
  ...{ id: 'sbcl-1', engine: 'sbcl' as const, name: 'one', client: 'ada', project: '/lighthouse' },
  ...{ openedAt: 1, newestRow: 0, lastUsedAt: 1 },
  kept: JSON.stringify(toSavedSession(sessionView('sbcl-1'), {}, standing)),
};

it('records that a session is closed although its folder stays', async () => {
  const rows = { unfinished: () => [row], end: vi.fn() };
  const sessions = new Sessions({
    history: { sessions: rows },
    folders: { remove: fails },
    comeBack: true,
    log,
  } as unknown as SessionsOptions);
  const client = { key: 'ada', scopes: new Set<never>() };
  const sleeping = sessions.known('sbcl-1', client);
  await sessions.close(sleeping);
  await sessions.close(sleeping);
  expect(rows.end).toHaveBeenCalledExactlyOnceWith('sbcl-1', expect.any(Number));
  expect(log.error).toHaveBeenCalledOnce();
  expect(await sessions.list(client)).toEqual([]);
});

it('shows a session that wakes as starting', async () => {
  const saved = {
    load: () => [new SleepingSession(row, toSavedSession(sessionView('sbcl-1'), {}, standing))],
  };
  const asleep = new SleepingSessions(saved as unknown as SavedSessions, { wanted: true, log });
  const [sleeping] = asleep.all as [SleepingSession];
  const awake = Promise.withResolvers<Session>();
  const waits = asleep.waking(sleeping, () => awake.promise);
  expect(sleeping.view().state).toBe('starting');
  awake.reject(DEFECT);
  await expect(waits).rejects.toBe(DEFECT);
  expect(sleeping.view().state).toBe('asleep');
});
