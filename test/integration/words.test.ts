/** What answers cost an agent, by a script of ordinary work: each keeps its goal, and says what it is for. */
import { expect, it } from 'vitest';
import { wordsOf } from '../agents/words';
import { sharedHarbor } from '../shared-harbor';

it('an answer costs no more characters than its goal', async () => {
  const harbor = await sharedHarbor();
  try {
    for (const { what, goal, text, says } of await wordsOf(await harbor.client(), harbor.project)) {
      expect(text, what).toMatch(says);
      expect(text.length, `${what}: ${text}`).toBeLessThanOrEqual(goal);
    }
  } finally {
    await harbor.stop();
  }
});
