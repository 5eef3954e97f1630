/** Rows about a defect of the harbor itself, which is brought about from outside: a part of Node fails while a file exists. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { StdioLines } from '../stdio-client';

const folder = temporaryFolder('defect');
const defect = path.join(folder, 'defect');

/** Nobody expects that the machine does not tell its memory, so that what asks for it fails as a defect does. */
const PRELOADED = `
const fs = require('node:fs');
const os = require('node:os');
const { readFileSync } = fs;
fs.readFileSync = (file, ...rest) => {
  if (String(file).endsWith('meminfo') && fs.existsSync(${JSON.stringify(defect)})) throw new Error('unreadable');
  return readFileSync(file, ...rest);
};
const { totalmem } = os;
os.totalmem = () => {
  if (fs.existsSync(${JSON.stringify(defect)})) throw new TypeError('a defect on purpose');
  return totalmem();
};
require('node:module').syncBuiltinESMExports();
`;

let harbor: StartedHarbor;

beforeAll(async () => {
  const preloaded = path.join(folder, 'preloaded.cjs');
  writeFileSync(preloaded, PRELOADED);
  harbor = await StartedHarbor.start({ env: { NODE_OPTIONS: `--require ${preloaded}` } });
});
afterAll(async () => {
  await harbor.stop();
  rmSync(folder, { recursive: true });
});

it('S1-43 is answered with -32603 and the id of the request, and the next one as ever', async () => {
  const stdio = new StdioLines(harbor);
  await stdio.initialize();
  const images = (id: string) =>
    stdio.ask({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'images', arguments: {} } });
  writeFileSync(defect, '');
  expect(await images('during')).toMatchObject({ id: 'during', error: { code: -32603 } });
  rmSync(defect);
  expect(await images('after')).toMatchObject({ id: 'after', result: { isError: false } });
  await stdio.end();
});
