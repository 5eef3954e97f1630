;;;; Undoes commands: all after one, with ACL2's own :UBT, or a single one. For the latter, the command
;;;; and all later ones are undone and the later ones submitted again with their proofs; an interrupt
;;;; restores the world.

(in-package "LISP-HARBOR-ACL2")

(defun retract-to (place)
  "Whether the command at PLACE is now the last one. If ACL2 refuses, it has printed the reason."
  (or (eql place (last-place (world)))
      (progn
        (renew-answers)
        (evaluate-all-forms)
        (run-ld (list 'acl2::ubt (place-number (1+ place))))
        (eql place (last-place (world))))))

(defun no-command (operator number)
  (refuse operator "There is no command ~d. Commands of this world: ~d to ~d."
          number (place-number 1) (command-number)))

(define-harbor-form acl2::harbor-undo ((number integer))
  "Back to the state after the command NUMBER; 0 is before the first."
  (cond ((not (<= 0 (number-place number) (last-place (world))))
         (no-command 'harbor-undo number))
        ((retract-to (number-place number))
         (make-success :values (list (format nil "~d" number))))))

(defun restore-world (world)
  "Makes WORLD, an earlier current world, the current one again."
  (acl2::with-more-warnings-suppressed
    (acl2::with-suppression
      (acl2::set-w! world (state)))))

(defun command-to-submit (place)
  "For the command at PLACE: its number, and the arguments of SUBMIT-SOURCE."
  (let ((command (place-command place)))
    (list (place-number place) (command-form command) (command-folder command) (gethash command *files*))))

(defun commands-from (place)
  "For the command at PLACE and later ones: the arguments of SUBMIT-COMMANDS."
  (let ((sources '()))
    (do ((last (last-place (world)) (1- last)))
        ((< last place) sources)
      (push (command-to-submit last) sources))))

(defun submit-commands (sources)
  "Those of SOURCES that were not admitted again, and whether there was no interrupt."
  (let ((lost '()))
    (dolist (source sources)
      (destructuring-bind (number text folder file) source
        (unless (submit-source text folder file number)
          (push (lost-object number text) lost)))
      (when *stop* (return)))
    (values (nreverse lost) (not *stop*))))

(defun submit-commands-with-proofs (sources)
  "As SUBMIT-COMMANDS, independent of session settings."
  (let ((skipping (state-global 'acl2::ld-skip-proofsp)))
    (set-state-global 'acl2::ld-skip-proofsp nil)
    (unwind-protect (submit-commands sources)
      (set-state-global 'acl2::ld-skip-proofsp skipping))))

(defun submit-again (sources world operator)
  "Submits SOURCES and returns the result of a harbor form for OPERATOR. After an interrupt WORLD is the current one again."
  (multiple-value-bind (lost finished) (submit-commands-with-proofs sources)
    (cond (finished (submitted sources lost))
          (t (restore-world world)
             (refuse operator "Interrupted. The world is unchanged.")))))

(defun undo-one (place)
  (let ((world (world))
        (sources (commands-from (1+ place))))
    (when (retract-to (1- place))
      (submit-again sources world 'harbor-undo-one))))

(define-harbor-form acl2::harbor-undo-one ((number integer))
  "Removes the command NUMBER from the world. Later commands are proved again; lost ones are reported."
  (let ((*telling-changes* nil))
    (if (<= 1 (number-place number) (last-place (world)))
        (undo-one (number-place number))
        (no-command 'harbor-undo-one number))))
