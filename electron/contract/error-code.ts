/** The code of an error, where others say it. */
import { z } from 'zod';
import { ERROR_CODES } from './errors';

export const ErrorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof ErrorCode>;
