/** The profiles, in the order in which they are shown. */
import { z } from 'zod';
import { HarborError } from './errors';
import { thereAre } from './names-there';

export const ProfileName = z.enum(['default', 'cl-mcp-server', 'lisp-mcp-server', 'acl2', 'nrepl', 'lisply']);
export type ProfileName = z.infer<typeof ProfileName>;

/** @throws HarborError `bad_arguments` */
export function profileNamed(name: string): ProfileName {
  const known = ProfileName.safeParse(name);
  if (known.success) return known.data;
  throw new HarborError(
    'bad_arguments',
    `There is no profile ${name}. ${thereAre(name, ProfileName.options)}`,
  );
}
