;;;; The values of a form as ACL2 prints them at its prompt, each of several by itself.
;;;; By convention a triple (mv erp val state) has the value VAL, and none where that is :INVISIBLE.

(in-package "LISP-HARBOR-ACL2")

(defconstant +list-elements-shown+ 1000000 "Of each list in a value, unless the session has an LD-EVISC-TUPLE of its own.")

(defmacro with-bounded-lists (&body body)
  `(let ((tuple (state-global 'acl2::ld-evisc-tuple)))
     (unless tuple
       (set-state-global 'acl2::ld-evisc-tuple (list nil nil +list-elements-shown+ nil)))
     (unwind-protect (progn ,@body)
       (set-state-global 'acl2::ld-evisc-tuple tuple))))

(defun value-text (signature value)
  "VALUE as LD prints it. SIGNATURE is its STOBJS-OUT."
  (string-trim '(#\Newline #\Space)
               (with-bounded-lists
                 (with-printed-to-string
                   (set-state-global 'acl2::ld-post-eval-print :command-conventions)
                   (or-else (format *printed* "(a value that cannot be printed)")
                     (acl2::ld-print-results (cons signature value) (state)))))))

(defun error-triple-p (signature) (equal signature '(nil nil acl2::state)))

(defun shown-values (signature value)
  "A list of strings: what the prompt would show."
  (cond ((not (error-triple-p signature))
         (if (cdr signature)
             (mapcar (lambda (kind value) (value-text (list kind) value)) signature value)
             (list (value-text signature value))))
        ((eq (second value) :invisible) '())
        (t (list (value-text signature value)))))

(defun data-text (kind value)
  "LD's history holds no stobjs. STATE is a symbol in raw Lisp; one of the user's is an array there, and its name stands
for it. KIND is a keyword where it is no stobj but a type of numbers."
  (cond ((or (null kind) (keywordp kind)) (one-line value most-positive-fixnum))
        ((eq kind 'acl2::state) (one-line (state)))
        (t (format nil "<~a>" (symbol-name kind)))))

(defun data-values (signature value)
  "A list of strings: everything that was returned, each to be read back in package ACL2 and nothing left out."
  (if (cdr signature)
      (mapcar #'data-text signature value)
      (list (data-text (car signature) value))))

(defvar *as-data* nil "Whether the present request is a program's, which wants all that was returned.")

(defun values-printer (limit)
  "A function of a SIGNATURE and a VALUE, as above, that answers strings of at most LIMIT characters each."
  (lambda (signature value)
    (mapcar (lambda (text) (subseq text 0 (min limit (length text))))
            (if *as-data*
                (data-values signature value)
                (shown-values signature value)))))

(defun prompt ()
  "As ACL2 would print it now, such as ACL2 !> or ACL2 p!>. Its last character stands for the level of LD, which is left
here."
  (concatenate 'string
               (string-trim '(#\Newline #\Space)
                            (with-printed-to-string
                              (acl2::default-print-prompt acl2::*standard-co* (state))))
               ">"))
