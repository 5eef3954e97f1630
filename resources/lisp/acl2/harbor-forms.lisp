;;;; Forms that the helper carries out itself, such as (HARBOR-UNDO 3): each submits forms to LD, one after another.
;;;; They are read like any others and recorded like any others, but only at the top level of a request.

(in-package "LISP-HARBOR-ACL2")

(defvar *harbor-forms* '()
  "From operators, symbols of ACL2's package, to the function that carries it out and what its arguments must be.")

(defvar *package-afterwards* nil "The package that a harbor form leaves the session in: the one where it began, unless it says so.")

(defvar *print-values* nil "The VALUES-PRINTER of the present request.")

(defmacro define-harbor-form (operator parameters &body body)
  "PARAMETERS are lists of a name and a type. BODY answers a SUCCESS, or NIL where it failed after it has said why to the
commentary, and details for the record."
  (let ((function (intern (symbol-name operator) "LISP-HARBOR-ACL2")))
    `(progn
       (defun ,function ,(mapcar #'first parameters) ,@body)
       (push '(,operator ,function ,@(mapcar #'second parameters)) *harbor-forms*))))

(defun harbor-form-p (form)
  (and (consp form) (assoc (car form) *harbor-forms*) t))

(defun refuse (operator control &rest arguments)
  "Says why, as ACL2's own errors do; answers NIL."
  (format *commentary* "~%ACL2 Error in ~a:  ~?~%" operator control arguments)
  nil)

(defun arguments-fit-p (arguments types)
  (and (eql (ignore-errors (length arguments)) (length types))
       (every #'typep arguments types)))

(defun carry-out (form)
  (destructuring-bind (operator function &rest types) (assoc (car form) *harbor-forms*)
    (if (arguments-fit-p (cdr form) types)
        (apply function (cdr form))
        (refuse operator "It takes ~d argument~:p: ~{~(~a~)~^, ~}." (length types) types))))

(defun run-harbor-form (form position print-values)
  "Answers whether it succeeded. The folder is afterwards what it was."
  (let ((before (make-before))
        (*package-afterwards* (acl2::current-package (state)))
        (folder (state-global 'acl2::connected-book-directory)))
    (setq *raw-condition* nil
          *found-again* '()
          *print-values* print-values)
    (multiple-value-bind (success details) (unwind-protect (carry-out form)
                                             (when (known-package-p *package-afterwards*)
                                               (enter-package *package-afterwards*))
                                             (set-state-global 'acl2::connected-book-directory folder))
      (mark-commentary)
      (tell-form form position before success details)
      (and success t))))

;;; For those who carry one out.

(defun submit (form part)
  "Runs FORM as a part of the harbor form; PART is what it is called in its record. Answers whether it succeeded."
  (let ((*part* part))
    (run-form form nil *print-values*)))

(defun tell-unread (part why)
  "The record of a part that cannot be read. Answers NIL."
  (let ((*part* (append part '("unread" :true))))
    (setq *raw-condition* why)
    (mark-commentary)
    (tell-form nil nil (make-before) nil nil)))

(defun submit-next (channel part &optional (unsubmitted (constantly nil)))
  "Reads a form from CHANNEL and submits it. Answers T where it succeeded, NIL where it failed, :END at the end, and
:PASSED-OVER with the form for one that UNSUBMITTED says is not to be."
  (multiple-value-bind (kind form keyword-command) (read-form channel)
    (case kind
      (:end :end)
      (:error (tell-unread part form) nil)
      (t (if (funcall unsubmitted form)
             (values :passed-over form)
             (submit (or form keyword-command) part))))))

(defun submit-source (text folder file tag)
  "Submits the form of TEXT as it was told of a command: in package ACL2, in FOLDER, which is the project for NIL. It comes
from FILE, if it came from one. TAG is what it is called in its record. Answers whether it succeeded and changed the world, as
every command did once."
  (enter-package "ACL2")
  (set-state-global 'acl2::connected-book-directory (or folder *project*))
  (let ((channel (make-string-channel text)) (*file* file) (before (world)))
    (unwind-protect (and (eq (submit-next channel (object "tag" tag)) t)
                         (not (eq (world) before)))
      (forget-channel channel))))

(defun lost-object (tag text)
  "A form that was submitted again in vain."
  (object "tag" tag "form" text))

(defun submitted (sources lost)
  "What a harbor form answers that has submitted SOURCES; those that were LOST are their LOST-OBJECTs."
  (let ((admitted (- (length sources) (length lost))))
    (values (make-success :values (list (format nil "~d" admitted)))
            (object "lost" (array-of lost) "admitted" admitted))))
