/** Code and settings that are generated for Common Lisps. */
import { describe, expect, it } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { quicklispOf, sourceRegistry } from '../../electron/images/agent/source-registry';
import { AgentLoader } from '../../electron/images/agent/traits';

describe('a string as Lisp code', () => {
  it('preserves quotes, backslashes and newlines', () => {
    expect(lispString('a"b\\c\n')).toBe('"a\\"b\\\\c\n"');
  });
});

describe('code that loads and tests', () => {
  const loader = new AgentLoader(['fiveam']);

  it('is what a user would type', () => {
    expect(loader.loadCode({ systems: ['a', 'b/c'] })).toBe('(lisp-harbor:load-system "a" "b/c")');
    expect(loader.loadCode({ systems: [] })).toBe('(lisp-harbor:load-system)');
    expect(loader.loadCode({ file: '/p/a.lisp' })).toBe('(lisp-harbor:load-file "/p/a.lisp")');
    expect(loader.testCode({ system: 'a', test: 'b', framework: undefined })).toBe(
      '(lisp-harbor:run-tests :system "a" :test "b")',
    );
  });

  it('cannot be escaped by a name', () => {
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

  it("has the project first, then folders the user allowed, Quicklisp's libraries and the other libraries", () => {
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

  it('detects Quicklisp', () => {
    expect(quicklispOf(libraries)).toBe('/home/u/quicklisp');
    expect(quicklispOf(['/usr/lib/sbcl'])).toBeUndefined();
  });
});
