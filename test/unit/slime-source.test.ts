/** Where the Lisp parts of SLIME and SLY are found. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmacsProtocol } from '../../electron/contract/harbor-status';
import { emacsFolder } from '../../electron/images/agent/emacs-folders';
import { libraryFolders } from '../../electron/sandbox/allow-list';
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

function search(named?: string, writable = [root], server: EmacsProtocol = 'swank') {
  const inHome = libraryFolders(root).filter((folder) => folder.startsWith(root));
  const readable = [path.join(root, 'common-lisp'), path.join(root, 'quicklisp'), ...inHome];
  return emacsFolder(server, named, {
    launcher: { sandbox: { confined: true } },
    confinement: { readable, writable },
  });
}

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

  it('is the newest that a package manager of Emacs has put into the home folder', () => {
    slimeAt('.emacs.d', 'elpa', 'slime-2.9');
    const newest = slimeAt('.emacs.d', 'elpa', 'slime-2.30');
    slimeAt('.emacs.d', 'elpa', 'slime-extras-3.0');
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

describe('SLY', () => {
  const slyAt = (...names: string[]): string => {
    const folder = path.join(root, ...names);
    mkdirSync(path.join(folder, 'slynk'), { recursive: true });
    writeFileSync(path.join(folder, 'slynk', 'slynk-loader.lisp'), '');
    return folder;
  };
  const find = (named?: string) => search(named, [root], 'slynk');

  it('is that of Emacs’s package manager, else of Quicklisp', () => {
    const quicklisp = slyAt('quicklisp', 'dists', 'quicklisp', 'software', 'sly-20240503-git');
    expect(find()).toBe(quicklisp);
    const named = slyAt('sly');
    expect(find(named)).toBe(named);
    slyAt('.config', 'emacs', 'elpa', 'sly-1.0.43');
    expect(search(undefined, [root], 'slynk')).toBe(quicklisp);
    rmSync(quicklisp, { recursive: true });
    expect(find()).toBe(path.join(root, '.config', 'emacs', 'elpa', 'sly-1.0.43'));
  });

  it('is missed with what to install', () => {
    expect(() => find()).toThrow(/package-install RET sly[\s\S]*Settings/);
  });
});
