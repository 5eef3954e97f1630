;;;; Callers that are still compiled with the former definition of a macro or an inline function. SBCL
;;;; records with compiled code which macros it expanded and which functions it called, and numbers
;;;; code in the order in which it was created.

(in-package :lisp-harbor-agent)

(defvar *expander-texts* (make-hash-table :test #'equal)
  "Maps (kind name) of each macro and each function that was inline to the hash of the text that defined it.")

(defconstant +named-expanders+ 5 "Maximum number of changed macros and inline functions with a note.")
(defconstant +named-callers+ 12 "Maximum number of callers in one note.")

(defun text-hash (text)
  "Returns a number that does not depend on the layout of TEXT."
  (sxhash (remove-if (lambda (char) (find char +blanks+)) text)))

(defun inline-p (name)
  (member (sb-int:info :function :inlinep name) '(inline sb-ext:maybe-inline)))

(defun former-kind (name marks)
  "Returns the kind of operator of NAME in MARKS, lists as of MARKS-OF, or NIL."
  (first (find-if (lambda (mark)
                    (and (member (first mark) '(:macro :function :generic-function)) (equal (second mark) name)))
                  marks)))

(defun expander-changed-p (definition marks text)
  "Records TEXT, the form of DEFINITION. Reports whether callers may be compiled with another definition, where
MARKS are those of the symbol before."
  (with-accessors ((name defined-name) (kind defined-kind)) definition
    (let* ((key (list kind name))
           (known (gethash key *expander-texts*))
           (former (former-kind name marks)))
      (when (or known (eq kind :macro) (eq former :macro) (inline-p name))
        (let ((hash (text-hash text)))
          (setf (gethash key *expander-texts*) hash)
          (and former (not (and (eq former kind) (eql known hash)))))))))

(defun note-expanders (watch definitions text-of)
  "Records which macros and inline functions among DEFINITIONS differ from what they were when WATCH began.
TEXT-OF returns the text of the form of a definition."
  (dolist (definition definitions)
    (when (and (member (defined-kind definition) '(:macro :function)) (not (defined-part definition)))
      (let ((marks (gethash (symbol-of definition) (watch-marks watch))))
        (when (and (expander-changed-p definition marks (funcall text-of definition)) *evaluation*)
          (pushnew (defined-name definition) (evaluation-changed-expanders *evaluation*) :test #'equal))))))

(defun note-expanders-of-file (watch definitions text)
  "As NOTE-EXPANDERS, for a load of a file with TEXT."
  (let ((starts (coerce (top-level-forms text) 'vector)))
    (flet ((form-text (definition)
             (let* ((source (ignore-errors
                             (sb-introspect:find-definition-source (expander-function (defined-name definition)))))
                    (number (and source (first (sb-introspect:definition-source-form-path source)))))
               (if (and number (< number (length starts)))
                   (subseq text (aref starts number) (if (< (1+ number) (length starts))
                                                         (aref starts (1+ number))
                                                         (length text)))
                   text))))
      (note-expanders watch definitions #'form-text))))

;;; Callers.

(defun expander-function (name)
  (or (and (symbolp name) (macro-function name))
      (fdefinition name)))

(defun compiled-code (function)
  (sb-kernel:fun-code-header (sb-kernel:%fun-fun function)))

(defun calls-by-name-p (code name)
  "Reports whether CODE calls the present function NAME. Code into which it was inlined does not."
  (loop for index from sb-vm:code-constants-offset below (sb-kernel:code-header-words code)
          thereis (let ((constant (sb-kernel:code-header-ref code index)))
                    (and (sb-kernel:fdefn-p constant) (equal (sb-kernel:fdefn-name constant) name)))))

(defun expanded-in-p (how name code)
  "Reports whether CODE has a copy of NAME, or calls it as a function although it is a macro. HOW is the kind of use."
  (case how
    (:macroexpands t)
    (:calls (or (and (symbolp name) (macro-function name)) (not (calls-by-name-p code name))))))

(defun map-uses (function)
  "Calls FUNCTION with the name and the code of each compiled function or macro, and with the kind and the name of
each of its uses."
  (sb-int:call-with-each-globaldb-name
   (lambda (user)
     (let* ((defined (ignore-errors (expander-function user)))
            (simple (and (functionp defined) (ignore-errors (sb-kernel:%fun-fun defined))))
            (uses (and (sb-kernel:simple-fun-p simple) (sb-kernel:%simple-fun-xrefs simple))))
       (when uses
         (let ((code (sb-kernel:fun-code-header simple)))
           (sb-c::map-packed-xref-data (lambda (how name place)
                                         (declare (ignore place))
                                         (funcall function user code how name))
                                       uses)))))))

(defun stale-callers (names)
  "Returns an alist from each of NAMES to the names of its callers that were compiled before it."
  (let ((found (loop for name in names
                     for code = (ignore-errors (compiled-code (expander-function name)))
                     when code collect (list* name (sb-kernel:%code-serialno code) '()))))
    (map-uses (lambda (user code how name)
                (let ((entry (assoc name found :test #'equal)))
                  (when (and entry
                             (< (sb-kernel:%code-serialno code) (cadr entry))
                             (expanded-in-p how name code))
                    (pushnew user (cddr entry) :test #'equal)))))
    (loop for (name nil . users) in found
          when users collect (cons name users))))

(define-implementation note-stale-callers (evaluation)
  (let ((names (evaluation-changed-expanders evaluation)))
    (when names
      ;; The tables of the compiler differ between versions of SBCL.
      (loop for (name . users) in (up-to +named-expanders+ (ignore-errors (stale-callers (reverse names))))
            do (note evaluation "~A changed. Still compiled with the old one: ~A. Load or evaluate them again."
                     (source-text-of name)
                     (list-text (sort (mapcar (lambda (user) (source-text-of (user-name-of user))) users) #'string<)
                                +named-callers+))))))
