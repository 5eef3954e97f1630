;;;; Case study: insertion sort answers an ordered list, and one that is a permutation of what it was given.
;;;; Two lists are permutations of each other when everything occurs equally often in both.

(defun insert (e x)
  (cond ((endp x) (list e))
        ((<= e (car x)) (cons e x))
        (t (cons (car x) (insert e (cdr x))))))

(defun insertion-sort (x)
  (if (endp x)
      nil
      (insert (car x) (insertion-sort (cdr x)))))

(defun ordered-p (x)
  (or (endp x)
      (endp (cdr x))
      (and (<= (car x) (cadr x))
           (ordered-p (cdr x)))))

(defun occurrences (e x)
  (cond ((endp x) 0)
        ((equal e (car x)) (+ 1 (occurrences e (cdr x))))
        (t (occurrences e (cdr x)))))

(defthm ordered-p-of-insert
  (implies (ordered-p x)
           (ordered-p (insert e x))))

(defthm insertion-sort-is-ordered
  (ordered-p (insertion-sort x)))

(defthm occurrences-of-insert
  (equal (occurrences a (insert e x))
         (if (equal a e)
             (+ 1 (occurrences a x))
             (occurrences a x))))

(defthm insertion-sort-is-a-permutation
  (equal (occurrences a (insertion-sort x))
         (occurrences a x)))
