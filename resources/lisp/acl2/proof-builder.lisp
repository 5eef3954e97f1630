;;;; The proof-builder without a conversation: instructions are run up to the first that fails, and the goals that
;;;; are left are told as data. Nothing is added to the world; a DEFTHM with these :INSTRUCTIONS does that.

(in-package "LISP-HARBOR-ACL2")

(defun builder-state ()
  "The proof-builder's present state; NIL where there is none."
  (car (cdr (assoc 'acl2::state-stack (state-global 'acl2::pc-output)))))

(defun address-of (goal) (acl2::access acl2::goal goal :current-addr))

(defun goal-object (goal)
  (object "name" (one-line (acl2::access acl2::goal goal :goal-name))
          "hypotheses" (array-of (mapcar #'one-line-term (acl2::access acl2::goal goal :hyps)))
          "conclusion" (one-line-term (acl2::access acl2::goal goal :conc))
          "address" (array-of (address-of goal))))

(defun builder-object (builder-state)
  (object "goals" (array-of (mapcar #'goal-object (acl2::access acl2::pc-state builder-state :goals)))))

(defun running (term instructions)
  "The form that runs INSTRUCTIONS and fails where one of them does. PC-TOP itself then has no value."
  `(acl2::mv-let (acl2::erp acl2::val acl2::state)
       (acl2::pc-top ',term nil nil ',instructions '(acl2::signal acl2::value) nil acl2::state)
     (cond ((or acl2::erp (null acl2::val))
            (acl2::er acl2::soft 'acl2::harbor-verify "An instruction failed: what is left is what those before it left."))
           (t (acl2::value :invisible)))))

(defun run-instructions (term instructions)
  "Answers whether all succeeded, and the state of the proof-builder after the last that did."
  (set-state-global 'acl2::pc-output nil)
  (let ((succeeded (submit (running term instructions) (object))))
    (values succeeded (builder-state))))

(define-harbor-form acl2::harbor-verify ((term t) (instructions list))
  "Runs INSTRUCTIONS on TERM. A session of the proof-builder that was left is afterwards there as before."
  (let ((output (state-global 'acl2::pc-output))
        (named (state-global 'acl2::pc-ss-alist)))
    (unwind-protect
        (multiple-value-bind (succeeded left) (run-instructions term instructions)
          (values (and succeeded (make-success))
                  (and left (object "builder" (builder-object left)))))
      (set-state-global 'acl2::pc-output output)
      (set-state-global 'acl2::pc-ss-alist named))))
