;;;; Restores a saved state of the world: immediately if this process still has that world, and
;;;; otherwise by undoing to the last common command and submitting the others again with their proofs.
;;;; The latter is also done for books that would take longer to restore, because their functions would
;;;; be created again, uncompiled.

(in-package "LISP-HARBOR-ACL2")

(defconstant +worlds-kept+ 20 "Maximum worlds. They share common parts, but their memory is not freed.")

(defvar *kept-worlds* '() "Lists of a key (a string), a world and its costs, last saved first.")

(defun includes-book-p (command)
  (let ((form (acl2::access-command-tuple-form command)))
    (and (consp form) (eq (car form) 'acl2::include-book))))

(defun costs ()
  "For each command of the world, whether it includes a book, and its run time; NIL if unknown."
  (let ((costs '()))
    (do ((place (last-place (world)) (1- place)))
        ((eql place 0) costs)
      (let ((command (place-command place)))
        (push (cons (includes-book-p command) (gethash command *run-times*)) costs)))))

(defun mostly-books-p (costs)
  "Whether including books took two thirds or more of it. Restoring them takes at least half as long again."
  (and (some #'car costs)
       (every #'cdr costs)
       (>= (* 3 (reduce #'+ (remove nil costs :key #'car) :key #'cdr))
           (* 2 (reduce #'+ costs :key #'cdr)))))

(defun keep-world (key)
  (push (list key (world) (costs)) *kept-worlds*)
  (when (> (length *kept-worlds*) +worlds-kept+)
    (setq *kept-worlds* (subseq *kept-worlds* 0 +worlds-kept+))))

(defun kept-world (key place)
  "NIL if it is not saved, or consists mostly of books after PLACE, or cannot be trusted: raw Lisp may have changed state
that belongs to a world and is not in it."
  (destructuring-bind (&optional world costs) (cdr (assoc key *kept-worlds* :test #'equal))
    (and (null (trust-tags-allowed))
         (not (mostly-books-p (nthcdr place costs)))
         world)))

(defun stack-object ()
  (object "package" (acl2::current-package (state))
          "commands" (array-of (sources-after 0))))

(define-query :stack (request text)
  (stack-object))

(define-query :keep (request key)
  (keep-world key)
  (stack-object))

(defun reinstall (world)
  "Whether WORLD is the current one now. ACL2 documents one way to restore an undone world, :OOPS, which takes it from its
ring of undone worlds, so it is put there. The replaced world is there afterwards, as after :UBT."
  (let ((before (world))
        (ring (state-global 'acl2::undone-worlds-kill-ring)))
    (unless (eq world before)
      (set-state-global 'acl2::undone-worlds-kill-ring (list world))
      (renew-answers)
      (evaluate-all-forms)
      (run-ld '(acl2::oops))
      (set-state-global 'acl2::undone-worlds-kill-ring
                        (if (eq (world) before) ring (acl2::store-in-kill-ring before ring))))
    (eq (world) world)))

(defun same-command-p (place source)
  "Whether the command at PLACE is what SUBMIT-SOURCE would make of SOURCE."
  (equal (rest (command-to-submit place)) (rest source)))

(defun last-shared-place (sources)
  "The place of the last command that the world and SOURCES have in common."
  (do ((place 0 (1+ place))
       (rest sources (cdr rest)))
      ((or (endp rest)
           (eql place (last-place (world)))
           (not (same-command-p (1+ place) (car rest))))
       place)))

(defun numbered-sources (entries)
  "The arguments of SUBMIT-COMMANDS for ENTRIES, with the numbers that the commands had."
  (let ((place 0))
    (mapcar (lambda (entry) (cons (place-number (incf place)) (rest (entry-source entry)))) entries)))

(defun rebuild (sources place)
  "Those after PLACE, up to which the world already has them."
  (let ((world (world)))
    (when (retract-to place)
      (submit-again (nthcdr place sources) world 'harbor-restore))))

(define-harbor-form acl2::harbor-restore ((key string) (package string) (entries replay-entries))
  "Makes ENTRIES the stack of commands, whose world may be saved under KEY, and PACKAGE the current package. Commands that
are not admitted again are reported. An interrupt restores everything."
  (let* ((*telling-changes* nil)
         (sources (numbered-sources entries))
         (place (last-shared-place sources))
         (world (kept-world key place)))
    (multiple-value-bind (success details)
        (if (and world (reinstall world))
            (submitted '() '())
            (rebuild sources place))
      (when success (setq *package-afterwards* package))
      (values success details))))
