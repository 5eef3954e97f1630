/** The code and the settings that are written for Common Lisps. */
import { describe, expect, it } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { AgentLoader } from '../../electron/images/agent/loader';
import { quicklispOf, sourceRegistry } from '../../electron/images/agent/source-registry';

describe('a string as Lisp code', () => {
  it('keeps quotes, backslashes and line ends', () => {
    expect(lispString('a"b\\c\n')).toBe('"a\\"b\\\\c\n"');
  });
});

describe('code that loads and tests', () => {
  const loader = new AgentLoader(['fiveam']);

  it('is what a person would type', () => {
    expect(loader.loadCode({ systems: ['a', 'b/c'] })).toBe('(lisp-harbor:load-system "a" "b/c")');
    expect(loader.loadCode({ systems: [] })).toBe('(lisp-harbor:load-system)');
    expect(loader.loadCode({ file: '/p/a.lisp' })).toBe('(lisp-harbor:load-file "/p/a.lisp")');
    expect(loader.testCode({ system: 'a', test: 'b', framework: undefined })).toBe(
      '(lisp-harbor:run-tests :system "a" :test "b")',
    );
  });

  it('cannot be left by a name', () => {
    expect(loader.loadCode({ systems: ['") (sb-ext:exit) ("'] })).toBe(
      '(lisp-harbor:load-system "\\") (sb-ext:exit) (\\"")',
    );
  });
});

describe('the source registry', () => {
  const libraries = [
    '/home/u/quicklisp',
    '/home/u/.m2/repository',
    '/usr/share/common-lisp',
    '/usr/lib/sbcl',
  ];

  it('has the project first, then what a person allowed, what Quicklisp has installed and the other libraries', () => {
    const confinement = { readable: [...libraries, '/home/u/ours'], added: ['/home/u/ours'] };
    const trees = [...sourceRegistry('/p', confinement).matchAll(/\(:tree "([^"]*)"\)/g)].map(
      ([, tree]) => tree,
    );
    expect(trees).toEqual([
      '/p/',
      '/home/u/ours/',
      '/home/u/quicklisp/local-projects/',
      '/home/u/quicklisp/dists/quicklisp/software/',
      '/usr/share/common-lisp/',
    ]);
  });

  it('knows whether Quicklisp is there', () => {
    expect(quicklispOf(libraries)).toBe('/home/u/quicklisp');
    expect(quicklispOf(['/usr/lib/sbcl'])).toBeUndefined();
  });
});
