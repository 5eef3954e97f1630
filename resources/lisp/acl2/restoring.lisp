;;;; Going back to a state of the world that was saved: at once where its world is still kept in this process, and
;;;; otherwise by undoing to the last command that both share, and submitting the others again with their proofs.
;;;; So are books included again that would take longer to bring back: their functions would be made anew, and not compiled.

(in-package "LISP-HARBOR-ACL2")

(defconstant +worlds-kept+ 20 "They share what they have in common, but each is memory that is not given back.")

(defvar *kept-worlds* '() "Lists of a key, which is a string, a world and its costs; the one that was kept last comes first.")

(defun includes-book-p (command)
  (let ((form (acl2::access-command-tuple-form command)))
    (and (consp form) (eq (car form) 'acl2::include-book))))

(defun costs ()
  "Of each command of the world whether it includes a book, and the run time that it took; NIL where that is not known."
  (let ((costs '()))
    (do ((place (last-place (world)) (1- place)))
        ((eql place 0) costs)
      (let ((command (place-command place)))
        (push (cons (includes-book-p command) (gethash command *run-times*)) costs)))))

(defun mostly-books-p (costs)
  "Whether including books has taken two thirds or more of it. To bring them back takes half as long again, or longer."
  (and (some #'car costs)
       (every #'cdr costs)
       (>= (* 3 (reduce #'+ (remove nil costs :key #'car) :key #'cdr))
           (* 2 (reduce #'+ costs :key #'cdr)))))

(defun keep-world (key)
  (push (list key (world) (costs)) *kept-worlds*)
  (when (> (length *kept-worlds*) +worlds-kept+)
    (setq *kept-worlds* (subseq *kept-worlds* 0 +worlds-kept+))))

(defun kept-world (key place)
  "NIL where it is not kept, or where what it has after PLACE is mostly books, or where it is not to be trusted: raw Lisp may
have changed what belongs to a world and is not in it."
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

(defun rebuild (sources place)
  "From PLACE on, up to which the world has them."
  (let ((world (world)))
    (when (retract-to place)
      (submit-again (nthcdr place sources) world 'harbor-restore))))

(define-harbor-form acl2::harbor-restore ((key string) (package string) (entries replay-entries))
  "Makes the stack of commands that of ENTRIES, whose world may be kept under KEY, and PACKAGE the current package. Which of
them are not admitted again is told. One that is interrupted changes nothing."
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
