/** `--issue-token` gives nobody the key of somebody else, whether a harbor runs or not. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { StartedHarbor, spawnServe, temporaryFolder } from '../started-harbor';

async function issue(data: string, name: string): Promise<{ code: unknown; token: string; said: string }> {
  const child = spawnServe(['--data', data, '--issue-token', name]);
  if (!child.stdout || !child.stderr) throw new Error('serve was started without pipes');
  const [[code], token, said] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, token, said };
}

it.each(['you', 'command-line', 'stdio', 'serve'])('%s', async (name) => {
  const harbor = await StartedHarbor.start();
  for (const data of [harbor.data, temporaryFolder('data')]) {
    const refused = { code: 2, token: '', said: expect.stringContaining(`${name} is reserved`) };
    expect(await issue(data, name)).toMatchObject(refused);
  }
  // The token of the ready line is in force still.
  await (await harbor.client()).listTools();
  await harbor.stop();
});
