/** How a command about other programs answers. */
import { HarborError } from '../contract/errors';
import type { CommandDependencies } from './subcommand';

/** Says what `answer` comes to. A program that is not known is misuse of the command.
 * @returns the exit code
 * @throws HarborError `bad_arguments`, and as `answer` does */
export async function saying(
  answer: Promise<string>,
  { say }: Pick<CommandDependencies, 'say'>,
): Promise<number> {
  try {
    say(await answer);
    return 0;
  } catch (error) {
    if (error instanceof HarborError && error.code === 'client_unknown')
      throw new HarborError('bad_arguments', error.message);
    throw error;
  }
}
