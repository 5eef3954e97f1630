;;;; What a success depends on besides ACL2's own soundness, as a list of issues, empty if there are
;;;; none. Each has a kind and its subjects. Issues describe the world at this moment.

(in-package "LISP-HARBOR-ACL2")

(defconstant +names-told+ 50 "Maximum subjects of an issue.")

(defun issue (kind objects)
  "A list of one issue about OBJECTS; empty if there are none."
  (when objects
    (let ((told (subseq objects 0 (min +names-told+ (length objects))))
          (more (- (length objects) +names-told+)))
      (list (object "kind" kind
                    "about" (array-of (append (mapcar (lambda (object) (one-line object 300)) told)
                                              (and (plusp more) (list (format nil "and ~d more" more))))))))))

(defun flag-issue (kind value)
  "As ISSUE, about VALUE if it is true."
  (issue kind (and value (list value))))

(defun added-axioms ()
  "Names of axioms other than ACL2's own, added by DEFAXIOM, also inside books."
  (remove-if (lambda (name) (acl2::getpropc name 'acl2::predefined nil (world)))
             (world-global 'acl2::nonconstructive-axiom-names)))

(defun books ()
  "All included books, also those included locally, in an ENCAPSULATE or in another book: an exported theorem may depend on
them. (INCLUDE-BOOK-ALIST without -ALL omits them.)"
  (world-global 'acl2::include-book-alist-all))

(defun annotated-books (key)
  "Full names of the books whose certificates contain KEY."
  (let ((names '()))
    (dolist (entry (books) names)
      (when (eq (cdr (assoc key (fourth entry))) t)
        (push (first entry) names)))))

(defun system-book (name)
  "The :DIR :SYSTEM name of the book of this full name, with extension; NIL if it is not a system book."
  (let ((file (full-book-name name)))
    (and (system-file-p file)
         (subseq file (length *books*)))))

(defvar *told-books* '() "BOOKS as last reported.")

(defun books-to-tell ()
  "The full names of all included books, as JSON, if they have changed since the last report. The harbor decides which are
foreign."
  (unless (eq (books) *told-books*)
    (setq *told-books* (books))
    (array-of (mapcar (lambda (entry) (full-book-name (first entry))) *told-books*))))

(defun trust-issues (&key skipping program-functions)
  "The issues of a success, as JSON objects. SKIPPING is the value of LD-SKIP-PROOFSP at its start; PROGRAM-FUNCTIONS are
those that it defined in :PROGRAM mode."
  (append
   (issue "refuted" (refuted-theorems))
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
