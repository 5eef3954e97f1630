;;;; The proof-builder without interaction: instructions run up to the first failure, and the remaining
;;;; goals are returned as data. Nothing is added to the world; a DEFTHM with these :INSTRUCTIONS does
;;;; that.

(in-package "LISP-HARBOR-ACL2")

(defun builder-state ()
  "The current state of the proof-builder; NIL for none."
  (car (cdr (assoc 'acl2::state-stack (state-global 'acl2::pc-output)))))

(defun address-of (goal) (acl2::access acl2::goal goal :current-addr))

(defun goal-object (goal)
  (object "name" (one-line (acl2::access acl2::goal goal :goal-name))
          "hypotheses" (array-of (mapcar #'one-line-term (acl2::access acl2::goal goal :hyps)))
          "conclusion" (one-line-term (acl2::access acl2::goal goal :conc))
          "address" (array-of (address-of goal))))

(defun builder-object (builder-state)
  (object "goals" (array-of (mapcar #'goal-object (acl2::access acl2::pc-state builder-state :goals)))))

;;; ACL2 only prints why an instruction failed (*** NO CHANGE ***), unless the session has turned this
;;; off, so the printing function is intercepted. Messages of nested instructions are recorded too;
;;; each top-level instruction starts anew.

(defvar *instruction-depth* nil "Nesting depth of instructions; NIL if reasons are not recorded.")
(defvar *instruction* nil "The current one of the given instructions.")
(defvar *reasons* '() "Reasons why it, or a nested instruction, changed nothing, last first.")

(defconstant +reason-characters-told+ 2000)
(defconstant +error-beginning+ 25 "Columns of the text that ACL2 prints before the text of an error.")
(defconstant +last-column+ 64 "FMT breaks a line after its soft right margin, and a word at its hard one.")

(defun written-instruction ()
  "The instruction as users write it, if it is well-formed."
  (or-else (one-line *instruction* 300)
    (shown (acl2::make-pretty-pc-instr *instruction*) 300)))

(defun as-message (text)
  "A control string of FMT that prints the words of TEXT unchanged. Contains the line breaks, because FMT would break words
at its margin."
  (let ((column +error-beginning+) (pieces '()))
    (dolist (word (words-of text))
      (let ((fits (<= (+ column (length word)) +last-column+)))
        (push (if fits #\Space #\Newline) pieces)
        (setq column (+ (if fits column 0) (length word) 1)))
      (map nil (lambda (character) (push (if (eql character #\~) "~~" character) pieces)) word))
    (format nil "~{~a~}" (rest (nreverse pieces)))))

(defun note-failure ()
  "Stores the message that the form of RUNNING raises in a state global, because a form of the session cannot name functions
outside of ACL2's packages."
  (set-state-global 'acl2::harbor-failure
                    (as-message
                     (cut-to +reason-characters-told+
                             (format nil "The instruction ~a failed~:[.~;: ~:*~{~a~^ ~}~]"
                                     (written-instruction) (reverse *reasons*))))))

(defun hear-instruction (function arguments)
  "The first argument of PC-SINGLE-STEP is an instruction."
  (when (eql *instruction-depth* 0)
    (setq *instruction* (first arguments)
          *reasons* '())
    (note-failure))
  (let ((*instruction-depth* (and *instruction-depth* (1+ *instruction-depth*))))
    (apply function arguments)))

(defun hear-no-change (function arguments)
  "The first argument of PRINT-NO-CHANGE-FN is a control string of FMT, or NIL, and the second its alist."
  (destructuring-bind (control alist &rest ignored) arguments
    (declare (ignore ignored))
    (when (and *instruction-depth* control)
      (pushnew (message-text control alist) *reasons* :test #'equal)
      (note-failure)))
  (apply function arguments))

;;; VERIFY is interactive, but nobody answers: it exits after the instructions given with it.

(defun open-goals () (let ((left (builder-state))) (and left (acl2::access acl2::pc-state left :goals))))

(defun tell-open-goals (goals)
  "Returns an error of VERIFY as ACL2 does."
  (setq *details* (object "builder" (builder-object (builder-state))))
  (acl2::error1 'acl2::verify nil
                "~n0 goal~#1~[ is~/s are~] open: ~&2.  The proof-builder is not interactive here, so pass all of its ~
instructions with the form, as in (VERIFY term :INSTRUCTIONS (:INDUCT :PROVE)). A DEFTHM with these :INSTRUCTIONS ~
adds the theorem, and (HARBOR-VERIFY term (:INDUCT :PROVE)) reports the remaining goals."
                (list (cons #\0 (length goals))
                      (cons #\1 (if (rest goals) 1 0))
                      (cons #\2 (mapcar (lambda (goal) (acl2::access acl2::goal goal :goal-name)) goals)))
                (state)))

(defun verify-unattended (function arguments)
  "The last arguments of VERIFY-FN are the instructions and STATE. An error if goals remain."
  (let* ((place (- (length arguments) 2))
         (instructions (append (nth place arguments) '(:exit)))
         (values (multiple-value-list (apply function (with-argument place instructions arguments))))
         (goals (and (null (first values)) (open-goals))))
    (if goals (tell-open-goals goals) (values-list values))))

(defun install-proof-builder ()
  (wrap 'acl2::pc-single-step #'hear-instruction)
  (wrap 'acl2::print-no-change-fn #'hear-no-change)
  (wrap 'acl2::verify-fn #'verify-unattended))

(defun running (term instructions)
  "The form that runs INSTRUCTIONS and fails with the reason if one of them does. PC-TOP itself then returns no value."
  `(acl2::mv-let (acl2::erp acl2::val acl2::state)
       (acl2::pc-top ',term nil nil ',instructions '(acl2::signal acl2::value) nil acl2::state)
     (cond ((or acl2::erp (null acl2::val))
            (acl2::er acl2::soft 'acl2::verify "~@0" (acl2::@ acl2::harbor-failure)))
           (t (acl2::value :invisible)))))

(defun run-instructions (term instructions)
  "Returns whether all succeeded, and the state of the proof-builder after the last success."
  (set-state-global 'acl2::pc-output nil)
  (set-state-global 'acl2::harbor-failure "The proof-builder did not start.")
  (let* ((*instruction-depth* 0)
         (succeeded (submit (running term instructions) (object))))
    (values succeeded (builder-state))))

(define-harbor-form acl2::harbor-verify ((term t) (instructions list))
  "Runs INSTRUCTIONS on TERM. Restores an unfinished session of the proof-builder afterwards."
  (let ((output (state-global 'acl2::pc-output))
        (named (state-global 'acl2::pc-ss-alist)))
    (unwind-protect
        (multiple-value-bind (succeeded left) (run-instructions term instructions)
          (values (and succeeded (make-success))
                  (and left (object "builder" (builder-object left)))))
      (set-state-global 'acl2::pc-output output)
      (set-state-global 'acl2::pc-ss-alist named))))
