;;;; The functions in the checkpoints of a failed proof: which are recursive or disabled, and whether
;;;; arithmetic books are included. Only the current world is queried, where property lookup is fast.

(in-package "LISP-HARBOR-ACL2")

(defconstant +goal-functions-told+ 60)

(defun goal-clauses (gag-state)
  (let ((reverted (acl2::access acl2::gag-state gag-state :abort-stack)))
    (mapcar (lambda (info) (acl2::access acl2::gag-info info :clause))
            (append (acl2::access acl2::gag-state gag-state :top-stack)
                    (acl2::access acl2::gag-state gag-state :sub-stack)
                    (and (consp reverted) reverted)))))

(defun functions-of (clauses)
  (let ((names '()))
    (dolist (clause clauses (nreverse names))
      (dolist (name (acl2::all-fnnames-lst clause))
        (pushnew name names)))))

(defun disabled-p (function)
  "Whether its definition was disabled, except by ACL2 itself, which does so for some of its own functions. Functions of a
book that failed to certify do not exist any more."
  (and (acl2::function-symbolp function (world))
       (not (acl2::getpropc function 'acl2::predefined nil (world)))
       (member (list :definition function)
               (acl2::disabledp-fn function (acl2::ens (state)) (world))
               :test #'equal)
       t))

(defun recursive-functions (function)
  "FUNCTION and its mutually recursive functions; only itself if it calls itself; none if it is not recursive."
  (or-else '() (acl2::getpropc function 'acl2::recursivep '() (world))))

(defun goal-function-object (function)
  (object "name" (one-line function)
          "recursive_with" (lines-of (recursive-functions function))
          "disabled" (truth (or-else nil (disabled-p function)))))

(defun goal-functions (gag-state)
  (let ((functions (functions-of (goal-clauses gag-state))))
    (array-of (mapcar #'goal-function-object
                      (subseq functions 0 (min +goal-functions-told+ (length functions)))))))

(defconstant +usable-theorems-told+ 8)

(defun quantifier-theorem-p (symbol)
  "Whether a DEFUN-SK, or a form like it, named it. Its rule has free variables."
  (let ((name (symbol-name symbol)))
    (some (lambda (end) (let ((at (search end name :from-end t)))
                          (and at (eql (+ at (length end)) (length name)))))
          '("-SUFF" "-NECC"))))

(defun usable-theorem-p (symbol functions)
  "Whether SYMBOL is a theorem about some of FUNCTIONS, and no others of the session, that is not applied automatically."
  (let* ((enabled (state-global 'acl2::global-enabled-structure))
         (term (property symbol 'acl2::theorem))
         (own (and term (remove-if #'predefined-p (acl2::all-fnnames term)))))
    (and own
         (subsetp own functions)
         (or (quantifier-theorem-p symbol)
             (notany (lambda (pair) (acl2::enabled-numep (car pair) enabled))
                     (property symbol 'acl2::runic-mapping-pairs))))))

(defun usable-theorems (gag-state)
  "Theorems of the session, newest first, for hints that use them."
  (let* ((functions (functions-of (goal-clauses gag-state)))
         (found (reverse (own-names 'acl2::theorem (lambda (name) (usable-theorem-p name functions))))))
    (array-of (mapcar (lambda (name)
                        (object "name" (one-line name)
                                "formula" (one-line (as-written (property name 'acl2::theorem) t))))
                      (subseq found 0 (min +usable-theorems-told+ (length found)))))))

(defun arithmetic-book-p ()
  "Whether an arithmetic book of the system is included."
  (some (lambda (entry)
          (let ((name (system-book (first entry))))
            (and name (or (search "arithmetic" name) (search "ihs/" name)) t)))
        (books)))
