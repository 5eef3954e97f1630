/** Arguments that several tools of the profile `cl-mcp-server` take. */
import { z } from 'zod';

export const packageArgument = z
  .string()
  .optional()
  .describe('Package context (default: the current package)');

export const Code = z.strictObject({
  code: z.string().min(1).describe('Common Lisp code'),
  package: packageArgument,
});
