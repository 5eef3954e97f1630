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

;;; A name that was not proved, or that rests on such a name, has a remark wherever its kind is shown.

(defconstant +names-searched+ 2000 "Maximum names that are searched for unproved ones.")

(defun unproved-reason (symbol)
  "Why the event of SYMBOL was not proved, as words after the kind; NIL if it was."
  (let* ((tail (event-tail symbol))
         (event (cddr (car tail)))
         (book (book-of tail)))
    (cond ((axiom-p event) "not proved")
          ((and (null book) (skipped-p event)) "proof skipped")
          ((member book (acl2::collect-uncertified-books (books)) :test #'equal) "of an uncertified book"))))

(defun anything-unproved-p ()
  (or (world-global 'acl2::skip-proofs-seen)
      (added-axioms)
      (acl2::collect-uncertified-books (books))))

(defun unproved-below (symbol)
  "An unproved name on which the proof or definition of SYMBOL rests; NIL if there is none."
  (let ((found (list symbol)) (front (list symbol)))
    (do () ((or (endp front) (> (length found) +names-searched+)) nil)
      (let ((next (pop front)))
        (dolist (needed (append (mentioned-functions next) (supporters next)))
          (unless (or (member needed found) (not (own-name-p needed)))
            (when (unproved-reason needed) (return-from unproved-below needed))
            (push needed found)
            (push needed front)))))))

(defun kind-with-remark (symbol)
  "The kind of SYMBOL, with a remark if it or something that it rests on was not proved."
  (let ((kind (if (and (own-name-p symbol) (axiom-p (cddr (car (event-tail symbol))))) "axiom" (kind symbol))))
    (if (and (anything-unproved-p) (own-name-p symbol))
        (let* ((reason (unproved-reason symbol))
               (below (and (not reason) (unproved-below symbol))))
          (cond (reason (format nil "~a, ~a" kind reason))
                (below (format nil "~a, rests on ~a, which is not proved" kind (shown below)))
                (t kind)))
        kind)))

(defun in-order (symbols)
  (sort (remove-duplicates (remove-if-not #'logical-name-p symbols)) #'symbol-before-p))

(defun dependencies-object (symbol)
  (object "name" (shown symbol)
          "kind" (kind-with-remark symbol)
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
