/** Where an evaluation is run again: always in its own engine. */
import { z } from 'zod';

/** `branch` opens a session with the present state of the evaluation's. */
export const AgainWhere = z.enum(['same', 'new', 'branch']);
export type AgainWhere = z.infer<typeof AgainWhere>;
