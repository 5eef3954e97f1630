/** What the files of a worker share is loaded once: hooks that it registered then would hold for the first of them alone. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const TESTS = path.resolve(import.meta.dirname, '..');

const HOOK = /^(?:beforeAll|beforeEach|afterAll|afterEach|aroundAll|aroundEach|onTestFinished)\(/m;

it('no fixture registers hooks while it is loaded', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' });
  const shared = files.filter((file) => file.endsWith('.ts') && !/\.(?:test|spec)\.ts$/.test(file));
  expect(shared.length).toBeGreaterThan(50);
  expect(shared.filter((file) => HOOK.test(readFileSync(path.join(TESTS, file), 'utf8')))).toEqual([]);
});
