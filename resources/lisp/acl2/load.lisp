;;;; Loads the helper into ACL2's raw Lisp after :Q, before anything is evaluated. It needs no trust
;;;; tag and does not change the logical world. It wraps some of ACL2's functions (wrapping.lisp).

(in-package "ACL2")

(defpackage "LISP-HARBOR-ACL2"
  (:use "COMMON-LISP")
  (:export "SERVE"))

;;; ACL2 code cannot refer to this package: it is not an ACL2 package, so reading its symbols is an
;;; error, and DEFPKG refuses the name because Lisp already has it.

#+sbcl (load (merge-pathnames "../sbcl/room.lisp" *load-truename*) :verbose nil)

(let ((folder (make-pathname :name nil :type nil :version nil :defaults *load-truename*)))
  (dolist (name '("json" "printing" "protected-output" "channels" "records" "world" "formulas"
                  "wrapping" "compiled-files" "certificates" "evaluators" "provisional" "sharpsign" "certifying" "objects" "trust" "trust-tags"
                  "checkpoints" "goal-functions"
                  "event-data" "names" "redundancy" "signals" "interrupts" "memory" "progress" "reading" "values" "commands"
                  "unheeded-errors" "changed-books" "forms" "terms" "counterexamples" "harbor-forms" "queries" "file-names" "trials" "attempts" "undoing" "syntax" "replaying" "restoring"
                  "loading" "observing" "proof-builder" "documentation" "definitions" "findings" "knowledge" "dependencies"
                  "lemmas" "theorems" "claims" "checked-code" "requests"))
    (load (merge-pathnames (concatenate 'string name ".lisp") folder) :verbose nil)))
