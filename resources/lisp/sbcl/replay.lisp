;;;; Replay: evaluates definitions of a previous image in a new one. The harbor sends the evaluations
;;;; of its history in order. Forms that are not restored are reported one by one.

(in-package :lisp-harbor-agent)

(defconstant +told-forms+ 500 "Maximum number of reported forms, of skipped and failed ones each.")
(defconstant +told-characters+ 200 "Maximum length of the text of a reported form.")

(defstruct replay
  (count 0 :type integer)               ; number of replayed forms
  (missing-count 0 :type integer)
  (assignments '() :type list)          ; missing forms that assign, as JSON objects, last one first
  (others '() :type list))              ; the other missing forms

(defstruct (replay-entry (:type list) (:conc-name entry-))
  "An evaluation of the history, with its forms that had completed."
  id package forms)

(defstruct (recorded-form (:type list) (:conc-name recorded-))
  "START is the form's position in the code of its evaluation, READ an alist as of READER-STATE, MADE the texts of
the definitions that it made."
  start text read made)

(defun one-line (text)
  (let ((words (substitute-if #\Space (lambda (char) (find char +blanks+)) text)))
    (subseq words 0 (min +told-characters+ (length words)))))

(defun missing-form (replay entry text why)
  "Counts a missing form. Returns its data for the report, or NIL beyond the maximum."
  (when (<= (incf (replay-missing-count replay)) +told-forms+)
    (object "id" (entry-id entry) "form" (one-line (string-trim +blanks+ text)) "because" why)))

(defun tell-missing (replay entry text why)
  (let ((missing (missing-form replay entry text why)))
    (when missing (push missing (replay-others replay)))))

(defun tell-left-out (replay entry form text)
  (if (and (consp form) (assigned-places form))
      (let ((missing (missing-form replay entry text "it assigns")))
        (when missing (push missing (replay-assignments replay))))
      (tell-missing replay entry text "it defines nothing")))

(defun failure-of (form)
  "Evaluates FORM. Returns the reason if it failed, otherwise NIL."
  (restart-case
      (handler-case (progn (evaluate-form form nil) nil)
        (serious-condition (condition)
          (format nil "~A: ~A" (name-text (type-of condition)) (message-of condition))))
    (abort () "it was aborted")))

;;; Reading.

(define-condition unreadable (error)
  ((why :initarg :why))
  (:report (lambda (condition stream) (write-string (slot-value condition 'why) stream))))

(defun unreadable (control &rest arguments)
  (error 'unreadable :why (apply #'format nil control arguments)))

(defun state-of (recorded name)
  (rest (assoc name (recorded-read recorded) :test #'string=)))

(defun enter-recorded-package (recorded)
  (let ((name (first (state-of recorded "package"))))
    (when name
      (setf *package* (or (find-package name) (unreadable "there is no package ~A" name))))))

(defun add-recorded-nicknames (recorded)
  (loop for (nickname name) in (state-of recorded "nicknames")
        for package = (find-package name)
        unless (assoc nickname (sb-ext:package-local-nicknames *package*) :test #'string=)
          do (if package
                 (sb-ext:add-package-local-nickname nickname package)
                 (unreadable "its package nickname ~A has no package ~A" nickname name))))

(defun use-recorded-readtable (recorded)
  (destructuring-bind (&optional package name) (state-of recorded "readtable")
    (when (and name (not (equal (readtable-named) (list package name))))
      (let* ((finder (uiop:find-symbol* "FIND-READTABLE" "EDITOR-HINTS.NAMED-READTABLES" nil))
             (symbol (uiop:find-symbol* name package nil))
             (found (and finder symbol (funcall finder symbol))))
        (setf *readtable* (or found (unreadable "there is no readtable ~A" name)))))))

(defun enter-recorded-state (recorded)
  "Makes the state of the reader that of the time when RECORDED was read, which is also that of the session then.
Signals UNREADABLE if that is not possible."
  (when (recorded-read recorded)
    (enter-recorded-package recorded)
    (add-recorded-nicknames recorded)
    (use-recorded-readtable recorded)
    (flet ((keyword-of (name default)
             (intern (string-upcase (or (first (state-of recorded name)) default)) "KEYWORD")))
      (setf *read-base* (or (first (state-of recorded "base")) 10)
            *read-default-float-format* (find-symbol (symbol-name (keyword-of "floats" "single-float")) "CL"))
      (let ((case (keyword-of "case" "upcase")))
        (unless (eq case (readtable-case *readtable*))
          (setf (readtable-case *readtable*) case))))
    (let ((then (state-of recorded "syntax")))
      (unless (equal then (own-syntax-in (recorded-text recorded)))
        (unreadable "it was read with a readtable that is not here~@[ (~{~A~^ ~})~]" (mapcar #'first then))))))

(defun recorded-features (recorded)
  "Returns the features with which RECORDED was read."
  (flet ((features (name) (mapcar (lambda (name) (intern name "KEYWORD")) (state-of recorded name))))
    (union (features "added") (set-difference *features-of-image* (features "removed")))))

(defun read-again (recorded)
  "Returns the form, read with *READ-EVAL* false, because reader evaluation could run any code."
  (enter-recorded-state recorded)
  (let ((text (recorded-text recorded))
        (*read-eval* nil))
    (multiple-value-bind (form end)
        (if (and (recorded-read recorded) (feature-changes text))
            (let ((*features* (recorded-features recorded))) (read-from-string text))
            (read-from-string text))
      (when (form-start text end) (unreadable "it reads as more than one form now"))
      form)))

;;; Forms.

(defun parts-to-replay (form)
  "Returns the subforms of FORM, a PROGN that mixes definitions with other forms: those to replay, and the others."
  (loop for part in (rest form)
        if (replayed-p part) collect part into replayed
        else unless (without-effect-p part) collect part into others
        finally (return (values replayed others))))

(defun evaluate-parts (replay entry parts text)
  "Evaluates PARTS until one fails. Returns false if one did."
  (loop for part in parts
        for failure = (failure-of part)
        when failure do (tell-missing replay entry text failure) and return nil
        finally (incf (replay-count replay)) (return t)))

(defun replay-mixed (replay entry recorded form made)
  "Replays the definitions in FORM. The rest of it is replayed only if it made definitions too."
  (multiple-value-bind (parts others) (parts-to-replay form)
    (when (evaluate-parts replay entry parts (recorded-text recorded))
      (if (set-difference (recorded-made recorded) (funcall made) :test #'string=)
          (evaluate-parts replay entry others (recorded-text recorded))
          (dolist (other others)
            (tell-left-out replay entry other (one-line (source-text-of other))))))))

(defun replay-form (replay entry recorded form made)
  (let ((text (recorded-text recorded)))
    (cond ((without-effect-p form))
          ((or (replayed-p form) (and (recorded-made recorded) (not (eq (first form) 'progn))))
           (evaluate-parts replay entry (list form) text))
          ((recorded-made recorded)
           (replay-mixed replay entry recorded form made))
          (t (tell-left-out replay entry form text)))))

(defun tell-unmade (replay entry recorded made)
  "Reports definitions that the form made then and not this time."
  (let ((unmade (set-difference (recorded-made recorded) made :test #'string=)))
    (when unmade
      (tell-missing replay entry (recorded-text recorded)
                    (format nil "it did not make ~A this time" (in-a-row 5 (reverse unmade)))))))

(defun replay-recorded (replay entry recorded)
  (call-watched
   (lambda (made)
     (let ((missing (replay-missing-count replay)))
       (handler-case
           (let ((form (read-again recorded))
                 (sb-c::*source-plist* (evaluated-source (entry-id entry) (recorded-start recorded))))
             (replay-form replay entry recorded form made))
         (error (condition)
           (tell-missing replay entry (recorded-text recorded) (one-line (message-of condition)))))
       (when (= missing (replay-missing-count replay))
         (tell-unmade replay entry recorded (funcall made (recorded-text recorded))))))))

(defun replay-evaluation (replay entry)
  "Begins in the package in which ENTRY began. A row of an earlier version has only that, as it was requested."
  (let ((package (ignore-errors (package-named (entry-package entry)))))
    (when package (setf *package* package))
    (dolist (recorded (entry-forms entry))
      (if (or package (recorded-read recorded))
          (replay-recorded replay entry recorded)
          (tell-missing replay entry (recorded-text recorded)
                        (format nil "there is no package ~A" (entry-package entry)))))))

(defun lisp-harbor:replay (entries package)
  "Replays the definitions of ENTRIES, lists as REPLAY-ENTRY. PACKAGE is the current one afterwards. Returns the
number of replayed forms."
  (let ((replay (make-replay)))
    (dolist (entry entries)
      (replay-evaluation replay entry))
    (let ((current (ignore-errors (package-named package))))
      (when current (setf *package* current)))
    (send "replayed"
          "id" (evaluation-id *evaluation*)
          "count" (replay-count replay)
          "missing" (append (reverse (replay-assignments replay)) (reverse (replay-others replay)))
          "missingCount" (replay-missing-count replay))
    (replay-count replay)))
