/** A book that was to be certified. */
import { z } from 'zod';

/** `book` is the file without its extension; `certificate` is the file that ACL2 wrote, null where it did not. */
export const Certification = z.object({ book: z.string(), certificate: z.string().nullable() });
export type Certification = z.infer<typeof Certification>;
