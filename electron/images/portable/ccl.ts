/** Clozure CL. Debian has no package of it, so nobody has run this here; discovery says so. */
import { ask, findProgram } from '../agent/programs';
import type { Implementation } from './implementation';

const MIB = 1024 * 1024;

export const CCL: Implementation = {
  engine: 'ccl',
  title: 'CCL',
  suffix: 'ccl',
  prompt: () => '? ',
  patience: 30_000,
  remark: 'untested with this harbor',

  async find(searchPath) {
    const program = await findProgram(['ccl', 'ccl64', 'lx86cl64', 'dx86cl64', 'ccl32'], searchPath);
    if (program === undefined)
      throw new Error('CCL was not found. Get it from https://ccl.clozure.com/download.html');
    const version = /Version ([\w.-]+)/i.exec(await ask(program, ['--version']))?.[1];
    if (version === undefined) throw new Error(`${program} does not answer as CCL would.`);
    return {
      version,
      path: program,
      command: program,
      evaluate: (form, { heapMiB }) => [
        ...['--no-init', '--quiet', '--batch', '--heap-reserve', String(heapMiB * MIB)],
        ...['--eval', form],
      ],
      runtime: [program],
      needs: [program],
      env: process.env.CCL_DEFAULT_DIRECTORY
        ? { CCL_DEFAULT_DIRECTORY: process.env.CCL_DEFAULT_DIRECTORY }
        : {},
    };
  },
};
