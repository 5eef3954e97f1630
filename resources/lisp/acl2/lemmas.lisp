;;;; Theorems of the world for a search by formula.

(in-package "LISP-HARBOR-ACL2")

(defconstant +formula-told+ 2000 "Maximum characters. Longer formulas are abbreviated in the middle and cannot match.")

(defun functions-named (names)
  "The functions of this world among NAMES, and T if one of the names is unknown; other macros than aliases are skipped,
because formulas have them expanded."
  (let ((functions '()) (unknown nil))
    (dolist (name names)
      (multiple-value-bind (symbol found) (find-name name nil)
        (let ((symbol (and found (callable symbol))))
          (cond ((and found (function-name-p symbol)) (pushnew symbol functions))
                ((not (and found (macro-name-p symbol))) (setq unknown t))))))
    (values functions unknown)))

(defun about-p (functions formula)
  (every (lambda (function) (acl2::ffnnamep function formula)) functions))

(defun theorems-about (functions)
  "Newest first."
  (let ((found '()))
    (dolist (triple (world))
      (when (and (eq (cadr triple) 'acl2::theorem)
                 (consp (cddr triple))
                 (about-p functions (cddr triple))
                 (equal (cddr triple) (property (car triple) 'acl2::theorem)))
        (push (car triple) found)))
    (nreverse found)))

(defun lemma-object (symbol)
  (cons :object
        (without-nulls (list* "name" (shown symbol)
                              "kind" (kind-with-remark symbol)
                              "formula" (shown (as-written (property symbol 'acl2::theorem) t) +formula-told+)
                              (origin symbol)))))

(define-query :lemmas (request text)
  (multiple-value-bind (functions unknown) (functions-named (getf request :names))
    (let ((found (and (not unknown) (theorems-about functions))))
      (object "theorems" (array-of (mapcar #'lemma-object
                                           (subseq found 0 (min (getf request :limit) (length found)))))
              "total" (length found)))))
