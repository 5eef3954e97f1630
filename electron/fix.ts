/** Entry of `lisp-harbor fix`. It is separate so that nothing of the harbor is loaded. */
import { fix } from './command-line/fix';
import { asFailure } from './contract/errors';
import { commandLine } from './host/command-line';

try {
  const [, ...words] = commandLine(process);
  process.exitCode = await fix.runWords(words, []);
} catch (error) {
  const { code, message } = asFailure(error);
  process.stderr.write(`lisp-harbor: ${message}\n`);
  process.exitCode = code === 'bad_arguments' ? 2 : 1;
}
