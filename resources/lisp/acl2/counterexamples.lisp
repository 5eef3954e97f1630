;;;; Searches small values that falsify an unproved conjecture. Finding none proves nothing; one that
;;;; is found is false by ACL2's definitions (terms.lisp).

(in-package "LISP-HARBOR-ACL2")

(defconstant +steps-of-a-value+ 2000)
(defconstant +steps-of-a-search+ 60000)
(defconstant +steps-of-a-goal+ 10000 "Steps of a search whose result only suppresses suggestions.")
(defconstant +steps-after-the-first+ 15000 "Steps of a search for more refutations.")
(defconstant +refutations-told+ 12)
(defconstant +value-characters+ 200)
(defconstant +goals-tested+ 4)

(defparameter *small-values*
  '(nil 0 1 t -1 2 (0) acl2::a (1 0) (0 0) (nil) 1/2 "a" 3 (acl2::a . acl2::b) (0 1 2) (2 0 1) ((0 . 1)) #\A (acl2::a acl2::b)
    -1/2 -2 4 ((acl2::a . 1) (acl2::b . 0)) (1 1 0) ((1) (0)) "" 5 (1/2 -1) (t nil) #c(0 1) (0 . 1) ("a") (3 2 1 0) 7 16 100 255 256 -100)
  "Values to try, simplest first, some of each type. A variable takes those that its own hypotheses allow.")

(defconstant +constants-tried+ 12 "Maximum number of values to try that come from the constants of a conjecture.")
(defconstant +longest-list-tried+ 20 "Maximum length of a list to try for a number, which may be a length.")

(defparameter *widths* '(3 8 60) "Numbers of values for each variable, one search after another.")

(defvar *search-left* 0 "Remaining steps of the search.")
(defvar *valueless* nil "Whether a tested term had no value.")
(defvar *satisfied* nil "Whether tested values have satisfied all hypotheses.")

(defun tested-value (term bindings)
  "As VALUE-WITHIN; counts the steps of the search."
  (let ((steps (min +steps-of-a-value+ *search-left*)))
    (multiple-value-bind (value left) (value-within steps term bindings)
      (decf *search-left* (1+ (- steps left)))
      (when (eq value :no-value) (setq *valueless* t))
      value)))

(defun conjuncts (term)
  "The conjuncts of a translated term."
  (if (and (consp term) (eq (car term) 'if) (equal (fourth term) ''nil))
      (append (conjuncts (second term)) (conjuncts (third term)))
      (list term)))

(defun hypotheses-and-conclusion (term)
  (if (and (consp term) (eq (car term) 'acl2::implies))
      (multiple-value-bind (more conclusion) (hypotheses-and-conclusion (third term))
        (values (append (conjuncts (second term)) more) conclusion))
      (values '() term)))

(defun clause-conjecture (clause)
  "CLAUSE as an implication."
  (let ((hypotheses (mapcar #'acl2::dumb-negate-lit (butlast clause))))
    (if hypotheses
        (list 'acl2::implies (acl2::conjoin hypotheses) (car (last clause)))
        (car (last clause)))))

(defun constants-of (term)
  "The constants of a translated term or of a list of such."
  (cond ((atom term) '())
        ((eq (car term) 'quote) (list (second term)))
        (t (append (constants-of (car term)) (constants-of (cdr term))))))

(defun values-near (constant)
  "Values for which a comparison with CONSTANT may hold: numbers near it, and a list of that length."
  (if (integerp constant)
      (list* constant (1+ constant) (1- constant)
             (and (<= 2 constant +longest-list-tried+) (list (make-list constant))))
      (list constant)))

(defun values-to-try (hypotheses)
  "Small values, and values near the constants of HYPOTHESES."
  (let ((near (remove-duplicates (mapcan #'values-near (constants-of hypotheses)) :test #'equal :from-end t)))
    (append *small-values*
            (first-values +constants-tried+
                          (remove-if (lambda (value) (member value *small-values* :test #'equal)) near)))))

(defun allowed-values (variable hypotheses)
  "Values to try that satisfy those of HYPOTHESES about VARIABLE alone."
  (let ((own (remove-if-not (lambda (each) (equal (acl2::all-vars each) (list variable))) hypotheses)))
    (remove-if-not (lambda (value)
                     (every (lambda (each)
                              (let ((holds (value-within +steps-of-a-value+ each (list (cons variable value)))))
                                (when (eq holds :no-value) (setq *valueless* t))
                                (not (member holds '(nil :no-value)))))
                            own))
                   (values-to-try hypotheses))))

(defun first-values (count values)
  (subseq values 0 (min count (length values))))

(defparameter *types*
  '(acl2::acl2-numberp rationalp integerp acl2::natp acl2::posp consp listp acl2::true-listp symbolp stringp characterp
    acl2::booleanp acl2::alistp acl2::symbol-listp acl2::integer-listp acl2::nat-listp acl2::rational-listp
    acl2::acl2-number-listp acl2::string-listp acl2::character-listp)
  "ACL2 functions that test the type of a variable.")

(defun types-of (value)
  (remove-if-not (lambda (type) (funcall type value)) *types*))

(defun types-of-values (bindings)
  (mapcar (lambda (binding) (types-of (cdr binding))) bindings))

(defun call-with-refutations (function choices bindings holds conclusion)
  "Calls FUNCTION with bindings from CHOICES, an alist of variables and values, that satisfy HOLDS and falsify CONCLUSION,
while steps remain. Each of HOLDS, the hypotheses, is tested as soon as its variables are bound."
  (let ((ready (remove-if-not (lambda (each) (subsetp (acl2::all-vars each) (mapcar #'car bindings))) holds)))
    (unless (some (lambda (each) (member (tested-value each bindings) '(nil :no-value))) ready)
      (if choices
          (let ((waiting (set-difference holds ready :test #'eq)))
            (dolist (value (cdr (first choices)))
              (unless (plusp *search-left*) (return))
              (call-with-refutations function
                                     (rest choices) (acons (car (first choices)) value bindings) waiting conclusion)))
          (when (plusp *search-left*)
            (setq *satisfied* t)
            (when (and (null (tested-value conclusion bindings))
                       (plusp *search-left*))
              (funcall function (reverse bindings))))))))

(defun refutations (term &key (steps +steps-of-a-search+) (most 1))
  "Bindings that falsify TERM, simplest first, at most MOST, each with values of other types."
  (multiple-value-bind (hypotheses conclusion) (hypotheses-and-conclusion term)
    (let ((*search-left* steps)
          (found '())
          (pools (mapcar (lambda (variable) (cons variable (allowed-values variable hypotheses)))
                         (reverse (acl2::all-vars term)))))
      (block search
        (flet ((note (bindings)
                 (pushnew bindings found :key #'types-of-values :test #'equal)
                 (when (<= most (length found)) (return-from search))
                 (setq *search-left* (min *search-left* +steps-after-the-first+))))
          (dolist (width *widths*)
            (call-with-refutations #'note
                                   (mapcar (lambda (pool) (cons (car pool) (first-values width (cdr pool)))) pools)
                                   '() hypotheses conclusion))))
      (reverse found))))

(defun side-texts (conclusion bindings)
  "The values of both sides of an equation."
  (when (and (consp conclusion) (member (car conclusion) '(equal acl2::iff)))
    (let ((sides (mapcar (lambda (side) (value-within +steps-of-a-value+ side bindings)) (cdr conclusion))))
      (unless (member :no-value sides)
        (mapcar (lambda (value) (one-line value +value-characters+)) sides)))))

(defun tried-value-object (binding)
  (object "variable" (one-line (car binding))
          "value" (one-line (cdr binding) +value-characters+)))

(defun tried-types-object (binding)
  (object "variable" (one-line (car binding))
          "types" (lines-of (types-of (cdr binding)))))

(defun counterexample-object (term)
  "NIL if none was found. For further ones, the types of the values show which hypotheses would not help."
  (let* ((found (refutations term :most +refutations-told+))
         (bindings (first found)))
    (when found
      (object "bindings" (array-of (mapcar #'tried-value-object bindings))
              "sides" (let ((sides (side-texts (nth-value 1 (hypotheses-and-conclusion term)) bindings)))
                        (and sides (array-of sides)))
              "types" (array-of (mapcar (lambda (each) (array-of (mapcar #'tried-types-object each))) found))))))

(defun conjecture-of (form)
  "The conjecture of FORM as written; NIL if it is not a theorem."
  (case (and (consp form) (car form))
    ((acl2::defthm acl2::defthmd) (third form))
    (acl2::thm (second form))))

(defun translated (conjecture)
  (let ((acl2::state (state)))
    (multiple-value-bind (failed term)
        (acl2::translate-cmp conjecture t t t 'acl2::harbor (world) (acl2::default-state-vars t))
      (and (not failed) term))))

(defun theorem-counterexample (form)
  "The translated conjecture of FORM. Macros of the session run during translation, as in a form of its own."
  (let ((conjecture (conjecture-of form)))
    (and conjecture
         (unless-it-fails
           (as-a-form
             (let ((term (translated conjecture)))
               (and term (counterexample-object term))))))))

(defun counterexample-of (form)
  "For OF-FAILED-PROOF. Does not search after an interrupt."
  (lambda (gag-state)
    (declare (ignore gag-state))
    (and (not *stop*) (theorem-counterexample form))))

(defun false-goal-p (info)
  "ACL2 prints <GOAL> for the theorem itself."
  (let ((clause (acl2::access acl2::gag-info info :clause)))
    (and (not (equal clause '(acl2::<goal>)))
         (refutations (clause-conjecture clause) :steps +steps-of-a-goal+))))

(defun false-goals (gag-state)
  "Names of the first key checkpoints that are false for some small values, so that a step before them lost information."
  (let ((infos (append (reverse (acl2::access acl2::gag-state gag-state :top-stack))
                       (reverse (acl2::access acl2::gag-state gag-state :sub-stack)))))
    (array-of (mapcar (lambda (info) (goal-name (acl2::access acl2::gag-info info :clause-id)))
                      (remove-if-not #'false-goal-p (first-values +goals-tested+ infos))))))
