/** The core that images of SBCL start from, built before the clock of any test runs: a busy machine needs a minute for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { asFailure } from '../electron/contract/errors';
import { SbclEngine } from '../electron/images/sbcl/engine';
import { LocalLauncher } from '../electron/launchers/local';
import { CORES } from './shared-cores';

/** Called by Vitest, once for all files. Where there is no SBCL, the tests that need it say so. */
export default async function buildFirstCore(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-first-core-'));
  const engine = new SbclEngine({
    sources: path.resolve(import.meta.dirname, '../resources/lisp'),
    cores: CORES,
    heapMiB: () => 512,
    log: { warn: () => undefined },
  });
  const confinement = { writable: [folder], readable: [], network: false };
  const launcher = new LocalLauncher('only the core is wanted');
  const request = { launcher, confinement, project: folder, home: folder, checkpoints: folder };
  try {
    await (await engine.start(request)).end();
  } catch (error) {
    if (asFailure(error).code !== 'engine_unavailable') throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
