/** Progress of one call, as it is sent to the client that asked for it. */
import { expect, it } from 'vitest';
import { CallProgress } from '../../electron/endpoints/mcp/tasks';

it('is sent until the call ends, and never after its answer, whenever it is told', () => {
  const sent: unknown[] = [];
  const progress = new CallProgress('token', async ({ params }) => void sent.push(params));
  progress.report('early');
  progress.report('waits');
  progress.end();
  progress.report('late');
  expect(sent).toEqual([{ progressToken: 'token', progress: 1, message: 'early' }]);
});
