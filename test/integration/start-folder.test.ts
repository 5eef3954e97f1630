/** A harbor lives longer than the folder in which somebody has started it. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PATIENT, ROOT, StartedHarbor, temporaryFolder } from '../started-harbor.ts';

const folder = temporaryFolder('started-in');
const harbor = await StartedHarbor.start({
  command: ['env', '-C', folder, process.execPath, path.join(ROOT, 'out/electron/serve.js')],
});
afterAll(() => harbor.stop());

it('still finds and starts engines when that folder is gone', async () => {
  rmSync(folder, { recursive: true });
  const client = await harbor.client();
  // What is installed is looked for anew when settings change, and ECL does not run in a folder that is not there.
  writeFileSync(path.join(harbor.data, 'settings.json'), JSON.stringify({ keepReady: false, engine: 'ecl' }));
  const opened = async () => (await client.callTool({ name: 'open_session', arguments: {} })).content;
  await expect
    .poll(opened, PATIENT)
    .toEqual([{ type: 'text', text: expect.stringMatching(/^Opened ecl-/) as string }]);
});
