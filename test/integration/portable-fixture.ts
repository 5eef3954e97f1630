/** Images of ECL and ABCL for integration tests, started as the harbor starts them. */
import { onTestFinished } from 'vitest';
import { PortableEngine } from '../../electron/images/portable/engine';
import { ABCL, ECL, type Implementation } from '../../electron/images/portable/implementations';

import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { CORES } from '../shared-cores';
import { recordedLog, SOURCES, startRequest } from './sbcl-fixture';
import { TestImage } from './test-image';

/** For what builds or starts: ABCL takes seconds, and its agent half a minute to compile where it is not yet. */
export const START_MS = 300_000;

export const TESTED: readonly Implementation[] = [ECL, ABCL];

export function portableEngine(implementation: Implementation, searchPath?: string): PortableEngine {
  return new PortableEngine(implementation, {
    sources: SOURCES,
    compiled: CORES,
    log: recordedLog(),
    ...(searchPath === undefined ? {} : { searchPath }),
  });
}

/** A fresh image with the folders it works in, ended with the test. */
export async function startPortable(
  implementation: Implementation,
  launcher: Launcher = new LocalLauncher('a test'),
): Promise<TestImage & { project: string }> {
  const request = await startRequest({ launcher });
  const image = await portableEngine(implementation).start(request);
  onTestFinished(() => image.end());
  return Object.assign(new TestImage(image), { project: request.project });
}
