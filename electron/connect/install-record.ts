/** What is remembered of one entry that we wrote. Pure. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The file without our entry: it did not exist, or its bytes are in a backup. `madeFolder`: the outermost folder made for it. */
const Before = z.discriminatedUnion('existed', [
  z.object({ existed: z.literal(false), madeFolder: z.string().optional() }),
  z.object({ existed: z.literal(true), sha256: z.string(), backup: z.string() }),
]);

export const InstallRecord = z.object({
  version: z.literal(2),
  client: z.string(),
  file: z.string(),
  /** Milliseconds since the epoch. */
  writtenAt: z.number(),
  /** `fingerprint` of the entry, which may hold a token. */
  entry: z.string(),
  /** SHA-256 of the file as we left it. */
  after: z.string(),
  before: Before,
  /** The key that holds the servers was not there before. */
  madeServers: z.boolean(),
});
export type InstallRecord = z.infer<typeof InstallRecord>;
export type Before = z.infer<typeof Before>;

/** SHA-256 in hexadecimal. */
export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The same for values that say the same. */
export function fingerprint(value: unknown): string {
  return sha256(JSON.stringify(value, (_, inner: unknown) => inOrder(inner)) ?? '');
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
