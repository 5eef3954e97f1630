/** Checks what a tool was given before it runs. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import type { Tool } from './tool';

/** @throws HarborError `bad_arguments`, naming each member that is wrong */
export function checkedArguments<A extends z.ZodObject>(
  { name, args }: Pick<Tool<A>, 'name' | 'args'>,
  given: unknown,
): z.output<A> {
  const parsed = args.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new HarborError('bad_arguments', `Arguments of ${name} are wrong:\n${z.prettifyError(parsed.error)}`);
}
