/** Recent projects. */
import { expect, test } from 'vitest';
import type { SessionView } from '../../electron/contract/model';
import { recentProjects } from './recent';

const session = (project: string, state: SessionView['state'], lastUsedAt: number) =>
  ({ project, state, lastUsedAt, engine: 'sbcl' }) as SessionView;

test('the project used last comes first, those without a session last', () => {
  const sessions = [
    session('/a', 'idle', 1),
    session('/b', 'asleep', 3),
    session('/b', 'idle', 2),
    session('/c', 'ended', 9),
  ];
  expect(recentProjects(sessions, ['/d', '/a'])).toEqual([
    { folder: '/b', engines: ['sbcl'], open: 2, asleep: 1, usedAt: 3 },
    { folder: '/a', engines: ['sbcl'], open: 1, asleep: 0, usedAt: 1 },
    { folder: '/d', engines: [], open: 0, asleep: 0, usedAt: null },
  ]);
});
