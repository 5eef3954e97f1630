/** A program that runs in an image of a project and is kept running, such as a web server. */
import { z } from 'zod';
import { EngineName, SessionId } from './model';

const Code = z.string().trim().min(1).max(10_000);

/** Named by the user only. A project has one. */
export const Application = z.object({
  project: z.string().min(1).max(4096),
  /** Starts it. Evaluated again in each new image of its session. */
  run: Code,
  /** Ends it before its session is closed; absent: the image just ends. */
  end: Code.optional(),
  engine: EngineName.optional(),
  /** The port that it listens on, which is reachable at the same port of this computer's loopback. */
  port: z.int().min(1).max(65_535).optional(),
  /** Whether it starts with Lisp Harbor. */
  atStart: z.boolean().default(true),
});
export type Application = z.infer<typeof Application>;

export const ApplicationView = Application.extend({
  state: z.enum(['stopped', 'starting', 'running', 'failed']),
  session: SessionId.nullable(),
  /** Its address while it is running; null without a port. */
  url: z.string().nullable(),
  /** Why it failed, in one sentence. */
  problem: z.string().nullable(),
});
export type ApplicationView = z.infer<typeof ApplicationView>;
