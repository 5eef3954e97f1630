/** ASDF systems as their definitions name them. */
import { expect, it } from 'vitest';
import { systemsIn } from '../../electron/source/systems';

it('files of systems are found in modules and folders', () => {
  const text = `
(in-package :asdf-user)
(defsystem "tide" :pathname "src/" :depends-on ("alexandria")
  :components ((:file "package") (:module "core" :serial t :components ((:file "station") (:file "fit")))
               (:module other :pathname "more" :components ((:file "gauge")))
               (:static-file "README.md") #+sbcl (:file "fast" :pathname "sbcl/fast.lisp")))
(asdf:defsystem #:tide/tests :components ((:file "tests")))`;
  expect(systemsIn(text)).toEqual([
    {
      name: 'tide',
      files: [
        'src/package.lisp',
        'src/core/station.lisp',
        'src/core/fit.lisp',
        'src/more/gauge.lisp',
        'src/README.md',
        'src/sbcl/fast.lisp',
      ],
    },
    { name: 'tide/tests', files: ['tests.lisp'] },
  ]);
});

it('a definition that computes its components has no files', () => {
  expect(systemsIn('(defsystem x :components #.(files))')).toEqual([{ name: 'x', files: [] }]);
  expect(systemsIn('(defsystem "broken" :components ((:file')).toEqual([{ name: 'broken', files: [] }]);
});
