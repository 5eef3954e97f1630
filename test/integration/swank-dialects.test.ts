/**
 * Attaching to every dialect of Swank works by the same few requests; SLY's server is recognized and refused.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { DIALECTS, type Dialect, DialectServer, SLY } from '../swank-dialects';
import { attach, evaluate } from './swank-fixture';

async function portOf(dialect: Dialect): Promise<number> {
  const server = await DialectServer.start(dialect);
  onTestFinished(() => server.stop());
  return server.port;
}

describe.each(DIALECTS)('a server of $name', (dialect) => {
  it('is attached, and is heard to the end of what it prints', async () => {
    const image = await attach(await portOf(dialect));
    expect(noteTexts(image.introduction ?? []).join()).toMatch(/attached to Mock 1 at/);
    for (const _round of [1, 2])
      expect(await evaluate(image, '(f)')).toMatchObject({
        outcome: 'ok',
        stdout: 'line 1\nline 2\nline 3\n',
        values: ['7'],
      });
  });
});

describe('a server of SLY', () => {
  it('is refused by its name, with what to do', async () => {
    await expect(attach(await portOf(SLY))).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringMatching(/Attaching to .* failed: .*Slynk.*SLY.*swank:create-server/),
    });
  });
});
