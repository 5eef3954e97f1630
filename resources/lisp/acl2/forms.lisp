;;;; Evaluates one form with ACL2's own LD and reports the result in a record. A form has succeeded if
;;;; LD reports success and has also added it to its history, because a form can be skipped silently.

(in-package "LISP-HARBOR-ACL2")

(defconstant +form-characters-told+ 300 "Maximum characters of a successful form in its record. The harbor has its source.")
(defconstant +failure-characters-told+ 20000 "Maximum characters of a failed form, from which the harbor derives
suggestions.")

(defstruct (before (:predicate nil))
  "The state before a form, for comparison with the state after it."
  (world (world))
  (run-time (get-internal-run-time))
  (history (state-global 'acl2::ld-history))
  (event-data (state-global 'acl2::last-event-data))
  (gag-state (state-global 'acl2::gag-state-saved))
  (skipping (state-global 'acl2::ld-skip-proofsp)))

(defun ld-specials (forms)
  "Arguments of LD. They apply to this form. Other settings that the form changes last for the session, because LD binds
nothing."
  (list (cons 'acl2::standard-oi forms)
        (cons 'acl2::standard-co acl2::*standard-co*)
        (cons 'acl2::proofs-co (commentary-channel))
        (cons 'acl2::ld-prompt nil)
        (cons 'acl2::ld-missing-input-ok nil)
        (cons 'acl2::ld-pre-eval-print nil)
        (cons 'acl2::ld-post-eval-print nil)
        (cons 'acl2::ld-error-triples t)
        (cons 'acl2::ld-error-action :error)
        (cons 'acl2::ld-verbose nil)))

(defun evaluate-all-forms ()
  "A filter of :QUERY, or of a name, would skip a form and still report no error. An aborted proof-builder session must not
continue."
  (unless (eq (state-global 'acl2::ld-pre-eval-filter) :illegal-state)
    (set-state-global 'acl2::ld-pre-eval-filter :all))
  (set-state-global 'acl2::in-verify-flg nil))

(defmacro as-a-form (&body body)
  "Evaluates BODY with signals enabled. An interrupt ends it; then the value is NIL. There must be no HANDLER-CASE around
it: on GCL, SIGINT is an error and would be handled there before the debugger hook could stop a proof softly."
  (let ((value (gensym)))
    `(let ((,value nil))
       (catch 'form-unwound
         (unwind-protect
             (progn
               (setq *form* (list nil)
                     *between-forms* nil)
               (hear-signals)
               (obey-early-interrupt)
               (acl2::with-more-warnings-suppressed ; as LP does, which also unlocks SBCL's packages
                (acl2::with-suppression
                 (setq ,value (progn ,@body)))))
           (hold-signals)
           (setq *form* nil
                 *between-forms* t)))
       (hold-signals)                   ; an interrupt may have arrived during the clean-up
       ,value)))

(defun run-ld (form)
  "LD of FORM: whether it ended without an error, and its value."
  (let ((answer (as-a-form (multiple-value-list (acl2::ld-fn (ld-specials (list form)) (state) nil)))))
    (values (and answer (not (first answer))) (second answer))))

(defun new-history-entry (before)
  (let ((history (state-global 'acl2::ld-history)))
    (and (consp history)
         (not (eq history (before-history before)))
         (car history))))

(defun world-change (before kept)
  (cond ((eq (world) (before-world before)) "same")
        (kept "extended")
        (t "retracted")))

(defun operator (form)
  "The operator that the user wrote, such as THM, not that of its expansion."
  (and (consp form) (symbolp (car form)) (one-line (car form))))

(defun new-event-data (before)
  (let ((data (state-global 'acl2::last-event-data)))
    (and data
         (not (eq data (before-event-data before)))
         (or-else nil (event-data-object data)))))

(defun of-failed-proof (tell before)
  "The result of TELL for the GAG-STATE in which ACL2 stores the checkpoints of this form's proof."
  (let ((gag-state (state-global 'acl2::gag-state-saved)))
    (and gag-state
         (not (eq gag-state (before-gag-state before)))
         (or-else nil (funcall tell gag-state)))))

(defun entry-values (entry print-values)
  (funcall print-values (acl2::ld-history-entry-stobjs-out entry) (acl2::ld-history-entry-value entry)))

(defun stopped-ld-p (entry)
  "Whether a nested LD stopped at a failed form and reports this only by its value (see :DOC ld-error-action). Programs check
that value themselves."
  (and (not *as-data*)
       (error-triple-p (acl2::ld-history-entry-stobjs-out entry))
       (let ((value (second (acl2::ld-history-entry-value entry))))
         (and (consp value) (eq (car value) :stop-ld)))))

(defun answers-redundant-p (entry)
  "Whether the form claims to be redundant, as any form may."
  (and (error-triple-p (acl2::ld-history-entry-stobjs-out entry))
       (eq (second (acl2::ld-history-entry-value entry)) :redundant)))

(defstruct success
  "The result of a successful form. EXIT: it tried to exit LD, as :q does, which is ignored. UNHEEDED: the text of an error
that it ignored."
  (values '()) (redundant nil) (exit nil) (unheeded nil))

(defun entry-success (entry value print-values unheeded)
  "ENTRY is the form's entry in LD's history; VALUE is LD's value. PRINT-VALUES is a VALUES-PRINTER."
  (make-success :values (entry-values entry print-values)
                :redundant (answers-redundant-p entry)
                :exit (eq value :exit)
                :unheeded (and unheeded (error-text (first unheeded)))))

(defun success-of (form entry value before print-values)
  "NIL if FORM has failed although LD reports no error."
  (let* ((changed (not (eq (world) (before-world before))))
         (unheeded (unheeded-errors form entry changed)))
    (unless (or (stopped-ld-p entry) (ended-in-vain-p unheeded entry changed))
      (entry-success entry value print-values unheeded))))

(defun included-book (event)
  "The :DIR :SYSTEM name, without extension, of the book that EVENT included; NIL for other books and nested ones."
  (let ((book (and (include-book-p event)
                   (not (inner-event-p event))
                   (system-book (acl2::access-event-tuple-namex event)))))
    (and book (subseq book 0 (search ".lisp" book :from-end t)))))

(defvar *part* nil
  "While a form of the harbor submits forms: the name of the current one, as a JSON object.")

(defun remarks (success before)
  "Remarks on a form in addition to its result. SUCCESS as for TELL-FORM."
  (object "exit" (truth (and success (success-exit success)))
          "unheeded" (and success (success-unheeded success))
          "usable_theorems" (and (not success) (of-failed-proof #'usable-theorems before))
          "changed_books" (array-of (and (assoc 'acl2::include-book *found-again*) (changed-books)))))

(defun tell-form (form position before success &optional (details *details*))
  "SUCCESS is NIL if it failed. DETAILS is a JSON object that a form of the harbor adds."
  (multiple-value-bind (events count kept) (events-of form (before-world before) (world))
    (emit "form"
          "part" *part*
          "details" details
          "position" position
          "operator" (operator form)
          "form" (one-line form (if success +form-characters-told+ +failure-characters-told+))
          "ok" (truth success)
          "interrupted" (truth (and *stop* (not success)))
          "raw_condition" *raw-condition*
          "values" (array-of (and success (success-values success)))
          "redundant" (truth (and success (success-redundant success)))
          "found_again" (if success (found-again-array form) (array-of nil))
          "remarks" (remarks success before)
          "world" (world-change before kept)
          "command" (command-number)
          "change" (change-to-tell)
          "events" (array-of (mapcar #'event-object (events-to-tell events)))
          "event_count" count
          "axiom" (truth (some #'axiom-p events))
          "skipped" (truth (some #'skipped-p events))
          "loaded" (array-of (remove nil (mapcar #'included-book events)))
          "data" (new-event-data before)
          "checkpoints" (and (not success) (of-failed-proof #'checkpoints-object before))
          "goal_functions" (and (not success) (of-failed-proof #'goal-functions before))
          "arithmetic" (truth (and (not success) (arithmetic-book-p)))
          "counterexample" (and (not success) (of-failed-proof (counterexample-of form) before))
          "false_goals" (and (not success) (of-failed-proof #'false-goals before))
          "claims" (array-of (and success (tried-claims (claims-of form events (before-skipping before))))) ; before the issues, which name refuted ones
          "skipping" (truth (before-skipping before))
          "books" (books-to-tell)
          "issues" (array-of (trust-issues :skipping (before-skipping before)
                                           :program-functions (program-mode-functions events))))))

(defun run-form (form position print-values)
  "Returns whether it succeeded."
  (let ((before (make-before)))
    (setq *raw-condition* nil
          *found-again* '()
          *errors* '()
          *details* nil)
    (renew-answers)
    (evaluate-all-forms)
    (multiple-value-bind (succeeded value) (run-ld form)
      (note-file (before-world before))
      (note-run-time (before-world before) (before-run-time before))
      (mark-commentary)
      (let* ((entry (and succeeded (new-history-entry before)))
             (success (and entry (success-of form entry value before print-values))))
        (tell-form form position before success)
        (and success t)))))

(defun run-top-form (form position print-values)
  (let ((topic (topic-asked-for form)))
    (cond (topic (run-harbor-form (list 'acl2::harbor-doc topic) position print-values))
          ((harbor-form-p form) (run-harbor-form form position print-values))
          (t (run-form form position print-values)))))

(defun run-text (text print-values)
  "Evaluates the forms of TEXT up to the first failure. Returns ok, error, read-error or interrupted."
  (setq *telling-changes* t
        *claim-steps-left* +steps-of-claims+)
  (let ((channel (make-string-channel text)))
    (unwind-protect
        (do () (nil)
          (when *stop* (return "interrupted"))
          (multiple-value-bind (kind form keyword-command) (read-form channel)
            (case kind
              (:end (return "ok"))
              (:error (emit "read-error" "position" (channel-position channel) "message" form)
               (return "read-error"))
              (t (unless (run-top-form (or form keyword-command) (channel-position channel) print-values)
                   (return (if *stop* "interrupted" "error")))))))
      (forget-channel channel))))
