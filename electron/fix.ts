/** `lisp-harbor fix …`: an entry of its own, so that it starts without loading what belongs to a harbor. */
import { fix } from './command-line/fix';
import { asFailure } from './contract/errors';
import { commandLine } from './host/command-words';

try {
  const [, ...words] = commandLine(process);
  process.exitCode = await fix.runWords(words, []);
} catch (error) {
  const { code, message } = asFailure(error);
  process.stderr.write(`lisp-harbor: ${message}\n`);
  process.exitCode = code === 'bad_arguments' ? 2 : 1;
}
