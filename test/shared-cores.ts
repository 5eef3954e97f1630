/** What images start from is built once for all tests. Its name covers all that it is made from, so it is never stale. */
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for files that outlive a run: its temporary folder is removed at its end. */
export const LASTING = process.env.LISP_HARBOR_TEST_LASTING ?? tmpdir();

/** Cores of SBCL and compiled agents of other Lisps. */
export const CORES = path.join(LASTING, 'lisp-harbor-test-cores');

/** @param data the data folder of a harbor that is to be started */
export function shareCores(data: string): void {
  // The index of ACL2's books takes a minute to make.
  for (const [name, shared] of [
    ['cores', CORES],
    ['lemmas', path.join(CORES, 'acl2-lemmas')],
  ] as const) {
    mkdirSync(shared, { recursive: true });
    const own = path.join(data, name);
    if (!existsSync(own)) symlinkSync(shared, own);
  }
}

/** As `shareCores`, for a harbor of somebody else: of the folder's owner are those that they build. */
export function shareCoresWith(other: { own: (file: string) => void }, data: string): void {
  const cores = `${CORES}-of-others`;
  mkdirSync(cores, { recursive: true });
  other.own(cores);
  rmSync(path.join(data, 'cores'), { force: true });
  symlinkSync(cores, path.join(data, 'cores'));
}
