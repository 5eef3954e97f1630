;;;; Errors that ACL2 prints for a form that then ends as if it had succeeded. :UBT ignores its own,
;;;; TRACE$ continues with the next function, those of MONITOR are lost in a wormhole, and :U and :UBT!
;;;; do not report theirs.

(in-package "LISP-HARBOR-ACL2")

(defconstant +errors-kept+ 20 "Maximum errors of a form.")

(defvar *errors* '() "Errors of the current form, last first.")

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
  "Whether HEARD is about FORM itself. A program may handle other errors."
  (let ((context (heard-error-context heard)))
    (and context (symbolp context) (consp form) (symbolp (car form))
         (string= (symbol-name context) (symbol-name (car form))))))

(defun result-of (entry)
  "The value of the triple in ENTRY of LD's history, and whether it is one."
  (let ((triple (error-triple-p (acl2::ld-history-entry-stobjs-out entry))))
    (values (and triple (second (acl2::ld-history-entry-value entry))) triple)))

(defun unheeded-errors (form entry changed)
  "Errors of FORM, which ended successfully, that were not handled, first one first: its own, and all if it had no effect.
CHANGED says whether the world changed."
  (let ((nothing (and (not changed) (eq (result-of entry) :invisible))))
    (reverse (if nothing
                 *errors*
                 (remove-if-not (lambda (heard) (in-its-own-name-p heard form)) *errors*)))))

(defun ended-in-vain-p (errors entry changed)
  "Whether a form with these ERRORS has failed: it reported one and did nothing. Programs check their values themselves."
  (multiple-value-bind (value triple) (result-of entry)
    (and triple
         (not *as-data*)
         (not changed)
         (member value '(nil :invisible))
         (some #'heard-error-printed errors))))

(defconstant +most-conses-printed+ 500 "Maximum conses printed of an error's subject, whose parts may be shared.")

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
