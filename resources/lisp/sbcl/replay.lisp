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
  "An evaluation of the history. FORM-COUNT is the number of its forms that had completed."
  id package form-count code)

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
  (if (assigned-places form)
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

(defun replay-form (replay entry form text position)
  (cond ((without-effect-p form))
        ((not (replayed-p form))
         (tell-left-out replay entry form text))
        (t (let* ((sb-c::*source-plist* (evaluated-source (entry-id entry) position))
                  (failure (failure-of form)))
             (if failure
                 (tell-missing replay entry text failure)
                 (incf (replay-count replay)))))))

(defun replay-forms (replay entry)
  "Reads the forms of ENTRY one after another, with *READ-EVAL* false, because reader evaluation could run any
code."
  (loop with code = (entry-code entry)
        with *read-eval* = nil
        with in = (make-string-input-stream code)
        for start = (form-start code (position-in in))
        repeat (entry-form-count entry)
        while start
        do (let ((form (handler-case (read-preserving-whitespace in)
                         (error (condition)
                           (tell-missing replay entry (subseq code start) (one-line (message-of condition)))
                           (return)))))
             (replay-form replay entry form (subseq code start (position-in in)) start))))

(defun replay-evaluation (replay entry)
  "Evaluates in the package in which ENTRY began."
  (let ((package (find-package (entry-package entry))))
    (if package
        (let ((*package* package))
          (replay-forms replay entry))
        (tell-missing replay entry (entry-code entry) (format nil "there is no package ~A" (entry-package entry))))))

(defun lisp-harbor:replay (entries package)
  "Replays the definitions of ENTRIES, a list of lists of an evaluation's id, package, number of forms and
code. PACKAGE is the current one afterwards. Returns the number of replayed forms."
  (let ((replay (make-replay)))
    (dolist (entry entries)
      (replay-evaluation replay entry))
    (when (find-package package)
      (setf *package* (find-package package)))
    (send "replayed"
          "id" (evaluation-id *evaluation*)
          "count" (replay-count replay)
          "missing" (append (reverse (replay-assignments replay)) (reverse (replay-others replay)))
          "missingCount" (replay-missing-count replay))
    (replay-count replay)))
