;;;; ABOUTME: The values of a form as ACL2 prints them at its prompt, each of several by itself.
;;;; ABOUTME: By convention a triple (mv erp val state) has the value VAL, and none where that is :INVISIBLE.

(in-package "LISP-HARBOR-ACL2")

(defconstant +list-elements-shown+ 2000 "Of each list in a value, unless the session has an LD-EVISC-TUPLE of its own.")

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

(defun printed-values (signature value limit)
  "A list of strings of at most LIMIT characters each."
  (flet ((text (signature value)
           (let ((text (value-text signature value)))
             (subseq text 0 (min limit (length text))))))
    (cond ((not (error-triple-p signature))
           (if (cdr signature)
               (mapcar (lambda (kind value) (text (list kind) value)) signature value)
               (list (text signature value))))
          ((eq (second value) :invisible) '())
          (t (list (text signature value))))))

(defun prompt ()
  "As ACL2 would print it now, such as ACL2 !> or ACL2 p!>. Its last character stands for the level of LD, which is left
here."
  (concatenate 'string
               (string-trim '(#\Newline #\Space)
                            (with-printed-to-string
                              (acl2::default-print-prompt acl2::*standard-co* (state))))
               ">"))
