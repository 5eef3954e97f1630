/** What the window remembers of its layout from one start to the next. */
import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand';
import { keepLayout, keptLayout } from './kept-layout';
import { START_ROUTE } from './route';
import { INITIAL_VIEW_STATE } from './view-state';

function storage(text: string | null = null) {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_: string, next: string) => {
      kept = next;
    },
  };
}

describe('a layout', () => {
  it('comes back as it was left', () => {
    const kept = storage();
    const route = createStore(() => START_ROUTE);
    const viewState = createStore(() => INITIAL_VIEW_STATE);
    keepLayout(kept, route, viewState);
    route.setState({ tab: null });
    viewState.setState({ splits: { session: 0.7 }, secondTab: 'memory', lastTab: 'proof' });
    const back = keptLayout(kept);
    expect(back.route).toEqual({ ...START_ROUTE, tab: null });
    expect(back.viewState).toEqual({
      ...INITIAL_VIEW_STATE,
      ...{ splits: { session: 0.7 }, secondTab: 'memory', lastTab: 'proof' },
    });
  });

  it.each([
    null,
    '',
    '{',
    '3',
    '{}',
    '{"splits":{"session":"wide"},"sessionSort":{"column":"colour"},"tab":4}',
  ])('is that of a first start where %s was kept', (text) => {
    const { route, viewState } = keptLayout(storage(text));
    expect(route).toEqual(START_ROUTE);
    expect(viewState).toEqual(INITIAL_VIEW_STATE);
  });
});
