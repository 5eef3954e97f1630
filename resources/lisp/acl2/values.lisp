;;;; Values of a form as ACL2 prints them at its prompt, each of several separately. By convention a
;;;; triple (mv erp val state) has the value VAL, and none if that is :INVISIBLE.

(in-package "LISP-HARBOR-ACL2")

(defconstant +list-elements-shown+ 1000000 "Maximum elements of each list in a value, unless the session has set
LD-EVISC-TUPLE.")

(defmacro with-bounded-lists (&body body)
  (let ((before (gensym)))
    `(let ((,before (state-global 'acl2::ld-evisc-tuple)))
       (unless ,before
         (set-state-global 'acl2::ld-evisc-tuple (list nil nil +list-elements-shown+ nil)))
       (unwind-protect (progn ,@body)
         (set-state-global 'acl2::ld-evisc-tuple ,before)))))

(defun value-text (signature value)
  "VALUE as LD prints it. SIGNATURE is its STOBJS-OUT."
  (string-trim '(#\Newline #\Space)
               (with-bounded-lists
                 (with-printed-to-string
                   (set-state-global 'acl2::ld-post-eval-print :command-conventions)
                   (or-else (format *printed* "(unprintable value)")
                     (acl2::ld-print-results (cons signature value) (state)))))))

(defun error-triple-p (signature) (equal signature '(nil nil acl2::state)))

(defun shown-values (signature value)
  "A list of strings, as shown at the prompt."
  (cond ((not (error-triple-p signature))
         (if (cdr signature)
             (mapcar (lambda (kind value) (value-text (list kind) value)) signature value)
             (list (value-text signature value))))
        ((eq (second value) :invisible) '())
        (t (list (value-text signature value)))))

(defun data-text (kind value)
  "LD's history contains no stobjs. STATE is a symbol in raw Lisp; a user's stobj is an array there and is printed as its
name. KIND is a keyword if it is not a stobj but a number type."
  (cond ((or (null kind) (keywordp kind)) (one-line value most-positive-fixnum))
        ((eq kind 'acl2::state) (one-line (state)))
        (t (format nil "<~a>" (symbol-name kind)))))

(defun data-values (signature value)
  "A list of strings: all returned values, complete and readable in package ACL2."
  (if (cdr signature)
      (mapcar #'data-text signature value)
      (list (data-text (car signature) value))))

(defvar *as-data* nil "Whether the current request is from a program, which needs all returned values.")

(defun values-printer (limit)
  "A function of a SIGNATURE and a VALUE, as above, that returns strings of at most LIMIT characters each."
  (lambda (signature value)
    (mapcar (lambda (text) (subseq text 0 (min limit (length text))))
            (if *as-data*
                (data-values signature value)
                (shown-values signature value)))))

(defun prompt ()
  "The prompt as ACL2 would print it now, such as ACL2 !> or ACL2 p!>. Its last character, the level of LD, is omitted."
  (concatenate 'string
               (string-trim '(#\Newline #\Space)
                            (with-printed-to-string
                              (acl2::default-print-prompt acl2::*standard-co* (state))))
               ">"))
