/** Routes in the hash of the page's address. */
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, type Route, START_ROUTE } from './route';

describe('routes', () => {
  const routes: Partial<Route>[] = [
    { view: 'home' },
    { view: 'sessions', session: 'api-fix', tab: 'memory' },
    { view: 'sessions' },
    { view: 'history', evaluation: 41 },
    { view: 'source', file: 'src/über tide.lisp' },
    { view: 'settings' },
  ];

  it.each(routes)('round-trip through their hash: %o', (part) => {
    const route = { ...START_ROUTE, ...part };
    expect(parseRoute(formatRoute(route), START_ROUTE)).toEqual(route);
  });

  it('keep the parts that a hash does not name', () => {
    const from: Route = { ...START_ROUTE, session: 's1', evaluation: 3 };
    expect(parseRoute('#/clients', from)).toEqual({ ...from, view: 'clients' });
  });

  it('do not change for an unknown hash', () => {
    for (const hash of ['', '#/nowhere', '#<script>'])
      expect(parseRoute(hash, START_ROUTE)).toBe(START_ROUTE);
    expect(parseRoute('#/history/x', START_ROUTE).evaluation).toBeNull();
    expect(parseRoute('#/source/%', START_ROUTE).file).toBeNull();
  });
});
