/** Connections into an image are begun and ended with every way in which versions of Swank keep a list of them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Engines } from '../../electron/images/discovery';
import { PATIENT, ROOT } from '../started-harbor';
import { engine } from './sbcl-fixture';
import { sessionsFixture } from './sessions-fixture';
import { OWN_THREADS, swankPorts, threadsOf, valuesOf } from './slime-fixture';

const STAND_IN = path.join(ROOT, 'test/slime-stand-in/swank-loader.lisp');
const MESSAGE = '000014(:emacs-rex 1 nil t)';

/** The folder of a SLIME that keeps its connections in that way. */
function slimeWith(keeper: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-slime-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const loader = `(defvar cl-user::*keeper* ${keeper})\n${readFileSync(STAND_IN, 'utf8')}`;
  writeFileSync(path.join(folder, 'swank-loader.lisp'), loader);
  return folder;
}

describe.each([
  ['before 2.28', ':sentinel'],
  ['since 2.28', ':lock'],
])('a Swank as it was %s', (_when, keeper) => {
  it('lets one after another in, and keeps no thread of those who have gone', async () => {
    const engines = new Engines([engine(undefined, slimeWith(keeper))], () => undefined);
    const fixture = sessionsFixture({ instead: { engines } });
    const [session, ports] = [await fixture.open(), swankPorts(fixture)];
    onTestFinished(() => ports.close());
    const { port, version } = await ports.open(session.id);
    expect(version).toBe(keeper.slice(1));
    for (let round = 1; round <= 5; round += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.write(MESSAGE);
      let heard = '';
      socket.on('data', (data) => {
        heard += String(data);
      });
      await expect.poll(() => heard, PATIENT).toContain('stands-in');
      socket.destroy();
    }
    await expect.poll(() => valuesOf(session, 'swank::*connections*'), PATIENT).toEqual(['NIL']);
    await expect.poll(() => threadsOf(session), PATIENT).toEqual(OWN_THREADS);
  });
});
