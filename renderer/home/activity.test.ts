/** Rows of the activity list. */
import { expect, test } from 'vitest';
import type { LastCall } from '../../electron/contract/approvals';
import type { SessionView } from '../../electron/contract/model';
import { atWork } from './activity';

const session = (id: string, client: string, state: SessionView['state']) =>
  ({ id, client, state }) as SessionView;
const call = (client: string, endedAt: number | null): LastCall => ({
  ...{ client, tool: 'find', about: '', startedAt: 0, ending: null },
  endedAt,
});

test('whose session runs is shown by that, others by their last call until that is long ago', () => {
  const sessions = [session('a', 'codex', 'running'), session('b', 'cursor', 'idle')];
  const calls = [call('codex', null), call('cursor', 1_000_000), call('zed', 600_000), call('claude', null)];
  const { running, recent } = atWork(sessions, calls, 1_000_000);
  expect(running.map(({ id }) => id)).toEqual(['a']);
  expect(recent.map(({ client }) => client)).toEqual(['cursor', 'claude']);
});
