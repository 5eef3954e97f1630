/** When a certificate is valid, seen from other days; what else may be wrong with one is shown by the checklist. */
import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { readCertificate } from '../../electron/endpoints/http/loopback-http';
import { makeCertificate } from '../certificate';
import { temporaryFolder } from '../started-harbor';

const DAY = 24 * 60 * 60 * 1000;

it('takes a certificate on the days for which it is made, and says which those are', async () => {
  const folder = temporaryFolder('certificate');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = makeCertificate(folder, 'own');
  expect((await readCertificate(files)).host).toBe('localhost');
  await expect(readCertificate(files, Date.now() + 2 * DAY)).rejects.toThrow(/expired on .*GMT/);
  await expect(readCertificate(files, Date.now() - 2 * DAY)).rejects.toThrow(/not valid before .*GMT/);
  const numbered = makeCertificate(folder, 'numbered', 'IP:127.0.0.1');
  expect((await readCertificate(numbered)).host).toBe('127.0.0.1');
});
