;;;; Errors that ACL2 tells of a form which then ends as if there had been none. :UBT looks at none of its own, TRACE$ goes on to
;;;; the next function, those of MONITOR are left in a wormhole, and :U and :UBT! keep theirs to themselves.

(in-package "LISP-HARBOR-ACL2")

(defconstant +errors-kept+ 20 "Of each form.")

(defvar *errors* '() "Those of the present form, the last one first.")

(defstruct (heard-error (:predicate nil))
  context control alist
  (printed (not (member 'acl2::error (state-global 'acl2::inhibit-output-lst)))))

(defun hear-error (context control alist)
  (when (< (length *errors*) +errors-kept+)
    (push (make-heard-error :context context :control control :alist alist) *errors*)))

(defun install-unheeded-errors ()
  (wrap 'acl2::error1
        (lambda (function arguments)
          (destructuring-bind (context summary control alist &rest ignored) arguments
            (declare (ignore summary ignored))
            (hear-error context control alist))
          (apply function arguments)))
  (wrap 'acl2::error1-safe
        (lambda (function arguments)
          (destructuring-bind (context control alist &rest ignored) arguments
            (declare (ignore ignored))
            (hear-error context control alist))
          (apply function arguments))))

(defun in-its-own-name-p (heard form)
  "Whether HEARD is told of FORM itself. Other errors a program may meet and deal with."
  (let ((context (heard-error-context heard)))
    (and context (symbolp context) (consp form) (symbolp (car form))
         (string= (symbol-name context) (symbol-name (car form))))))

(defun result-of (entry)
  "The value of the triple that ENTRY of LD's history has, and whether it is one."
  (let ((triple (error-triple-p (acl2::ld-history-entry-stobjs-out entry))))
    (values (and triple (second (acl2::ld-history-entry-value entry))) triple)))

(defun unheeded-errors (form entry changed)
  "Of the errors of FORM, which ended well, those that nobody has dealt with, the first one first: its own, and all where
nothing came of it. CHANGED says whether the world did."
  (let ((nothing (and (not changed) (eq (result-of entry) :invisible))))
    (reverse (if nothing
                 *errors*
                 (remove-if-not (lambda (heard) (in-its-own-name-p heard form)) *errors*)))))

(defun ended-in-vain-p (errors entry changed)
  "Whether a form with these ERRORS has failed: it told one and has done nothing. A program looks at its value itself."
  (multiple-value-bind (value triple) (result-of entry)
    (and triple
         (not *as-data*)
         (not changed)
         (member value '(nil :invisible))
         (some #'heard-error-printed errors))))

(defconstant +most-conses-printed+ 500 "Of what an error is about: its parts may be shared, and it huge when printed.")

(defun small-p (object)
  (let ((left +most-conses-printed+))
    (labels ((spend (object)
               (when (consp object)
                 (when (minusp (decf left)) (return-from small-p nil))
                 (spend (car object))
                 (spend (cdr object)))))
      (spend object)
      t)))

(defun error-text (heard)
  (let ((alist (heard-error-alist heard)))
    (if (small-p alist)
        (cut-to 2000 (message-text (heard-error-control heard) alist))
        (one-line (heard-error-context heard) 200))))
