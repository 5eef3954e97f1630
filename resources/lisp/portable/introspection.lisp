;;;; Information about definitions: kinds, source locations and lambda lists, as far as the standard
;;;; and the functions ARGLIST-OF and FILE-OF provide it. Types, expanders and callers are available
;;;; only on SBCL.

(in-package :lisp-harbor-agent)

;;; Kinds.

(define-implementation variable-kind (symbol)
  (cond ((keywordp symbol) nil)
        ((constantp symbol) :constant)
        ((or (boundp symbol) (declared-special-p symbol)) :variable)))

;;; Source locations.

(defun read-text (file)
  (with-open-file (in file)
    (let* ((text (make-string (file-length in)))
           (end (read-sequence text in)))
      (subseq text 0 end))))

(defun line-in-file (file position)
  "Returns the line of the form at or after POSITION, which the Lisp records as the position of its reader."
  (let* ((text (ignore-errors (read-text file)))
         (start (and text position (form-start text (min position (length text))))))
    (and start (line-number text start))))

(define-implementation definition-location (name kind)
  (when (member kind '(:function :generic-function :macro))
    (multiple-value-bind (file position) (ignore-errors (file-of name))
      (and file (optional-members "file" file "line" (line-in-file file position))))))

;;; Lambda lists.

(define-implementation lambda-list-of (name kind)
  (case kind
    ((:function :generic-function :macro) (arglist-of (if (symbolp name) name (fdefinition name))))
    (t (values nil nil))))

;;; Queries that only SBCL supports.

(defun refuse-kind (what)
  (refuse "not_supported" "~A does not remember ~A. Search the text of the source instead."
          (lisp-implementation-type) what))

(define-query "callers" (arguments)
  "Refused."
  (declare (ignore arguments))
  (refuse-kind "who calls a function"))

(define-query "references" (arguments)
  "Refused."
  (declare (ignore arguments))
  (refuse-kind "who refers to a name"))

(define-query "unsaved" (arguments)
  "Refused."
  (declare (ignore arguments))
  (refuse-kind "which evaluation defined a name"))
