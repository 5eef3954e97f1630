/** Handles of sessions, told from the names that people give. */
import { expect, it } from 'vitest';
import { isHandle, sessionHandle } from '../../electron/sessions/session-names';

it('a handle is known as one, and few names are taken for it', () => {
  for (const engine of ['sbcl', 'acl2', 'nbb'] as const) expect(isHandle(sessionHandle(engine))).toBe(true);
  for (const name of ['api', 'sbcl', 'sbcl-fix', 'sbcl-worker', 'cobol-abcdef', 'sbcl-ABCDEF'])
    expect(isHandle(name), name).toBe(false);
});
