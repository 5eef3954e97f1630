/** Commands that editors start themselves. Their code is loaded on demand. */

import { HarborError } from '../contract/errors';
import { reachOptions } from '../host/hidden-start';
import type { Subcommand } from './command-list';

export const lsp: Subcommand = {
  usage: '[--session NAME]',
  about: 'language server over stdin and stdout, for Common Lisp, ACL2 and Clojure files',
  positionals: 0,
  takes: ['data', 'project', 'engine'],
  here: {
    project: 'project (default: the folder that the editor opened)',
    engine: 'engine whose session answers, and which is opened for an evaluation',
  },
  more: [
    'Answers come from the files of the project, and from a session if there is one. The commands',
    'lisp-harbor.evaluate, lisp-harbor.load and lisp-harbor.interrupt run code in it.',
  ].join('\n'),
  own: {
    session: {
      type: 'string',
      takes: 'NAME',
      does: 'session that answers, by handle or name (default: the last used one of the project)',
    },
  },
  async run({ folder, options, own }) {
    const { serveLanguage } = await import('../editors/language-server/language-server');
    const { project, engine } = options;
    serveLanguage({
      ...{ folder, reach: reachOptions(folder, options), stdin: process.stdin, stdout: process.stdout },
      ...(project === undefined ? {} : { project }),
      ...(engine === undefined ? {} : { engine }),
      ...(typeof own.session === 'string' ? { session: own.session } : {}),
    });
    // The editor ends the process, or closes its stdin.
    return new Promise<number>(() => undefined);
  },
};

export const kernel: Subcommand = {
  usage: '--engine NAME CONNECTION_FILE',
  about: 'a kernel that Jupyter starts: cells run in a session of the harbor',
  positionals: 1,
  takes: ['data', 'project', 'engine'],
  here: { engine: 'engine of the session' },
  more: '"lisp-harbor agent install jupyter" registers it with Jupyter.',
  async run({ folder, options, positionals: [file] }) {
    const { engine, project = process.cwd() } = options;
    if (file === undefined || engine === undefined)
      throw new HarborError('bad_arguments', 'Usage: lisp-harbor kernel --engine NAME CONNECTION_FILE');
    const [{ serveKernel, sessionName }, { readConnectionFile }] = await Promise.all([
      import('../editors/kernel/kernel'),
      import('../editors/kernel/jupyter-messages'),
    ]);
    await serveKernel({
      ...{ folder, reach: reachOptions(folder, options), connection: readConnectionFile(file) },
      ...{ engine, project, name: sessionName(process.env, engine) },
    });
    return 0;
  },
};
