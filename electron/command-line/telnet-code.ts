/** `telnet-code`: the code that lets the next connection over telnet in. */
import { runningHarbor, type Subcommand } from './subcommand';

export const telnetCode: Subcommand = {
  usage: '[--data DIR]',
  about: 'prints the code that lets the next connection over telnet in',
  positionals: 0,
  takes: ['data'],
  async run({ folder, say }) {
    say(String(await runningHarbor(folder).command('telnet-code')));
    return 0;
  },
};
