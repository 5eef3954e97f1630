;;;; Removal of definitions that a reloaded file no longer makes. Otherwise an image would continue to run
;;;; code that is no longer in the sources. A definition goes if the former load of its file made it, this
;;;; complete load did not, nothing else has defined it since, and no form of the file mentions it.

(in-package :lisp-harbor-agent)

(defvar *records-replaced* '() "Conses of the former record, or NIL, and the new one of each file loaded by the running load.")

(defvar *losses* '() "The definitions that files have lost during the running load, each as a LOSS.")

(defstruct loss
  file
  (taken '() :type list)                ; FILE-DEFINITIONs removed from the image
  (late '() :type list)                 ; others, which are removed at the end of the load or stay
  (used '() :type list))                ; those that stay because the file still uses their names

(defparameter +late-kinds+
  '(:generic-function :variable :constant :class :structure :condition :method-combination :package)
  "Kinds that hold state or on which other definitions depend. They must survive if they have moved to a file
loaded later.")

(defun late-p (definition)
  (or (member (defined-kind definition) +late-kinds+)
      (and (defined-part definition) (eq (defined-kind definition) :function))))

(defun same-p (definition)
  "Reports whether DEFINITION is in the image and nothing has defined it again."
  (still-marked-p (defined-mark definition) (defined-name definition) (defined-kind definition)))

(defun take-out (definition)
  "Removes DEFINITION from the image. Returns false if that fails."
  (ignore-errors
   (forget-definition (defined-name definition) (defined-kind definition))
   t))

(defun newly-mentioned-p (definition)
  "Reports whether a file that the running load has loaded reads the name of DEFINITION and did not before: the
form may have moved there, and defines nothing while the name has a definition."
  (loop for (former . record) in *records-replaced*
        thereis (and (gethash (symbol-of definition) (file-record-symbols record))
                     (not (and former (gethash (symbol-of definition) (file-record-symbols former)))))))

(defun note-loss (file lost &optional used)
  "Removes the definitions LOST, some of them at the end of the load. Returns those that are still there."
  (mapc #'name-definition (append lost used))
  (let* ((taken (remove-if-not #'take-out (remove-if #'late-p lost)))
         (late (set-difference lost taken)))
    (when (or lost used)
      (push (make-loss :file file :taken taken :late late :used used) *losses*))
    late))

(defun same-load-p (former record)
  "Reports whether nothing has changed: neither the text nor what the reader and the macros made of it."
  (let ((symbols (file-record-symbols former)))
    (and (string= (file-record-text former) (file-record-text record))
         (= (hash-table-count symbols) (hash-table-count (file-record-symbols record)))
         (loop for symbol being the hash-keys of (file-record-symbols record)
               always (gethash symbol symbols)))))

(defun kept-definitions (file record complete)
  "Returns the definitions of the former load of FILE that stay after the load of RECORD, which did not make
them, and removes the others. COMPLETE is false for a load that ended early."
  (let* ((former (gethash file *file-records*))
         (rest (and former (remove-if-not #'same-p (file-record-definitions former))))
         (missing (set-difference rest (file-record-definitions record)
                                  :test (lambda (one other)
                                          (and (eq (defined-kind one) (defined-kind other))
                                               (equal (defined-name one) (defined-name other)))))))
    (when *withdrawing* (push (cons former record) *records-replaced*))
    (if (or (null missing) (not complete) (not *withdrawing*) (same-load-p former record))
        missing
        (let ((mentions (mentions-in (file-record-text record))))
          (flet ((mentioned-as-p (kind)
                   (lambda (definition)
                     (eq kind (mention-of definition mentions record)))))
            (let ((lost (remove-if #'newly-mentioned-p (remove-if-not (mentioned-as-p nil) missing)))
                  (used (remove-if-not (mentioned-as-p :use) missing)))
              (append (note-loss file lost used) (set-difference missing lost))))))))

;;; Definitions lost by systems.

(defun files-of-known-systems ()
  "Returns the full names of the project files of all systems."
  (loop for name in (asdf:registered-systems)
        append (loop for file in (source-files (asdf:registered-system name))
                     for source = (and file (full-name file))
                     when (and source (gethash source *file-records*)) collect source)))

(defun note-lost-files (before)
  "Treats definitions of the files in BEFORE that no longer belong to a system as lost."
  (dolist (file (set-difference before (files-of-known-systems) :test #'string=))
    (let ((record (gethash file *file-records*)))
      (note-loss file (remove-if #'newly-mentioned-p (remove-if-not #'same-p (file-record-definitions record))))
      (remhash file *file-records*))))

;;; The end of a load.

(defun settle (loss)
  "Removes the definitions deferred to the end of the load. Returns those removed and those that had to stay."
  (flet ((back-p (definition)
           (ignore-errors (mark-of (defined-name definition) (defined-kind definition)))))
    (let* ((late (remove-if #'newly-mentioned-p (remove-if-not #'same-p (loss-late loss))))
           (taken (remove-if-not #'take-out late)))
      (values (append taken (remove-if #'back-p (loss-taken loss)))
              (remove-if-not #'same-p (set-difference late taken))))))

(defun settle-losses ()
  (dolist (loss (reverse *losses*))
    (multiple-value-bind (taken kept) (settle loss)
      (tell-loss (loss-file loss) taken kept (remove-if-not #'same-p (loss-used loss))))))

(defun call-withdrawing (function)
  "Calls FUNCTION, which loads. Removes the definitions that its files no longer make, and reports them."
  (let ((*withdrawing* t)
        (*records-replaced* '())
        (*losses* '())
        (files (files-of-known-systems)))
    (unwind-protect
         (multiple-value-prog1 (funcall function)
           (note-lost-files files))
      (settle-losses))))
