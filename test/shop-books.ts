/** A project of three books in a package of their own: `shop` includes `basket` and `parts/price`, and `basket` that as well. */

/** Files by their names in the project. */
export const SHOP: Readonly<Record<string, string>> = {
  // Names of symbols of which packages are made, as ACL2's own books have them.
  'package.lsp': '(defpkg "SHOP" (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*))\n',
  'cert.acl2':
    '(ld "package.lsp")\n(add-include-book-dir :parts "parts/")\n; cert-flags: ? t :skip-proofs-okp nil\n',
  'parts/price.acl2': '(ld "../package.lsp")\n',
  'parts/price.lisp': `(in-package "SHOP")
(local (defthm only-here (equal (car (cons x y)) x) :rule-classes nil))
(defun price (x) (nfix x))
(defthm price-natural (natp (price x)))
`,
  'basket.lisp': `(in-package "SHOP")
(local (encapsulate () (local (include-book "price" :dir :parts))))
(include-book "price" :dir :parts)
(defun total (l) (if (consp l) (+ (price (car l)) (total (cdr l))) 0))
`,
  'shop.lisp': `(in-package "SHOP")
(include-book "basket")
(include-book "parts/price")
(defthm total-natural (natp (total l)))
`,
};

/** Keeps the process that certifies it at work until it is interrupted. */
export const ENDLESS_EVENT = `(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))
(make-event (list 'value-triple (fib 70)))`;

/** The text of `basket.lisp` with an event before the function that it is about. */
export function basketWith(event: string): string {
  return (SHOP['basket.lisp'] ?? '').replace('(defun total', `${event}\n(defun total`);
}
