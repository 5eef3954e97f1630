;;;; Forms that the helper executes itself, such as (HARBOR-UNDO 3). Each submits a sequence of forms
;;;; to LD. They are read and recorded like other forms, but work only at the top level of a request.

(in-package "LISP-HARBOR-ACL2")

(defvar *harbor-forms* '()
  "From operators, symbols of package ACL2, to the function that executes it and the types of its arguments.")

(defvar *package-afterwards* nil "The package after a harbor form: the one before it, unless the form sets another.")

(defvar *print-values* nil "The VALUES-PRINTER of the current request.")

(defmacro define-harbor-form (operator parameters &body body)
  "PARAMETERS are lists of a name and a type. BODY returns a SUCCESS, or NIL after it has printed the reason for a failure to
the commentary, and details for the record."
  (let ((function (intern (symbol-name operator) "LISP-HARBOR-ACL2")))
    `(progn
       (defun ,function ,(mapcar #'first parameters) ,@body)
       (push '(,operator ,function ,@(mapcar #'second parameters)) *harbor-forms*))))

(defun harbor-form-p (form)
  (and (consp form) (assoc (car form) *harbor-forms*) t))

(defun refuse (operator control &rest arguments)
  "Prints a reason in the style of ACL2's errors; returns NIL."
  (format *commentary* "~%ACL2 Error in ~a:  ~?~%" operator control arguments)
  nil)

(defun arguments-fit-p (arguments types)
  (and (eql (ignore-errors (length arguments)) (length types))
       (every #'typep arguments types)))

(defun carry-out (form)
  (destructuring-bind (operator function &rest types) (assoc (car form) *harbor-forms*)
    (if (arguments-fit-p (cdr form) types)
        (apply function (cdr form))
        (refuse operator "Expected ~d argument~:p: ~{~(~a~)~^, ~}." (length types) types))))

(defun run-harbor-form (form position print-values)
  "Returns whether it succeeded. Restores the folder afterwards."
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

;;; For implementations of harbor forms.

(defun submit (form part)
  "Runs FORM as a part of the harbor form; PART names it in its record. Returns whether it succeeded."
  (let ((*part* part))
    (run-form form nil *print-values*)))

(defun tell-unread (part why)
  "Reports a part that cannot be read. Returns NIL."
  (let ((*part* (append part '("unread" :true))))
    (setq *raw-condition* why)
    (mark-commentary)
    (tell-form nil nil (make-before) nil nil)))

(defun submit-next (channel part &optional (unsubmitted (constantly nil)))
  "Reads a form from CHANNEL and submits it. Returns T for success, NIL for failure, :END at the end, and :PASSED-OVER with
the form for one that UNSUBMITTED excludes."
  (multiple-value-bind (kind form keyword-command) (read-form channel)
    (case kind
      (:end :end)
      (:error (tell-unread part form) nil)
      (t (if (funcall unsubmitted form)
             (values :passed-over form)
             (submit (or form keyword-command) part))))))

(defun submit-source (text folder file tag)
  "Submits the form of TEXT as recorded for a command: in package ACL2, in FOLDER, which is the project for NIL, and from
FILE, if any. TAG names it in its record. Returns whether it succeeded and changed the world, as every command did
originally."
  (enter-package "ACL2")
  (set-state-global 'acl2::connected-book-directory (or folder *project*))
  (let ((channel (make-string-channel text)) (*file* file) (before (world)))
    (unwind-protect (and (eq (submit-next channel (object "tag" tag)) t)
                         (not (eq (world) before)))
      (forget-channel channel))))

(defun lost-object (tag text)
  "A resubmitted form that failed."
  (object "tag" tag "form" text))

(defun submitted (sources lost)
  "The result of a harbor form that submitted SOURCES; LOST are the LOST-OBJECTs of those that failed."
  (let ((admitted (- (length sources) (length lost))))
    (values (make-success :values (list (format nil "~d" admitted)))
            (object "lost" (array-of lost) "admitted" admitted))))
