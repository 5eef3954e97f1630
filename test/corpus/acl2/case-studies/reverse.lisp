;;;; Case study: reversing a true list twice gives it back, and an accumulator makes no difference.
;;;; The lemma comes from the key checkpoint of the first attempt: REV of a list with something at its end.

(defun app (x y)
  (if (consp x)
      (cons (car x) (app (cdr x) y))
      y))

(defun rev (x)
  (if (consp x)
      (app (rev (cdr x)) (list (car x)))
      nil))

(defthm app-is-associative
  (equal (app (app x y) z)
         (app x (app y z))))

(defthm rev-of-app
  (equal (rev (app x (list a)))
         (cons a (rev x))))

(defthm rev-of-rev
  (implies (true-listp x)
           (equal (rev (rev x)) x)))

(defun rev-onto (x acc)
  (if (consp x)
      (rev-onto (cdr x) (cons (car x) acc))
      acc))

(defthm rev-onto-is-rev
  (equal (rev-onto x acc)
         (app (rev x) acc)))
