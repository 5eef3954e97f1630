/** The shell's decisions: who may call, where the page may go, which files it may read. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleFile, externalAddress, isAppUrl, isTrustedFrame, mayUse } from '../../electron/shell/origin';

const ELSEWHERE = [
  'https://bundle/index.html',
  'file:///index.html',
  'app://other/index.html',
  'app://bundle.example/index.html',
  'app://user@bundle/index.html',
  'app://bundle:8080/index.html',
  'data:text/html,app://bundle/',
  'about:blank',
  'not an address',
  '',
];

describe('a calling frame', () => {
  it('is trusted as the main frame of the app', () => {
    expect(isTrustedFrame({ url: 'app://bundle/index.html#history', parent: null })).toBe(true);
  });

  it('is not trusted inside another frame, or when it went away', () => {
    expect(isTrustedFrame({ url: 'app://bundle/index.html', parent: {} })).toBe(false);
    expect(isTrustedFrame(null)).toBe(false);
  });

  it.each(ELSEWHERE)('is not trusted at %j', (url) => {
    expect(isAppUrl(url)).toBe(false);
    expect(isTrustedFrame({ url, parent: null })).toBe(false);
  });
});

describe('a link', () => {
  it('opens in the browser when its site is on the list', () => {
    expect(externalAddress('https://www.sbcl.org/manual/')).toBe('https://www.sbcl.org/manual/');
  });

  it('is serialized anew', () => {
    expect(externalAddress('HTTPS://WWW.SBCL.ORG/a b')).toBe('https://www.sbcl.org/a%20b');
  });

  it.each([
    'http://www.sbcl.org/',
    'https://example.org/',
    'https://www.sbcl.org.example.org/',
    'https://www.sbcl.org:8443/',
    'https://user:secret@www.sbcl.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'vscode://file/etc/passwd',
    'www.sbcl.org',
  ])('stays dead: %s', (url) => {
    expect(externalAddress(url)).toBeNull();
  });
});

describe('a permission', () => {
  it('is given for copying from our own page alone', () => {
    expect(mayUse('clipboard-sanitized-write', 'app://bundle/')).toBe(true);
    expect(mayUse('clipboard-sanitized-write', 'https://example.org/')).toBe(false);
    expect(mayUse('clipboard-read', 'app://bundle/')).toBe(false);
    expect(mayUse('media', 'app://bundle/')).toBe(false);
  });
});

describe('a file of the bundle', () => {
  const folder = path.resolve('/srv/bundle');

  it('is found below the folder', () => {
    expect(bundleFile(folder, 'app://bundle/assets/main.js?v=1#top')).toBe(
      path.join(folder, 'assets/main.js'),
    );
    expect(bundleFile(folder, 'app://bundle/a%20b.css')).toBe(path.join(folder, 'a b.css'));
  });

  it('cannot be above it: an address has no way up that survives its parsing', () => {
    expect(bundleFile(folder, 'app://bundle/%2e%2e/../secret')).toBe(path.join(folder, 'secret'));
  });

  it.each([
    'app://bundle/',
    'app://bundle/assets/',
    'app://bundle/..%2f..%2fsecret',
    'app://bundle/assets/..%2F..%2F..%2Fetc/passwd',
    'app://bundle/..%5c..%5csecret',
    'app://bundle/%2e%2e%2fbundle-of-others/main.js',
    'app://bundle/main.js%00.png',
    'app://bundle/%E0%A4%A',
    'app://other/main.js',
    'https://bundle/main.js',
  ])('is not served for %s', (address) => {
    expect(bundleFile(folder, address)).toBeNull();
  });
});
