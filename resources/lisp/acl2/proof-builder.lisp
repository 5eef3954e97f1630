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

;;; Why an instruction failed ACL2 prints alone (*** NO CHANGE ***), where a session has not switched that off: so what prints it
;;; is heard. What the instructions within one say is heard too; each of the person's own begins anew.

(defvar *instruction-depth* nil "In how many instructions the proof-builder is; NIL where nobody wants to know why they fail.")
(defvar *instruction* nil "The one that runs, of those that were given.")
(defvar *reasons* '() "Why it, or an instruction within it, changed nothing; the last reason first.")

(defconstant +reason-characters-told+ 2000)
(defconstant +error-beginning+ 25 "Columns of what ACL2 puts before the text of an error of ours.")
(defconstant +last-column+ 64 "FMT ends a line after its soft right margin, and breaks a word at its hard one.")

(defun written-instruction ()
  "Which one, as people write it where it is written as it should be."
  (or-else (one-line *instruction* 300)
    (shown (acl2::make-pretty-pc-instr *instruction*) 300)))

(defun as-message (text)
  "A control string of FMT that prints the words of TEXT as they are. FMT would break one at its margin, so the ends of lines
are in it."
  (let ((column +error-beginning+) (pieces '()))
    (dolist (word (words-of text))
      (let ((fits (<= (+ column (length word)) +last-column+)))
        (push (if fits #\Space #\Newline) pieces)
        (setq column (+ (if fits column 0) (length word) 1)))
      (map nil (lambda (character) (push (if (eql character #\~) "~~" character) pieces)) word))
    (format nil "~{~a~}" (rest (nreverse pieces)))))

(defun note-failure ()
  "Where RUNNING looks for what to say, because the form of a session cannot call what is not ACL2's."
  (set-state-global 'acl2::harbor-failure
                    (as-message
                     (cut-to +reason-characters-told+
                             (format nil "The instruction ~a failed~:[.~;: ~:*~{~a~^ ~}~]"
                                     (written-instruction) (reverse *reasons*))))))

(defun hear-instruction (function arguments)
  "Of PC-SINGLE-STEP the first argument is an instruction."
  (when (eql *instruction-depth* 0)
    (setq *instruction* (first arguments)
          *reasons* '())
    (note-failure))
  (let ((*instruction-depth* (and *instruction-depth* (1+ *instruction-depth*))))
    (apply function arguments)))

(defun hear-no-change (function arguments)
  "Of PRINT-NO-CHANGE-FN the first argument is a control string of FMT, or NIL, and the second its alist."
  (destructuring-bind (control alist &rest ignored) arguments
    (declare (ignore ignored))
    (when (and *instruction-depth* control)
      (pushnew (message-text control alist) *reasons* :test #'equal)
      (note-failure)))
  (apply function arguments))

;;; VERIFY converses, and nobody is there: after the instructions that came with it, it is left.

(defun open-goals () (let ((left (builder-state))) (and left (acl2::access acl2::pc-state left :goals))))

(defun tell-open-goals (goals)
  "An error of VERIFY's, as ACL2 answers one."
  (setq *details* (object "builder" (builder-object (builder-state))))
  (acl2::error1 'acl2::verify nil
                "~n0 goal~#1~[ is~/s are~] open: ~&2.  Nobody converses with the proof-builder here, so give all of its ~
instructions with the form, as in (VERIFY term :INSTRUCTIONS (:INDUCT :PROVE)). A DEFTHM that has them as its :INSTRUCTIONS ~
adds the theorem, and (HARBOR-VERIFY term (:INDUCT :PROVE)) tells the goals that they leave."
                (list (cons #\0 (length goals))
                      (cons #\1 (if (rest goals) 1 0))
                      (cons #\2 (mapcar (lambda (goal) (acl2::access acl2::goal goal :goal-name)) goals)))
                (state)))

(defun verify-unattended (function arguments)
  "Of VERIFY-FN the last arguments are the instructions and STATE. An error where goals are left."
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
  "The form that runs INSTRUCTIONS and fails where one of them does, with why. PC-TOP itself then has no value."
  `(acl2::mv-let (acl2::erp acl2::val acl2::state)
       (acl2::pc-top ',term nil nil ',instructions '(acl2::signal acl2::value) nil acl2::state)
     (cond ((or acl2::erp (null acl2::val))
            (acl2::er acl2::soft 'acl2::verify "~@0" (acl2::@ acl2::harbor-failure)))
           (t (acl2::value :invisible)))))

(defun run-instructions (term instructions)
  "Answers whether all succeeded, and the state of the proof-builder after the last that did."
  (set-state-global 'acl2::pc-output nil)
  (set-state-global 'acl2::harbor-failure "The proof-builder was not begun.")
  (let* ((*instruction-depth* 0)
         (succeeded (submit (running term instructions) (object))))
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
