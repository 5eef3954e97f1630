;;;; Undoing commands: all after one, by ACL2's own :UBT, or one of them without losing those after it.
;;;; For the latter all are undone and submitted again, proofs and all; an interrupt brings the world back whole.

(in-package "LISP-HARBOR-ACL2")

(defun retract-to (place)
  "Whether the command at PLACE is now the last one. Where ACL2 refuses it has said why."
  (or (eql place (last-place (world)))
      (progn
        (renew-answers)
        (evaluate-all-forms)
        (run-ld (list 'acl2::ubt (place-number (1+ place))))
        (eql place (last-place (world))))))

(defun no-command (operator number)
  (refuse operator "There is no command ~d: the world has the commands ~d to ~d."
          number (place-number 1) (command-number)))

(define-harbor-form acl2::harbor-undo ((number integer))
  "Back to just after the command NUMBER; 0 is before the first."
  (cond ((not (<= 0 (number-place number) (last-place (world))))
         (no-command 'harbor-undo number))
        ((retract-to (number-place number))
         (make-success :values (list (format nil "~d" number))))))

(defun restore-world (world)
  "Makes WORLD, which was the present one before, the present one again."
  (acl2::with-more-warnings-suppressed
    (acl2::with-suppression
      (acl2::set-w! world (state)))))

(defun command-to-submit (place)
  "Of the command at PLACE its number, and what SUBMIT-SOURCE takes of it."
  (let ((command (place-command place)))
    (list (place-number place) (command-form command) (command-folder command) (gethash command *files*))))

(defun commands-from (place)
  "Of the command at PLACE and of those after it what SUBMIT-COMMANDS takes."
  (let ((sources '()))
    (do ((last (last-place (world)) (1- last)))
        ((< last place) sources)
      (push (command-to-submit last) sources))))

(defun submit-commands (sources)
  "Those of SOURCES that were not admitted again, and whether nobody has interrupted it."
  (let ((lost '()))
    (dolist (source sources)
      (destructuring-bind (number text folder file) source
        (unless (submit-source text folder file number)
          (push (lost-object number text) lost)))
      (when *stop* (return)))
    (values (nreverse lost) (not *stop*))))

(defun submit-commands-with-proofs (sources)
  "As SUBMIT-COMMANDS, whatever the session has set."
  (let ((skipping (state-global 'acl2::ld-skip-proofsp)))
    (set-state-global 'acl2::ld-skip-proofsp nil)
    (unwind-protect (submit-commands sources)
      (set-state-global 'acl2::ld-skip-proofsp skipping))))

(defun submit-again (sources world operator)
  "Submits SOURCES and answers what a harbor form does, for OPERATOR. After an interrupt WORLD is the present one again."
  (multiple-value-bind (lost finished) (submit-commands-with-proofs sources)
    (cond (finished (submitted sources lost))
          (t (restore-world world)
             (refuse operator "It was interrupted: the world is as it was.")))))

(defun undo-one (place)
  (let ((world (world))
        (sources (commands-from (1+ place))))
    (when (retract-to (1- place))
      (submit-again sources world 'harbor-undo-one))))

(define-harbor-form acl2::harbor-undo-one ((number integer))
  "Takes the command NUMBER out of the world. Those after it are proved anew; which of them are lost is told."
  (let ((*telling-changes* nil))
    (if (<= 1 (number-place number) (last-place (world)))
        (undo-one (number-place number))
        (no-command 'harbor-undo-one number))))
