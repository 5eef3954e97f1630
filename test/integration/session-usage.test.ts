/** What a session says of its process is said of the one that it has. */
import { expect, it } from 'vitest';
import { Engines } from '../../electron/images/discovery';
import type { Image, StartRequest } from '../../electron/images/image';
import { SbclEngine } from '../../electron/images/sbcl/engine';
import { CORES } from '../shared-cores';
import { PATIENT } from '../started-harbor';
import { HEAP_MIB, recordedLog, SOURCES } from './sbcl-fixture';
import { pidOf, sessionsFixture } from './sessions-fixture';

/** SBCL whose images tell what they take only when they are let. */
class SlowlyTelling extends SbclEngine {
  let: Promise<void> = Promise.resolve();

  override async start(request: StartRequest): Promise<Image> {
    const image = await super.start(request);
    const usage = image.usage.bind(image);
    image.usage = async () => {
      const read = await usage();
      await this.let;
      return read;
    };
    return image;
  }
}

it('is not that of an image that ended while it was read', async () => {
  const engine = new SlowlyTelling({
    sources: SOURCES,
    cores: CORES,
    heapMiB: () => HEAP_MIB,
    log: recordedLog(),
  });
  const session = await sessionsFixture({ instead: { engines: new Engines([engine], () => undefined) } }).open();
  const pid = await pidOf(session);
  const told = Promise.withResolvers<void>();
  engine.let = told.promise;
  const reading = session.refreshUsage();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => session.state, PATIENT).toBe('lost');
  told.resolve();
  await reading;
  expect(session.view()).toMatchObject({ pid: null, memoryBytes: null });
});
