/** "not sandboxed" in results, until a person has accepted the reason once: in the settings, where there is no window. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

const UNCONFINED = 'started with --unconfined';

/** An unconfined harbor whose person has accepted these reasons, and a client of it. */
async function harborAccepting(acceptedUnsandboxed: readonly string[]) {
  const data = temporaryFolder('data');
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ version: 1, acceptedUnsandboxed }));
  const harbor = await StartedHarbor.start({ data, args: ['--unconfined'] });
  onTestFinished(async () => void (await harbor.stop()));
  return harbor.client();
}

describe('a result of an image that is not sandboxed', () => {
  it('says so, with the reason, as long as another one was accepted', async () => {
    const client = await harborAccepting(['bubblewrap is not installed']);
    const { structured, text } = await evaluate(client, '(+ 1 2)');
    expect(structured.notes).toContain(`not sandboxed: ${UNCONFINED}`);
    expect(text).toContain(`not sandboxed: ${UNCONFINED}`);
  });

  it('says nothing once a person has accepted the reason; whoever asks is told the truth', async () => {
    const client = await harborAccepting([UNCONFINED]);
    const { structured, text } = await evaluate(client, '(+ 1 2)');
    expect(structured).toMatchObject({ outcome: 'ok', values: ['3'] });
    expect(`${text} ${structured.notes}`).not.toContain('not sandboxed');
    const opened = await call<{ sandbox: string }>(client, 'open_session', {});
    expect(opened.structured.sandbox).toBe(`not sandboxed: ${UNCONFINED}`);
    expect((await call(client, 'images', {})).text).toContain(`not sandboxed: ${UNCONFINED}`);
  });
});
