;;;; Printed reports of the library Telos: features, intents of names, decisions. Telos is an optional
;;;; system, so all of its symbols are looked up by name.

(in-package :lisp-harbor-agent)

(defun telos (name &rest arguments)
  "Calls Telos's function NAME and returns its values."
  (let ((function (and (find-package "TELOS") (find-symbol name "TELOS"))))
    (unless (and function (fboundp function))
      (error "Telos is not loaded, or knows no ~(~A~). Load the system telos, then the systems that say what they are for."
             name))
    (apply function arguments)))

;;; Names. Names in Telos are symbols of the packages that defined them; user input is text.

(defun symbols-named (text home)
  "Returns the symbols that TEXT names: in the package HOME if given, or in the one before its colon, otherwise
in any package."
  (let* ((colon (position #\: text))
         (home (if (and colon (plusp colon)) (subseq text 0 colon) home))
         (name (string-upcase (string-left-trim ":" (if colon (subseq text colon) text)))))
    (if home
        (let ((package (or (find-package home) (find-package (string-upcase home)))))
          (and package (remove nil (list (find-symbol name package)))))
        (find-all-symbols name))))

(defun the-one (what text found all)
  "Returns the only element of FOUND. Signals an error that lists names from ALL if there is none or more than
one."
  (when (null found)
    (error "There is no ~A called ~A.~@[ There are: ~A.~]" what text (and all (in-a-row 12 (mapcar #'name-text all)))))
  (when (rest found)
    (error "~A may be ~{~A~^ or ~}: write it with its package." text (mapcar #'name-text found)))
  (first found))

(defun telos-feature (text)
  (let ((features (telos "LIST-FEATURES")))
    (the-one "feature" text (intersection (symbols-named text nil) features) features)))

(defun intent-of (symbol)
  (or (telos "GET-INTENT" symbol)
      (telos "FEATURE-INTENT" symbol)))

(defun symbol-with-intent (text package)
  (the-one "name with an intent" text (remove-if-not #'intent-of (symbols-named text package)) nil))

;;; Reports.

(defun print-facts (indent &rest labels-and-values)
  "Prints a line for each value that is present. All elements of a list go on its line."
  (loop for (label value) on labels-and-values by #'cddr
        when value do (format t "~V@T~A: ~:[~A~;~{~A~^, ~}~]~%" indent label (listp value) value)))

(defun print-named-texts (title entries)
  "Prints a heading and ENTRIES, lists of a name and a text."
  (when entries
    (format t "~A:~%~:{  ~(~A~)~@[: ~A~]~%~}" title (mapcar (lambda (entry) (if (listp entry) entry (list entry))) entries))))

(defun print-intent (intent)
  (print-facts 0
               "Purpose" (telos "INTENT-PURPOSE" intent)
               "Role" (telos "INTENT-ROLE" intent)
               "Belongs to" (let ((feature (telos "INTENT-BELONGS-TO" intent))) (and feature (name-text feature))))
  (loop for (title . reader) in '(("Goals" . "INTENT-GOALS") ("Constraints" . "INTENT-CONSTRAINTS")
                                  ("Assumptions" . "INTENT-ASSUMPTIONS") ("Failure Modes" . "INTENT-FAILURE-MODES"))
        do (print-named-texts title (telos reader intent))))

(defun print-features (filter)
  (let ((features (remove-if-not (lambda (feature) (search filter (symbol-name feature) :test #'char-equal))
                                 (telos "LIST-FEATURES"))))
    (format t "Features (~D):~%" (length features))
    (dolist (feature features)
      (let ((intent (telos "FEATURE-INTENT" feature)))
        (format t "~A~%" (name-text feature))
        (when intent
          (print-facts 2
                       "Purpose" (telos "INTENT-PURPOSE" intent)
                       "Parent" (let ((parent (telos "INTENT-BELONGS-TO" intent))) (and parent (name-text parent)))))))))

(defun print-chain (symbol)
  (let ((chain (telos "INTENT-CHAIN" symbol)))
    (format t "Intent Chain (~D levels):~%" (length chain))
    (loop for entry in chain
          for level from 1
          do (format t "~D. [~(~A~)] ~A~%" level (getf entry :type) (name-text (getf entry :name)))
             (print-facts 3
                          "Role" (getf entry :role)
                          "Purpose" (getf entry :purpose)
                          "Failure modes" (mapcar (lambda (mode) (if (listp mode) (first mode) mode))
                                                  (getf entry :failure-modes))))))

(defun print-members (feature)
  (format t "Members of ~A:~%" (name-text feature))
  (loop for (kind names) on (telos "FEATURE-MEMBERS" feature) by #'cddr
        when names
          do (format t "~:(~A~) (~D):~%~{  ~A~%~}" kind (length names) (mapcar #'name-text names))))

(defun print-decisions (feature decisions)
  (format t "Decisions for ~A (~D):~%" (name-text feature) (length decisions))
  (loop for decision in decisions
        for number from 1
        do (format t "~D. ~(~A~)~%" number (or (telos "DECISION-ID" decision) "unnamed"))
           (print-facts 3
                        "Chose" (telos "DECISION-CHOSE" decision)
                        "Over" (telos "DECISION-OVER" decision)
                        "Because" (telos "DECISION-BECAUSE" decision)
                        "Decided by" (telos "DECISION-DECIDED-BY" decision)
                        "Date" (telos "DECISION-DATE" decision))))

(defun lisp-harbor:describe-telos (what &optional (name "") package)
  "Prints data of Telos. WHAT is :FEATURES, filtered by NAME, :DECISIONS of all features, or, for NAME,
:FEATURE, :MEMBERS, :FEATURE-DECISIONS, :INTENT or :CHAIN."
  (ecase what
    (:features (print-features name))
    (:decisions (loop for (feature . decisions) in (telos "LIST-DECISIONS")
                      do (print-decisions feature decisions)))
    (:members (print-members (telos-feature name)))
    (:feature-decisions (let ((feature (telos-feature name)))
                          (print-decisions feature (telos "FEATURE-DECISIONS" feature))))
    (:chain (print-chain (symbol-with-intent name package)))
    ((:feature :intent)
     (let ((symbol (if (eq what :feature) (telos-feature name) (symbol-with-intent name package))))
       (format t "~:[~;Feature: ~]~A~%" (eq what :feature) (name-text symbol))
       (print-intent (intent-of symbol)))))
  (values))
