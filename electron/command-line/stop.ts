/** `stop`: ends the harbor of the data folder, which it asks through its socket. Nothing is found or ended by name. */
import { HarborError } from '../contract/errors';
import { RunningHarbor } from '../host/running-harbor';
import type { Subcommand } from './subcommand';

export const stop: Subcommand = {
  usage: '[--data DIR]',
  about: 'ends the harbor of the data folder; its sessions end and its ports are free',
  positionals: 0,
  takes: ['data'],
  async run({ folder, say }) {
    const running = RunningHarbor.of(folder);
    if (!running) {
      say(`No harbor runs on ${folder.root}.`);
      return 0;
    }
    const { pid } = await running.summary();
    if (!(await running.stop()))
      throw new HarborError(
        'internal',
        `The harbor (process ${pid}) was asked to end and has not ended yet.`,
      );
    say(`The harbor of ${folder.root} (process ${pid}) has ended.`);
    return 0;
  },
};
