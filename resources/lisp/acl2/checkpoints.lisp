;;;; The key checkpoints of a proof: the goals that the prover could not simplify any further. ACL2
;;;; stores them in a GAG-STATE, which code may assign, so they are advice and never evidence.

(in-package "LISP-HARBOR-ACL2")

(defconstant +checkpoints-told+ 10 "Maximum checkpoints of a kind. A growing proof has hundreds, which take long to print.")

(defun goal-name (clause-id)
  "The name of a goal as ACL2 prints it: \"Subgoal *1/2'\"."
  (or-else (one-line clause-id) (acl2::string-for-tilde-@-clause-id-phrase clause-id)))

(defun pool-name (pushed)
  "The name of a goal that waits for its induction, such as *1.2. PUSHED is its clause id and its place."
  (destructuring-bind (((round &rest ignored) &rest more) &rest place) pushed
    (declare (ignore ignored more))
    (format nil "~@[[~d]~]*~{~d~^.~}" (and (plusp round) round) place)))

(defun pool-names (pushed)
  (or-else (one-line pushed 200)
    (cut-to 200 (format nil "~{~a~^, ~}" (mapcar #'pool-name pushed)))))

(defun checkpoint-object (info)
  (let ((form (clause-as-written (acl2::access acl2::gag-info info :clause)))
        (pushed (acl2::access acl2::gag-info info :pushed)))
    (object "goal" (goal-name (acl2::access acl2::gag-info info :clause-id))
            "text" (formula-text form)
            "form" (one-line form)
            "pushed" (and pushed (pool-names pushed)))))

(defun untold-of (stack)
  (max 0 (- (length stack) +checkpoints-told+)))

(defun told-of (stack latest)
  "STACK has the newest first. Returns the LATEST or the first ones in order of occurrence."
  (let ((untold (untold-of stack)))
    (reverse (if latest (butlast stack untold) (nthcdr untold stack)))))

(defun checkpoints-object (gag-state &key latest)
  "Key checkpoints at the top level, before any induction, and those under an induction. \"reverted\" are the goals that
were abandoned for an induction on the original conjecture; \"untold\" is the number of those that are only in the log;
\"gave_up\" is the reason why the proof was aborted."
  (let* ((top (acl2::access acl2::gag-state gag-state :top-stack))
         (induction (acl2::access acl2::gag-state gag-state :sub-stack))
         (abort-stack (acl2::access acl2::gag-state gag-state :abort-stack))
         (reverted (and (consp abort-stack) abort-stack)))
    (flet ((goals (stack) (array-of (mapcar #'checkpoint-object (told-of stack latest)))))
      (object "top" (goals top)
              "induction" (goals induction)
              "reverted" (goals reverted)
              "untold" (+ (untold-of top) (untold-of induction) (untold-of reverted))
              "gave_up" (and abort-stack (symbolp abort-stack) (one-line abort-stack))))))
