;;;; Case study: joining two lists is associative.
;;;; The test that proves it submits these forms one after another, exports the session and certifies the book.

(defun app (x y)
  (if (consp x)
      (cons (car x) (app (cdr x) y))
      y))

(defthm app-is-associative
  (equal (app (app x y) z)
         (app x (app y z))))
