/** ECL: compiles the agent through C, so a C compiler has to be there; Debian's package brings one. */
import { ask, findProgram } from '../agent/programs';
import type { Implementation } from './implementation';

const MIB = 1024 * 1024;

export const ECL: Implementation = {
  engine: 'ecl',
  title: 'ECL',
  suffix: 'fas',
  prompt: () => '> ',
  patience: 30_000,

  async find(searchPath) {
    const program = await findProgram(['ecl'], searchPath);
    if (program === undefined) throw new Error('ECL was not found. Install it with: apt install ecl');
    const version = /^ECL (\S+)/m.exec(await ask(program, ['--version']))?.[1];
    if (version === undefined) throw new Error(`${program} does not answer as ECL would.`);
    return {
      version,
      path: program,
      command: program,
      evaluate: (form, { heapMiB }) => ['--norc', '--heap-size', String(heapMiB * MIB), '--eval', form],
      runtime: [program],
      needs: [program],
      env: {},
    };
  },
};
