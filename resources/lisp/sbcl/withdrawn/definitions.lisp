;;;; Removal of definitions that a reloaded file no longer contains. Otherwise an image would continue
;;;; to run code that is no longer in the sources. A definition that code or another file has redefined
;;;; since stays.

(in-package :lisp-harbor-agent)

(defvar *definitions-before* nil
  "The table of DEFINITIONS-BY-FILE from before the running load loaded its first file.")

(defvar *losses* '() "The definitions that files have lost during the running load, each as a LOSS.")

(defstruct loss
  file
  (taken '() :type list)                ; DEFINITIONs removed from the image
  (late '() :type list))                ; others, which are removed at the end of the load or stay

(defparameter +late-kinds+
  '(:generic-function :variable :constant :class :structure :condition :method-combination :package)
  "Kinds that hold state or on which other definitions depend. They must survive if they have moved to a file
loaded later.")

(defun late-p (definition)
  (or (member (defined-kind definition) +late-kinds+)
      (and (defined-part definition) (eq (defined-kind definition) :function))))

;;; Definitions lost by a file.

(defun compiled-from (file)
  "Returns the source that the compiled FILE names in its first lines, or NIL if FILE is not a compiled file."
  (with-open-file (in file :external-format '(:utf-8 :replacement #\?))
    (loop repeat 3
          for line = (read-line in nil "")
          for start = (search "compiled from " line)
          when start return (let ((*read-eval* nil)) (read-from-string line nil nil :start (+ start 14))))))

(defun loaded-source (file)
  "Returns the full name of the source file of FILE, a file to load."
  (full-name (or (ignore-errors (compiled-from file)) file)))

(defun written-inside-p (name text)
  "Reports whether a form nested in a top-level form of TEXT defines NAME. Such a definition may be
conditional, for example on NAME having no definition yet."
  (loop for start in (top-level-forms text)
        thereis (loop for position across (cons-positions text start)
                      thereis (and (/= position start) (defines-p name text position)))))

(defun lost-p (definition text)
  (with-accessors ((name defined-name) (kind defined-kind)) definition
    (and (still-marked-p (defined-mark definition) name kind)
         (not (and (typep name '(or symbol cons)) (written-inside-p name text))))))

(defun take-out (definition)
  "Removes DEFINITION from the image. Returns false if that fails."
  (ignore-errors
   (forget-definition (defined-name definition) (defined-kind definition))
   t))

(defun note-loss (file definitions)
  "Removes the DEFINITIONS that FILE no longer contains, some of them at the end of the load."
  (let* ((text (or (ignore-errors (read-text file)) ""))
         (lost (remove-if-not (lambda (definition) (lost-p definition text)) definitions)))
    (when lost
      (mapc #'name-definition lost)
      (let ((taken (remove-if-not #'take-out (remove-if #'late-p lost))))
        (push (make-loss :file file :taken taken :late (set-difference lost taken)) *losses*)))))

(defun call-withdrawing-definitions (file function)
  "Calls FUNCTION, which loads FILE."
  (unless *definitions-before* (setf *definitions-before* (definitions-by-file)))
  (let* ((source (loaded-source file))
         (before (gethash source *definitions-before*)))
    (remhash source *definitions-before*) ; so that a second load is not compared with this table
    (multiple-value-prog1 (funcall function)
      (when before (note-loss source before)))))

;;; Definitions lost by systems.

(defun files-of-known-systems ()
  (loop for name in (asdf:registered-systems)
        append (mapcar #'full-name (remove nil (source-files (asdf:registered-system name))))))

(defun note-lost-files (before)
  "Treats definitions of the files in BEFORE that no longer belong to a system as lost."
  (let ((gone (set-difference before (files-of-known-systems) :test #'string=)))
    (when gone
      (let ((definitions (definitions-by-file)))
        (dolist (file gone)
          (note-loss file (gethash file definitions)))))))

;;; The end of a load.

(defun settle (loss)
  "Removes the definitions deferred to the end of the load. Returns those removed and those that had to stay."
  (flet ((same-p (definition)
           (still-marked-p (defined-mark definition) (defined-name definition) (defined-kind definition)))
         (back-p (definition)
           (ignore-errors (mark-of (defined-name definition) (defined-kind definition)))))
    (let* ((late (remove-if-not #'same-p (loss-late loss)))
           (taken (remove-if-not #'take-out late)))
      (values (append taken (remove-if #'back-p (loss-taken loss)))
              (remove-if-not #'same-p (set-difference late taken))))))

(defun settle-losses ()
  (dolist (loss (reverse *losses*))
    (multiple-value-bind (taken kept) (settle loss)
      (tell-loss (loss-file loss) taken kept))))

(defun call-withdrawing (function)
  "Calls FUNCTION, which loads. Removes the definitions that its files no longer contain, and reports them."
  (let ((*definitions-before* nil)
        (*losses* '())
        (files (files-of-known-systems)))
    (unwind-protect
         (multiple-value-prog1
             (call-around 'load
                          (lambda (load file &rest options)
                            (flet ((load-file () (apply load file options)))
                              (if (typep file '(or string pathname))
                                  (call-withdrawing-definitions
                                   file (lambda () (call-withdrawing-tests file #'load-file)))
                                  (load-file))))
                          function)
           (note-lost-files files))
      (settle-losses))))
