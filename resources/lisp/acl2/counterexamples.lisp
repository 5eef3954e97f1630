;;;; Small values for which a conjecture that was not proved is false. They are looked for, so that none is found says
;;;; nothing; one that is found is so by ACL2's definitions (terms.lisp).

(in-package "LISP-HARBOR-ACL2")

(defconstant +steps-of-a-value+ 2000)
(defconstant +steps-of-a-search+ 60000)
(defconstant +value-characters+ 200)
(defconstant +goals-tested+ 4)

(defparameter *small-values*
  '(nil 0 1 t -1 2 (0) acl2::a (1 0) (0 0) (nil) 1/2 "a" 3 (acl2::a . acl2::b) (0 1 2) (2 0 1) ((0 . 1)) #\A (acl2::a acl2::b)
    -1/2 -2 4 ((acl2::a . 1) (acl2::b . 0)) (1 1 0) ((1) (0)) "" 5 (1/2 -1) (t nil) #c(0 1) (0 . 1) ("a") (3 2 1 0) 7)
  "The simplest first, and of each type some. A variable takes those that its own hypotheses allow.")

(defparameter *widths* '(3 8 40) "How many values each variable takes, one search after the other.")

(defvar *search-left* 0 "Steps that the search may still take.")

(defun tested-value (term bindings)
  "As VALUE-WITHIN; its steps are of the search."
  (let ((steps (min +steps-of-a-value+ *search-left*)))
    (multiple-value-bind (value left) (value-within steps term bindings)
      (decf *search-left* (1+ (- steps left)))
      value)))

(defun conjuncts (term)
  "Of a translated conjunction."
  (if (and (consp term) (eq (car term) 'if) (equal (fourth term) ''nil))
      (append (conjuncts (second term)) (conjuncts (third term)))
      (list term)))

(defun hypotheses-and-conclusion (term)
  (if (and (consp term) (eq (car term) 'acl2::implies))
      (multiple-value-bind (more conclusion) (hypotheses-and-conclusion (third term))
        (values (append (conjuncts (second term)) more) conclusion))
      (values '() term)))

(defun clause-conjecture (clause)
  "The implication that CLAUSE is."
  (let ((hypotheses (mapcar #'acl2::dumb-negate-lit (butlast clause))))
    (if hypotheses
        (list 'acl2::implies (acl2::conjoin hypotheses) (car (last clause)))
        (car (last clause)))))

(defun allowed-values (variable hypotheses)
  "Small values for which those of HYPOTHESES that are about VARIABLE alone hold."
  (let ((own (remove-if-not (lambda (each) (equal (acl2::all-vars each) (list variable))) hypotheses)))
    (remove-if-not (lambda (value)
                     (every (lambda (each)
                              (not (member (value-within +steps-of-a-value+ each (list (cons variable value)))
                                           '(nil :no-value))))
                            own))
                   *small-values*)))

(defun first-values (count values)
  (subseq values 0 (min count (length values))))

(defun refuting (choices bindings holds conclusion)
  "Bindings from CHOICES, an alist of variables and values to try, for which HOLDS is true and CONCLUSION is false. HOLDS
are hypotheses, each judged as soon as its variables are bound."
  (let ((ready (remove-if-not (lambda (each) (subsetp (acl2::all-vars each) (mapcar #'car bindings))) holds)))
    (unless (some (lambda (each) (member (tested-value each bindings) '(nil :no-value))) ready)
      (if choices
          (let ((waiting (set-difference holds ready :test #'eq)))
            (dolist (value (cdr (first choices)))
              (unless (plusp *search-left*) (return nil))
              (let ((found (refuting (rest choices)
                                     (acons (car (first choices)) value bindings) waiting conclusion)))
                (when found (return found)))))
          (and (plusp *search-left*)
               (null (tested-value conclusion bindings))
               (plusp *search-left*)
               (or bindings :none))))))

(defun refutation (term)
  "Bindings of the variables of TERM for which it is false, :NONE where it has no variables; NIL where none were found."
  (multiple-value-bind (hypotheses conclusion) (hypotheses-and-conclusion term)
    (let ((*search-left* +steps-of-a-search+)
          (pools (mapcar (lambda (variable) (cons variable (allowed-values variable hypotheses)))
                         (reverse (acl2::all-vars term)))))
      (dolist (width *widths*)
        (let ((found (refuting (mapcar (lambda (pool) (cons (car pool) (first-values width (cdr pool)))) pools)
                               '() hypotheses conclusion)))
          (when found (return found)))))))

(defun side-texts (conclusion bindings)
  "Of an equation, what its sides are."
  (when (and (consp conclusion) (member (car conclusion) '(equal acl2::iff)))
    (let ((sides (mapcar (lambda (side) (value-within +steps-of-a-value+ side bindings)) (cdr conclusion))))
      (unless (member :no-value sides)
        (mapcar (lambda (value) (one-line value +value-characters+)) sides)))))

(defun counterexample-object (term)
  "NIL where none was found."
  (let ((found (refutation term)))
    (when found
      (let* ((bindings (if (eq found :none) '() (reverse found)))
             (conclusion (nth-value 1 (hypotheses-and-conclusion term))))
        (object "bindings" (array-of (mapcar (lambda (binding)
                                               (object "variable" (one-line (car binding))
                                                       "value" (one-line (cdr binding) +value-characters+)))
                                             bindings))
                "sides" (let ((sides (side-texts conclusion bindings)))
                          (and sides (array-of sides))))))))

(defun conjecture-of (form)
  "What FORM was to prove, as it was written; NIL where it is no theorem."
  (case (and (consp form) (car form))
    ((acl2::defthm acl2::defthmd) (third form))
    (acl2::thm (second form))))

(defun translated (conjecture)
  (let ((acl2::state (state)))
    (multiple-value-bind (failed term)
        (acl2::translate-cmp conjecture t t t 'acl2::harbor (world) (acl2::default-state-vars t))
      (and (not failed) term))))

(defun theorem-counterexample (form)
  "Of the theorem that FORM was to prove. Macros of the session's run while it is translated, as in a form of its own."
  (let ((conjecture (conjecture-of form)))
    (and conjecture
         (unless-it-fails
           (as-a-form
             (let ((term (translated conjecture)))
               (and term (counterexample-object term))))))))

(defun counterexample-of (form)
  "For OF-FAILED-PROOF. Nobody who has interrupted a proof waits for a search."
  (lambda (gag-state)
    (declare (ignore gag-state))
    (and (not *stop*) (theorem-counterexample form))))

(defun false-goal-p (info)
  "ACL2 says <GOAL> where it means the theorem itself."
  (let ((clause (acl2::access acl2::gag-info info :clause)))
    (and (not (equal clause '(acl2::<goal>)))
         (refutation (clause-conjecture clause)))))

(defun false-goals (gag-state)
  "Names of the first key checkpoints that are false for some small values: what leads to them loses something."
  (let ((infos (append (reverse (acl2::access acl2::gag-state gag-state :top-stack))
                       (reverse (acl2::access acl2::gag-state gag-state :sub-stack)))))
    (array-of (mapcar (lambda (info) (goal-name (acl2::access acl2::gag-info info :clause-id)))
                      (remove-if-not #'false-goal-p (first-values +goals-tested+ infos))))))
