import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { exitCodeOf, stopInTime } from '../../electron/harbor/shutdown';

describe('stopping in time', () => {
  it('waits for the harbor to stop', async () => {
    let stopped = false;
    const stop = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      stopped = true;
    };
    await stopInTime({ stop });
    expect(stopped).toBe(true);
  });

  it('gives up on one that never stops, after the limit and soon after it', async () => {
    const begun = performance.now();
    const gaveUp = stopInTime({ stop: () => new Promise(() => undefined) }, 50).then(() => 'gave up');
    expect(await Promise.race([gaveUp, delay(10_000, 'still waits', { ref: false })])).toBe('gave up');
    // Timers may fire a millisecond early.
    expect(performance.now() - begun).toBeGreaterThan(45);
  });

  it('rejects with the error of the stop', async () => {
    const failed = Promise.reject(new Error('the disk is gone'));
    await expect(stopInTime({ stop: () => failed })).rejects.toThrow('the disk is gone');
  });
});

describe('the exit code', () => {
  const inUse = new HarborError('data_folder_in_use', 'in use');

  it('is 2 for a bad command line and 1 for other errors', () => {
    expect(exitCodeOf(new HarborError('bad_arguments', '--prot'), { hidden: true })).toBe(2);
    expect(exitCodeOf(new HarborError('port_in_use', '4617'), { hidden: false })).toBe(1);
    expect(exitCodeOf(new TypeError('a defect'), { hidden: true })).toBe(1);
    expect(exitCodeOf(inUse, { hidden: false })).toBe(1);
  });

  it('is 0 for a hidden start if another harbor runs already', () => {
    expect(exitCodeOf(inUse, { hidden: true })).toBe(0);
  });
});
