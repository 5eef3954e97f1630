/** What is found out about an installed ACL2 by the script that starts it. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findInstallation } from '../../electron/images/acl2/installation';

/** A program that says that it is ACL2, and is a script with this in it. */
async function stating(script: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-acl2-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, 'saved_acl2');
  await writeFile(program, `#!/bin/sh\necho ACL2 Version 8.5\n: ${script}\n`);
  await chmod(program, 0o755);
  return program;
}

it.each([
  ['SBCL', '/usr/bin/sbcl --end-runtime-options --no-userinit', ['--no-sysinit']],
  ['another host', '/usr/lib/acl2/saved_acl2.gcl', []],
])('%s loads no file of the system’s at its start', async (_host, script, options) => {
  const program = await stating(script);
  expect(await findInstallation({ program, searchPath: '' })).toMatchObject({ version: '8.5', options });
});
