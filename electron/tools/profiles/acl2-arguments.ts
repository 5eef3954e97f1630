/** Arguments that several tools of the profile `acl2` take. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';

export const session_id = z.string().optional().describe('Omitted: your default session');

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

/** The one that is given of arguments which other versions call otherwise. @throws HarborError `bad_arguments` */
export function eitherOf(given: Readonly<Record<string, string | undefined>>): string {
  const [name] = Object.keys(given);
  const value = Object.values(given).find((each) => each !== undefined);
  if (value === undefined) throw new HarborError('bad_arguments', `Give ${name ?? 'it'}.`);
  return value;
}

/** Versions disagree on whether numbers are text. */
export function wholeNumber(most: number) {
  return z.union([z.int().min(1).max(most), z.string().regex(/^[1-9]\d{0,3}$/)]);
}
