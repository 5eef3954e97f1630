/** A harbor that is attached to Lisply backends which a person has named. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { StartedHarbor, temporaryFolder } from './started-harbor';

/** @param urls of the backends, as addresses of the settings file */
export async function harborWithBackends(...urls: readonly string[]): Promise<StartedHarbor> {
  const data = temporaryFolder('data');
  const servers = urls.map((url) => ({ kind: 'lisply', port: Number(new URL(url).port) }));
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ servers }));
  const harbor = await StartedHarbor.start({ data });
  onTestFinished(async () => {
    await harbor.stop();
    rmSync(data, { recursive: true, force: true });
  });
  return harbor;
}
