;;;; The functions that occur in the checkpoints of a failed proof: which are recursive, and which are disabled.
;;;; Only the current world is asked, where a property is found at once.

(in-package "LISP-HARBOR-ACL2")

(defconstant +goal-functions-told+ 60)

(defun goal-clauses (gag-state)
  (mapcar (lambda (info) (acl2::access acl2::gag-info info :clause))
          (append (acl2::access acl2::gag-state gag-state :top-stack)
                  (acl2::access acl2::gag-state gag-state :sub-stack))))

(defun functions-of (clauses)
  (let ((names '()))
    (dolist (clause clauses (nreverse names))
      (dolist (name (acl2::all-fnnames-lst clause))
        (pushnew name names)))))

(defun disabled-p (function)
  "Whether somebody has disabled its definition. ACL2 itself does that with some of its own functions, and rightly. Those of a
book that could not be certified are no functions any more."
  (and (acl2::function-symbolp function (world))
       (not (acl2::getpropc function 'acl2::predefined nil (world)))
       (member (list :definition function)
               (acl2::disabledp-fn function (acl2::ens (state)) (world))
               :test #'equal)
       t))

(defun goal-function-object (function)
  (object "name" (one-line function)
          "recursive" (truth (or-else nil (acl2::getpropc function 'acl2::recursivep nil (world))))
          "disabled" (truth (or-else nil (disabled-p function)))))

(defun goal-functions (gag-state)
  (let ((functions (functions-of (goal-clauses gag-state))))
    (array-of (mapcar #'goal-function-object
                      (subseq functions 0 (min +goal-functions-told+ (length functions)))))))
