/** Where the Lisp half of SLIME is found. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSlime } from '../../electron/images/sbcl/installation';
import { temporaryFolder } from '../started-harbor';

let root: string;
beforeEach(() => {
  root = temporaryFolder('slime');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function slimeAt(...names: string[]): string {
  const folder = path.join(root, ...names);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'swank-loader.lisp'), '');
  return folder;
}

const search = (named?: string, visible = [root]) =>
  findSlime({ named, visible, libraries: [path.join(root, 'common-lisp'), path.join(root, 'quicklisp')] });

describe('SLIME', () => {
  it('is where Debian puts it', () => {
    const debian = slimeAt('common-lisp', 'source', 'slime');
    slimeAt('quicklisp', 'dists', 'quicklisp', 'software', 'slime-v2.30');
    expect(search()).toBe(debian);
  });

  it('is the newest that Quicklisp has', () => {
    slimeAt('quicklisp', 'dists', 'quicklisp', 'software', 'slime-v2.9');
    const newest = slimeAt('quicklisp', 'dists', 'quicklisp', 'software', 'slime-v2.30');
    slimeAt('quicklisp', 'dists', 'quicklisp', 'software', 'slimeball-2.40');
    expect(search()).toBe(newest);
  });

  it('is what a person named, wherever else it is', () => {
    slimeAt('common-lisp', 'source', 'slime');
    const named = slimeAt('elpa', 'slime-2.31');
    expect(search(named)).toBe(named);
  });

  it('is missed with what to install', () => {
    mkdirSync(path.join(root, 'common-lisp', 'slime'), { recursive: true });
    expect(() => search()).toThrow(/apt install cl-swank[\s\S]*Settings/);
  });

  it('is missed where a person named a folder without it, or one that the sandbox does not hold', () => {
    expect(() => search(root)).toThrow(/swank-loader\.lisp/);
    const named = slimeAt('elpa', 'slime-2.31');
    expect(() => search(named, [path.join(root, 'elpa', 'slime')])).toThrow(/Reset the session/);
  });
});
