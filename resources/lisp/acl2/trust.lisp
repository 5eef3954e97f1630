;;;; What a success rests on beside ACL2's own soundness, as a list of issues that is empty when it is nothing.
;;;; Each is a kind and what it concerns. They hold for the world as it is at this moment.

(in-package "LISP-HARBOR-ACL2")

(defconstant +names-told+ 50 "Of one kind of issue.")

(defun issue (kind objects)
  "A list of one issue about OBJECTS, or of none where there are none."
  (when objects
    (let ((told (subseq objects 0 (min +names-told+ (length objects))))
          (more (- (length objects) +names-told+)))
      (list (object "kind" kind
                    "about" (array-of (append (mapcar (lambda (object) (one-line object 300)) told)
                                              (and (plusp more) (list (format nil "and ~d more" more))))))))))

(defun flag-issue (kind value)
  "As ISSUE, about VALUE where it is true."
  (issue kind (and value (list value))))

(defun added-axioms ()
  "Names of axioms that are not ACL2's own; DEFAXIOM adds them, also inside books."
  (remove-if (lambda (name) (acl2::getpropc name 'acl2::predefined nil (world)))
             (world-global 'acl2::nonconstructive-axiom-names)))

(defun books ()
  "All included books, with those that were included locally, in an ENCAPSULATE or in another book: a theorem that has left
such a book may rest on it. (INCLUDE-BOOK-ALIST without -ALL knows nothing of them.)"
  (world-global 'acl2::include-book-alist-all))

(defun annotated-books (key)
  "Full names of the books whose certificates say KEY."
  (let ((names '()))
    (dolist (entry (books) names)
      (when (eq (cdr (assoc key (fourth entry))) t)
        (push (first entry) names)))))

(defun system-book (name)
  "What :DIR :SYSTEM calls the book of this full name, with its extension; NIL where it is none of the system's."
  (let ((file (full-book-name name)))
    (and (system-file-p file)
         (subseq file (length *books*)))))

(defvar *told-books* '() "What BOOKS was when it was told last.")

(defun books-to-tell ()
  "The full names of all included books, as JSON, where they have changed since they were told. The harbor decides which of
them are foreign."
  (unless (eq (books) *told-books*)
    (setq *told-books* (books))
    (array-of (mapcar (lambda (entry) (full-book-name (first entry))) *told-books*))))

(defun trust-issues (&key skipping program-functions)
  "The issues of what has just succeeded, as JSON objects. SKIPPING is what LD-SKIP-PROOFSP was when it began;
PROGRAM-FUNCTIONS are those that it defined in :PROGRAM mode."
  (append
   (flag-issue "skip-proofs" (world-global 'acl2::skip-proofs-seen))
   (flag-issue "proofs-skipped-now" (or skipping (state-global 'acl2::ld-skip-proofsp)))
   (issue "axiom" (added-axioms))
   (issue "trust-tag" (world-global 'acl2::ttags-seen))
   (flag-issue "redefinition" (world-global 'acl2::redef-seen))
   (flag-issue "redefinition-allowed" (state-global 'acl2::ld-redefinition-action))
   (issue "uncertified-book" (acl2::collect-uncertified-books (books)))
   (issue "book-with-axioms" (annotated-books :axiomsp))
   (issue "book-with-skipped-proofs" (annotated-books :skipped-proofsp))
   (issue "program-mode" program-functions)
   (flag-issue "raw-mode" (acl2::raw-mode-p (state)))
   (flag-issue "illegal-state" (or-else nil (acl2::illegal-state-p (state))))))
