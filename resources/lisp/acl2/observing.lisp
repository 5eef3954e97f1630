;;;; Observes rules in a proof: each attempt to apply a monitored rule, by break-rewrite, and the cost
;;;; of all rules, by accumulated persistence. Both are ACL2 features and are turned off afterwards.

(in-package "LISP-HARBOR-ACL2")

(defconstant +attempts-told+ 200 "Maximum reported attempts. All are counted. Each is a break of break-rewrite.")
(defconstant +costs-told+ 60 "Maximum rules, those with the most frames.")

;;; Break-rewrite takes commands from a rule's condition. These apply the rule and then, where ACL2
;;; prints the result, save its data in a wormhole of their own, because only wormhole data outlives a
;;; break.

(defparameter *noting*
  `(:eval
    (let ((acl2::attempt (list (acl2::get-rule-field (acl2::get-brr-local 'acl2::lemma acl2::state) :rune)
                                (acl2::get-brr-local 'acl2::target acl2::state)
                                (acl2::get-brr-local 'acl2::unify-subst acl2::state)
                                (acl2::get-brr-local 'acl2::wonp acl2::state)
                                (acl2::get-brr-local 'acl2::brr-result acl2::state)
                                (acl2::get-brr-local 'acl2::failure-reason acl2::state)
                                (acl2::get-brr-local 'acl2::depth acl2::state))))
      (acl2::wormhole-eval
       'acl2::harbor-attempts
       '(lambda (acl2::whs)
          (let ((acl2::noted (acl2::wormhole-data acl2::whs)))
            (acl2::set-wormhole-data
             acl2::whs
             (cons (+ 1 (if (consp acl2::noted) (car acl2::noted) 0))
                   (if (and (consp acl2::noted) (<= ,+attempts-told+ (car acl2::noted)))
                       (cdr acl2::noted)
                       (cons acl2::attempt (if (consp acl2::noted) (cdr acl2::noted) nil)))))))
       acl2::attempt))
    :ok)
  "In package ACL2, as its translator requires.")

(defun wormhole-contents (name)
  (acl2::wormhole-data (cdr (assoc name acl2::*wormhole-status-alist*))))

(defun failure-phrase (reason substitution)
  "The reason in break-rewrite's words; the saved data if those are not available."
  (or-else (one-line reason 2000)
    (with-plain-phrases
      (with-printed-to-string
        (acl2::fmt1 "~@0"
                    (list (cons #\0 (acl2::tilde-@-failure-reason-phrase reason 1 substitution nil 10 (state))))
                    0 acl2::*standard-co* (state) nil)))))

(defun binding-object (binding)
  (object "variable" (one-line (car binding))
          "term" (one-line-term (cdr binding))))

(defun attempt-object (attempt)
  (destructuring-bind (rune target substitution applied result reason depth) attempt
    (object "rule" (one-line rune)
            "target" (one-line-term target)
            "substitution" (array-of (and (listp substitution) (mapcar #'binding-object substitution)))
            "result" (and applied (or-else (one-line result 4000) (one-line-term result)))
            "failure" (and (not applied) (failure-phrase reason substitution))
            "depth" depth)))

(defun attempts-objects (noted)
  "In order of completion."
  (mapcar #'attempt-object (reverse (cdr noted))))

(defun cost-key (entry)
  (+ (acl2::access acl2::accp-entry entry :ap-s) (acl2::access acl2::accp-entry entry :ap-f)))

(defun cost-object (entry)
  (let ((useful-frames (acl2::access acl2::accp-entry entry :ap-s))
        (useful-tries (acl2::access acl2::accp-entry entry :n-s)))
    (object "rule" (one-line (acl2::access acl2::accp-entry entry :xrune))
            "frames" (cost-key entry)
            "useful_frames" useful-frames
            "tries" (+ useful-tries (acl2::access acl2::accp-entry entry :n-f))
            "useful_tries" useful-tries)))

(defun costs-objects ()
  (let* ((counted (wormhole-contents 'acl2::accumulated-persistence))
         (entries (and counted (car (last (acl2::access acl2::accp-info counted :totals)))))
         (sorted (sort (copy-list entries) #'> :key #'cost-key)))
    (mapcar #'cost-object (subseq sorted 0 (min +costs-told+ (length sorted))))))

(defun observation ()
  (let ((noted (wormhole-contents 'acl2::harbor-attempts)))
    (object "attempts" (array-of (attempts-objects noted))
            "attempt_count" (if (consp noted) (car noted) 0)
            "costs" (array-of (costs-objects)))))

(defmacro with-own-wormholes (&body body)
  "Restores afterwards what BODY sets in wormholes, such as monitored rules."
  (let ((before (gensym)))
    `(let ((acl2::*wormhole-status-alist* (copy-alist acl2::*wormhole-status-alist*))
           (,before (state-global 'acl2::gstackp)))
       (unwind-protect (progn ,@body)
         (set-state-global 'acl2::gstackp ,before)))))

(defun rule-p (rule)
  "Whether RULE is a rune, or a name that has runes. ACL2 would accept anything else without effect."
  (if (symbolp rule)
      (and (acl2::getpropc rule 'acl2::runic-mapping-pairs nil (world)) t)
      (or-else nil (acl2::runep rule (world)))))

(defun watched-runes (rule)
  "Those of the runes of RULE that break-rewrite can monitor."
  (remove-if-not (lambda (rune)
                   (member (car rune) '(:rewrite :definition :linear :rewrite-quoted-constant)))
                 (if (symbolp rule)
                     (mapcar #'cdr (property rule 'acl2::runic-mapping-pairs))
                     (list rule))))

(defun disabled-rule-p (rule)
  "Whether no rune of RULE is tried unless a hint enables it."
  (let ((enabled (state-global 'acl2::global-enabled-structure)))
    (notany (lambda (rune) (acl2::enabled-runep rune enabled (world)))
            (watched-runes rule))))

(defun watch (rule)
  "Whether ACL2 monitors it now."
  (if (rule-p rule)
      (run-ld `(acl2::monitor! ',rule '',*noting*))
      (refuse 'harbor-observe "~a is not a rule of this world, nor a name with rules." (one-line rule 200))))

(defun observed (form rules)
  "Runs FORM as a part of the harbor form."
  (let* ((disabled (lines-of (remove-if-not #'disabled-rule-p rules)))
         (succeeded (submit form (object))))
    (values (and succeeded (make-success))
            (object "observation" (append (observation) (list "disabled" disabled))))))

(define-harbor-form acl2::harbor-observe ((rules list) (form cons))
  "Runs FORM. RULES are runes or names; each attempt to apply one of them is reported. Without RULES the costs of all rules
are counted. Succeeds if FORM does."
  (with-own-wormholes
    (renew-answers)
    (evaluate-all-forms)
    (if rules
        (with-standard-output-to (make-broadcast-stream) ; a break would print its data repeatedly
          (and (every #'watch rules) (observed form rules)))
        (and (run-ld '(acl2::accumulated-persistence t)) (observed form '())))))
