;;;; Going back to a state of the world that was saved: at once where its world is still kept in this process, and
;;;; otherwise by undoing to the last command that both share, and submitting the others again with their proofs.

(in-package "LISP-HARBOR-ACL2")

(defconstant +worlds-kept+ 20 "They share what they have in common, but each is memory that is not given back.")

(defvar *kept-worlds* '() "From keys, which are strings, to worlds; the one that was kept last comes first.")

(defun keep-world (key)
  (push (cons key (world)) *kept-worlds*)
  (when (> (length *kept-worlds*) +worlds-kept+)
    (setq *kept-worlds* (subseq *kept-worlds* 0 +worlds-kept+))))

(defun kept-world (key)
  "NIL where it is not kept, or not to be trusted: raw Lisp may have changed what belongs to a world and is not in it."
  (and (null (trust-tags-allowed))
       (cdr (assoc key *kept-worlds* :test #'equal))))

(defun stack-object ()
  (object "package" (acl2::current-package (state))
          "commands" (array-of (sources-after 0))))

(define-query :stack (request text)
  (stack-object))

(define-query :keep (request key)
  (keep-world key)
  (stack-object))

(defun reinstall (world)
  "Whether WORLD is the present one now. ACL2 documents one way of bringing an undone world back, :OOPS, which takes it from
its ring of undone worlds; so that is where it is put. What it replaces is there afterwards, as after :UBT."
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
  "The place of the last command up to which the world and SOURCES are the same."
  (do ((place 0 (1+ place))
       (rest sources (cdr rest)))
      ((or (endp rest)
           (eql place (last-place (world)))
           (not (same-command-p (1+ place) (car rest))))
       place)))

(defun numbered-sources (entries)
  "Of each of ENTRIES what SUBMIT-COMMANDS takes, with the number that its command had."
  (let ((place 0))
    (mapcar (lambda (entry) (cons (place-number (incf place)) (rest (entry-source entry)))) entries)))

(defun rebuild (sources)
  (let ((world (world))
        (place (last-shared-place sources)))
    (when (retract-to place)
      (submit-again (nthcdr place sources) world 'harbor-restore))))

(define-harbor-form acl2::harbor-restore ((key string) (package string) (entries replay-entries))
  "Makes the stack of commands that of ENTRIES, whose world may be kept under KEY, and PACKAGE the current package. Which of
them are not admitted again is told. One that is interrupted changes nothing."
  (let* ((*telling-changes* nil)
         (world (kept-world key)))
    (multiple-value-bind (success details)
        (if (and world (reinstall world))
            (submitted '() '())
            (rebuild (numbered-sources entries)))
      (when success (setq *package-afterwards* package))
      (values success details))))
