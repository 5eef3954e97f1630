/** What is kept of a session is read by later versions. */
import { expect, it } from 'vitest';
import { parseSavedSession, toSavedSession } from '../../electron/sessions/open-request';
import { freshLineage } from '../../electron/sessions/recovery/lineage';
import { sessionView } from '../../renderer/test-rows';

const standing = {
  lineages: [freshLineage('clojure-1')],
  systems: [],
  holds: false,
  generation: 1,
  package: 'user',
};

it('is the same again, and of a version that kept no taps a session without them', () => {
  const kept = toSavedSession(sessionView('clojure-1', { taps: true }), {}, standing);
  expect(parseSavedSession(JSON.stringify(kept))).toEqual(kept);
  const { taps: _taps, ...earlier } = kept.shown;
  expect(parseSavedSession(JSON.stringify({ ...kept, shown: earlier }))?.shown.taps).toBe(false);
});
