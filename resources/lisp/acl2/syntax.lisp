;;;; Checking forms without evaluating them: each is read and translated. Definitions are for a moment in the world, with
;;;; nothing proved, so that those after them may use them; nothing else runs but macros.

(in-package "LISP-HARBOR-ACL2")

(defparameter *definitions*
  '(defun acl2::defund defmacro acl2::defthm acl2::defthmd acl2::mutual-recursion acl2::defun-nx acl2::defabbrev acl2::defstub)
  "They bring names, and run no code of their own but macros.")

(defparameter *groups* '(progn acl2::local acl2::skip-proofs) "What is inside of them is looked at by itself.")

(defparameter *nameless-events*
  '(acl2::in-theory acl2::table acl2::logic acl2::program acl2::verify-guards acl2::value-triple acl2::assert-event
    acl2::thm acl2::theory-invariant acl2::in-package)
  "They bring no names.")

(defvar *sure* nil "Whether all names are known that the forms so far would have brought.")

(defvar *line* 1 "Where the form begins that is looked at.")

(defun place-phrase ()
  "As ACL2's errors name what they are about."
  (list "the form on line ~x0" (cons #\0 *line*)))

(defun translating-form (form)
  "A form for LD that translates FORM as LD would, and fails where it would."
  `(acl2::mv-let (acl2::erp acl2::translated acl2::bindings acl2::state)
       (acl2::translate1 ',form ':stobjs-out '((:stobjs-out . :stobjs-out)) t ',(place-phrase) (acl2::w acl2::state) acl2::state)
     (acl2::declare (acl2::ignore acl2::translated acl2::bindings))
     (acl2::mv acl2::erp :invisible acl2::state)))

(defun translating-term (term)
  "As TRANSLATING-FORM, of the formula of a THM."
  `(acl2::mv-let (acl2::erp acl2::translated acl2::state)
       (acl2::translate ',term t t t ',(place-phrase) (acl2::w acl2::state) acl2::state)
     (acl2::declare (acl2::ignore acl2::translated))
     (acl2::mv acl2::erp :invisible acl2::state)))

(defun may-bring-names-p (form)
  "Whether it is an event, or holds one, that only evaluation would show."
  (and (consp form)
       (not (member (car form) *nameless-events*))
       (not (and (symbolp (car form)) (function-name-p (car form))))
       (or (embeddable-p form)
           (member (car form) '(acl2::ld acl2::er-progn acl2::er-let* acl2::pprogn acl2::defpkg)))))

(defun set-proofs-and-redefinition (skip redefine)
  (set-state-global 'acl2::ld-skip-proofsp skip)
  (set-state-global 'acl2::ld-redefinition-action redefine))

(defun check-definition (form)
  "Its event without its proofs, whatever its name stands for now. HARBOR-CHECK-SYNTAX takes it out of the world again."
  (set-proofs-and-redefinition t '(:doit! . :overwrite))
  (unwind-protect (run-ld form)
    (set-proofs-and-redefinition nil nil)))

(defun enter-package-of (form)
  "As IN-PACKAGE, of a package that is there."
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
  "How many forms were read, how many of them were translated, and whether nothing is wrong."
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
  "Reads the forms of TEXT and translates them, up to the first that is none. Session and world are afterwards as before."
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
