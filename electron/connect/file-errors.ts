/** What the file system's refusals mean to a person. Pure. */
import { type ErrorCode, HarborError } from '../contract/errors';

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EACCES: 'there is no permission; change the permissions of the file and its folder',
    EPERM: 'the system does not permit it; unlock the file, or quit the program that holds it',
    EROFS: 'the file system is read-only; make it writable',
    ENOSPC: 'the disk is full; free some space',
    EDQUOT: 'your disk quota is used up; free some space',
    EISDIR: 'it is a folder where a file should be; move it away',
    ENOTDIR: 'one of the folders on its path is a file; move that away',
    EEXIST: 'one of the folders on its path is a file; move that away',
    ELOOP: 'its symbolic links lead in a circle; correct them',
    EBUSY: 'another program holds it; quit that program',
  }),
);

/** For `catch`: a path that does not exist is an answer, any other error stays one. */
export function absent(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
  return undefined;
}

/** The code of a system error (`ENOENT`, …), undefined for any other. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** An error to tell a person, for a system error about `path`; anything else comes back as it is. */
export function fileError(
  error: unknown,
  code: ErrorCode,
  verb: 'read' | 'written' | 'deleted',
  path: string,
): unknown {
  const system = systemCode(error);
  if (error instanceof HarborError || system === undefined) return error;
  const remedy = REMEDIES.get(system) ?? `the system says ${system}; correct that`;
  return new HarborError(code, `${path} cannot be ${verb}: ${remedy} and try again.`);
}
