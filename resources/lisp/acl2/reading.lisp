;;;; Reads the forms of a request one at a time with ACL2's own reader, in the current package. Keyword
;;;; commands (:pe app), a package name alone, and #.*constant* work as at ACL2's prompt.

(in-package "LISP-HARBOR-ACL2")

(defun read-command ()
  "Reads from STANDARD-OI. Returns :END; :ERROR and a sentence; or :FORM, the form, and its text if that was a keyword
command."
  (multiple-value-bind (end error keyword-command form)
      (acl2::with-suppression (acl2::ld-read-command (state)))
    (cond (end :end)
          (error (values :error "This is not an ACL2 command; see the output for the reason."))
          (t (values :form form keyword-command)))))

(defun read-form (channel)
  "The next form of CHANNEL, as READ-COMMAND returns it."
  (let ((answer (list :error "The reader failed.")))
    (set-state-global 'acl2::standard-oi channel)
    (catch 'acl2::local-top-level
      (let ((*readtable* acl2::*acl2-readtable*))
        (setq answer (handler-case (multiple-value-list (read-command))
                       (error (condition) (list :error (condition-text condition)))))))
    (set-state-global 'acl2::standard-oi acl2::*standard-oi*)
    (values-list answer)))
