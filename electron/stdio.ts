/** stdio entry: pipes an MCP client's stdin and stdout to the running harbor, starting a hidden one if there is none. */
import { asFailure } from './contract/errors';
import { dataFolder } from './data-folder';
import { runStdio } from './endpoints/stdio-bridge';
import { startHidden } from './hidden-start';
import { lockHolder } from './lock';
import { commandLine, isElectronApp, type Options, parseOptions } from './options';

/** Resolves with the exit code once the client has closed stdin and has its answers. */
async function stdio(options: Options): Promise<number> {
  const folder = dataFolder(options.data);
  return runStdio({
    socketPath: () => lockHolder(folder.lock)?.socket ?? folder.socket,
    isHeld: () => lockHolder(folder.lock) !== null,
    secretFile: folder.bridgeSecret,
    hello: {
      client: options.client,
      project: options.project ?? process.env.INIT_CWD ?? process.cwd(),
      ...(options.profile === undefined ? {} : { profile: options.profile }),
      ...(options.engine === undefined ? {} : { engine: options.engine }),
    },
    startHarbor: () => startHidden(folder, options),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
  });
}

try {
  process.exitCode = await stdio(parseOptions(commandLine(process), process.env, isElectronApp(process)));
} catch (error) {
  process.stderr.write(`lisp-harbor: ${asFailure(error).message}\n`);
  process.exitCode = 2;
}
