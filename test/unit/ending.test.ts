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

  it('gives up on one that never stops', async () => {
    await stopInTime({ stop: () => new Promise(() => undefined) }, 10);
  });

  it('tells what the stop failed with', async () => {
    const failed = Promise.reject(new Error('the disk is gone'));
    await expect(stopInTime({ stop: () => failed })).rejects.toThrow('the disk is gone');
  });
});

describe('the exit code', () => {
  const held = new HarborError('data_folder_in_use', 'held');

  it('is 2 for what was typed wrong and 1 for what failed', () => {
    expect(exitCodeOf(new HarborError('bad_arguments', '--prot'), { hidden: true })).toBe(2);
    expect(exitCodeOf(new HarborError('port_in_use', '4617'), { hidden: false })).toBe(1);
    expect(exitCodeOf(new TypeError('a defect'), { hidden: true })).toBe(1);
    expect(exitCodeOf(held, { hidden: false })).toBe(1);
  });

  it('is 0 for a hidden start that another harbor was faster than', () => {
    expect(exitCodeOf(held, { hidden: true })).toBe(0);
  });
});
