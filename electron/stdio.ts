/** stdio entry: connects an MCP client’s stdin and stdout to the running harbor, or starts a hidden one. */
import { asFailure } from './contract/errors';
import { runStdio } from './endpoints/local/stdio-bridge';
import { commandLine, isElectronApp } from './host/command-line';
import { dataFolder } from './host/data-folder';
import { reachOptions } from './host/hidden-start';
import { type Options, parseOptions, printHelpIfRequested } from './host/options';

/** Resolves with the exit code when the client has closed stdin and all requests are answered. */
async function stdio(options: Options): Promise<number> {
  const folder = dataFolder(options.data);
  return runStdio({
    ...reachOptions(folder, options),
    secretFile: folder.bridgeSecret,
    hello: {
      client: options.client,
      project: options.project ?? process.env.INIT_CWD ?? process.cwd(),
      ...(options.profile === undefined ? {} : { profile: options.profile }),
      ...(options.engine === undefined ? {} : { engine: options.engine }),
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    debug: options.debug,
  });
}

try {
  const words = commandLine(process);
  if (!printHelpIfRequested('stdio', words))
    process.exitCode = await stdio(parseOptions(words, process.env, isElectronApp(process)));
} catch (error) {
  process.stderr.write(`lisp-harbor: ${asFailure(error).message}\n`);
  process.exitCode = 2;
}
