;;;; Checks forms without evaluating them: each is read and translated. Definitions are added
;;;; temporarily without proofs, so that later forms can use them; only macros run.

(in-package "LISP-HARBOR-ACL2")

(defparameter *definitions*
  '(defun acl2::defund defmacro acl2::defthm acl2::defthmd acl2::mutual-recursion acl2::defun-nx acl2::defabbrev acl2::defstub)
  "Events that introduce names and run only macros.")

(defparameter *groups* '(progn acl2::local acl2::skip-proofs) "Events whose nested forms are checked separately.")

(defparameter *nameless-events*
  '(acl2::in-theory acl2::table acl2::logic acl2::program acl2::verify-guards acl2::value-triple acl2::assert-event
    acl2::thm acl2::theory-invariant acl2::in-package)
  "Events that introduce no names.")

(defvar *sure* nil "Whether all names are known that the forms so far would have introduced.")

(defvar *line* 1 "The start of the current form.")

(defun place-phrase ()
  "The context in the style of ACL2's errors."
  (list "the form on line ~x0" (cons #\0 *line*)))

(defun translating-form (form)
  "A form for LD that translates FORM as LD would, and fails where it would."
  `(acl2::mv-let (acl2::erp acl2::translated acl2::bindings acl2::state)
       (acl2::translate1 ',form ':stobjs-out '((:stobjs-out . :stobjs-out)) t ',(place-phrase) (acl2::w acl2::state) acl2::state)
     (acl2::declare (acl2::ignore acl2::translated acl2::bindings))
     (acl2::mv acl2::erp :invisible acl2::state)))

(defun translating-term (term)
  "As TRANSLATING-FORM, for the formula of a THM."
  `(acl2::mv-let (acl2::erp acl2::translated acl2::state)
       (acl2::translate ',term t t t ',(place-phrase) (acl2::w acl2::state) acl2::state)
     (acl2::declare (acl2::ignore acl2::translated))
     (acl2::mv acl2::erp :invisible acl2::state)))

(defun may-bring-names-p (form)
  "Whether it is or contains an event that only evaluation would reveal."
  (and (consp form)
       (not (member (car form) *nameless-events*))
       (not (and (symbolp (car form)) (function-name-p (car form))))
       (or (embeddable-p form)
           (member (car form) '(acl2::ld acl2::er-progn acl2::er-let* acl2::pprogn acl2::defpkg)))))

(defun set-proofs-and-redefinition (skip redefine)
  (set-state-global 'acl2::ld-skip-proofsp skip)
  (set-state-global 'acl2::ld-redefinition-action redefine))

(defun check-definition (form)
  "Its event without proofs, regardless of the current meaning of its name. HARBOR-CHECK-SYNTAX removes it from the world
again."
  (set-proofs-and-redefinition t '(:doit! . :overwrite))
  (unwind-protect (run-ld form)
    (set-proofs-and-redefinition nil nil)))

(defun enter-package-of (form)
  "As IN-PACKAGE for an existing package."
  (when (and (stringp (second form)) (known-package-p (second form)))
    (enter-package (second form)))
  t)

(defun check-form (form)
  (renew-answers)
  (evaluate-all-forms)
  (let ((operator (and (consp form) (car form))))
    (cond ((member operator *groups*) (every #'check-form (rest form)))
          ((eq operator 'acl2::in-package) (enter-package-of form))
          ((member operator *definitions*) (check-definition form))
          ((eq operator 'acl2::thm) (run-ld (translating-term (second form))))
          (t (prog1 (run-ld (translating-form form))
               (when (may-bring-names-p form) (setq *sure* nil)))))))

(defun check-forms (text channel)
  "The number of forms read, the number translated, and whether there is no error."
  (do ((count 0 (1+ count)) (translated 0) (*sure* t)) (*stop* (values count translated nil))
    (let ((*line* (line-at text (form-start text (channel-position channel)))))
      (multiple-value-bind (kind form keyword-command) (read-form channel)
        (case kind
          (:end (return (values count translated t)))
          (:error (return (values count translated (tell-unread (object "line" *line*) form))))
          (t (when *sure*
               (if (check-form (or form keyword-command))
                   (incf translated)
                   (return (values count translated nil))))))))))

(define-harbor-form acl2::harbor-check-syntax ((text string))
  "Reads and translates the forms of TEXT, up to the first invalid one. Restores session and world afterwards."
  (let ((*telling-changes* nil)
        (world (world))
        (skipping (state-global 'acl2::ld-skip-proofsp))
        (redefining (state-global 'acl2::ld-redefinition-action))
        (channel (make-string-channel text)))
    (unwind-protect
        (multiple-value-bind (count translated fine) (check-forms text channel)
          (and fine
               (make-success :values (list (format nil "~d" count) (format nil "~d" translated)))))
      (forget-channel channel)
      (set-proofs-and-redefinition skipping redefining)
      (unless (eq (world) world) (restore-world world)))))
