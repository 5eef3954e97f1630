/** Arguments that several tools of the profile `acl2` take. */
import { z } from 'zod';

export const session_id = z.string().optional().describe('A session handle; omitted: your default session');

export const timeout = z.number().positive().max(600).optional();

interface Given {
  session_id?: string | undefined;
  timeout?: number | undefined;
}

/** As our tools take them. What takes longer than `timeout` seconds goes on as a job: nothing is killed by a timer. */
export function where({ session_id: session, timeout: seconds }: Given): {
  session?: string;
  wait_ms?: number;
} {
  return {
    ...(session === undefined ? {} : { session }),
    ...(seconds === undefined ? {} : { wait_ms: Math.round(seconds * 1_000) }),
  };
}
