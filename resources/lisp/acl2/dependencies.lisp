;;;; Dependencies of names: the functions in a body or formula, and the rules and lemmas that a proof
;;;; used.

(in-package "LISP-HARBOR-ACL2")

(defconstant +dependencies-told+ 500 "Maximum names of an answer.")

(defun mentioned-functions (symbol)
  "The functions in the body or formula of SYMBOL."
  (let ((term (or (property symbol 'acl2::unnormalized-body)
                  (property symbol 'acl2::theorem))))
    (and term (remove symbol (acl2::all-fnnames term)))))

(defun supporters (symbol)
  "The events used in the proofs of the event of SYMBOL, which ACL2 stores in the world."
  (cdr (find-if (lambda (entry)
                  (let ((name (car entry)))
                    (if (consp name) (member symbol name) (eq symbol name))))
                (acl2::global-val 'acl2::proof-supporters-alist (world)))))

(defun own-name-p (symbol)
  "Whether an event after ACL2's own introduced SYMBOL."
  (and (logical-name-p symbol) (plusp (place-of (event-tail symbol)))))

(defun in-order (symbols)
  (sort (remove-duplicates (remove-if-not #'logical-name-p symbols)) #'symbol-before-p))

(defun dependencies-object (symbol)
  (object "name" (shown symbol)
          "kind" (kind symbol)
          "calls" (array-of (mapcar #'shown (in-order (mentioned-functions symbol))))
          "used" (array-of (mapcar #'shown (in-order (remove symbol (supporters symbol)))))))

(defun dependencies-from (symbol depth)
  "SYMBOL and its dependencies up to DEPTH steps away, nearest first. Dependencies of built-in names are omitted."
  (let ((found (list symbol)) (front (list symbol)))
    (dotimes (step depth)
      (let ((next '()))
        (dolist (each front)
          (dolist (needed (append (mentioned-functions each) (supporters each)))
            (unless (or (member needed found) (not (own-name-p needed)))
              (push needed found)
              (push needed next))))
        (setq front next)))
    (reverse found)))

(define-query :dependencies (request text)
  (let ((found (dependencies-from (present-name request text) (getf request :depth))))
    (array-of (mapcar #'dependencies-object
                      (subseq found 0 (min +dependencies-told+ (length found)))))))
