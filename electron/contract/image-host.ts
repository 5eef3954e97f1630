/** Hosts: other machines on which images run. Only the user names them, in the settings. */
import { z } from 'zod';

const Folder = z.string().startsWith('/').max(4000);

/** How a project gets there: the same folder at another path, by folder; or the same file system at the same path. */
const HostProject = z.union([
  z.strictObject({ map: z.record(Folder, Folder) }),
  z.strictObject({ shared: z.literal(true) }),
]);

export const ImageHost = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'A name has lower-case letters, digits and hyphens.'),
  launcher: z.literal('ssh'),
  /** As for ssh: a name of its configuration, or user@machine. */
  address: z
    .string()
    .max(300)
    .regex(/^[\w][\w.@:%-]*$/, 'Not an address for ssh.'),
  project: HostProject,
  /** Programs of the engines there; absent: they are found on PATH. */
  engines: z.strictObject({ sbcl: Folder.optional() }).optional(),
  /** Maximum images of one map. */
  most: z.int().min(1).max(64).optional(),
});
export type ImageHost = z.infer<typeof ImageHost>;
