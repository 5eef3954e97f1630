/** The saved layout of the window. */

import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand';
import { START_ROUTE } from './route';
import { INITIAL_VIEW_STATE, loadLayout, saveLayout } from './view-state';

function storage(text: string | null = null) {
  let saved = text;
  return {
    getItem: () => saved,
    setItem: (_: string, next: string) => {
      saved = next;
    },
  };
}

describe('a layout', () => {
  it('is restored as it was saved', () => {
    const saved = storage();
    const route = createStore(() => START_ROUTE);
    const viewState = createStore(() => INITIAL_VIEW_STATE);
    saveLayout(saved, route, viewState);
    route.setState({ tab: 'log', session: 'sbcl-3' });
    viewState.setState({ splits: { session: 0.7 }, secondTab: 'memory', sessionRail: true });
    const back = loadLayout(saved);
    expect(back.route).toEqual({ ...START_ROUTE, tab: 'log', session: 'sbcl-3' });
    expect(back.viewState).toEqual({
      ...INITIAL_VIEW_STATE,
      ...{ splits: { session: 0.7 }, secondTab: 'memory', sessionRail: true },
    });
  });

  it.each([
    null,
    '',
    '{',
    '3',
    '{}',
    '{"splits":{"session":"wide"},"sessionSort":{"column":"colour"},"tab":4}',
  ])('is the default if %s was saved', (text) => {
    const { route, viewState } = loadLayout(storage(text));
    expect(route).toEqual(START_ROUTE);
    expect(viewState).toEqual(INITIAL_VIEW_STATE);
  });
});
