;;;; What a file has lost since it was last loaded goes out of the image when it is loaded again: otherwise an image would
;;;; go on running what its sources do not have. What was defined again elsewhere, by code or by another file, stays.

(in-package :lisp-harbor-agent)

(defvar *definitions-before* nil
  "The table of DEFINITIONS-BY-FILE as it was before the load that runs loaded its first file.")

(defvar *losses* '() "What files have lost during the load that runs, each as a LOSS.")

(defstruct loss
  file
  (taken '() :type list)                ; DEFINITIONs that are out of the image
  (late '() :type list))                ; others, which go when the load ends, or stay

(defparameter +late-kinds+
  '(:generic-function :variable :constant :class :structure :condition :method-combination :package)
  "Kinds that hold state or that others hang on: one that has moved to a file which is loaded later must not lose that.")

(defun late-p (definition)
  (or (member (defined-kind definition) +late-kinds+)
      (and (defined-part definition) (eq (defined-kind definition) :function))))

;;; What a file has lost.

(defun compiled-from (file)
  "The source that the compiled FILE names in its first lines; NIL where FILE is none."
  (with-open-file (in file :external-format '(:utf-8 :replacement #\?))
    (loop repeat 3
          for line = (read-line in nil "")
          for start = (search "compiled from " line)
          when start return (let ((*read-eval* nil)) (read-from-string line nil nil :start (+ start 14))))))

(defun loaded-source (file)
  "The full name of the source that is loaded when FILE is."
  (full-name (or (ignore-errors (compiled-from file)) file)))

(defun written-inside-p (name text)
  "Whether a form inside of a top-level form of TEXT defines NAME: that may depend on a condition, such as that NAME has
no definition yet."
  (loop for start in (top-level-forms text)
        thereis (loop for position across (cons-positions text start)
                      thereis (and (/= position start) (defines-p name text position)))))

(defun lost-p (definition text)
  (with-accessors ((name defined-name) (kind defined-kind)) definition
    (and (still-marked-p (defined-mark definition) name kind)
         (not (and (typep name '(or symbol cons)) (written-inside-p name text))))))

(defun take-out (definition)
  "Whether DEFINITION could be taken out of the image."
  (ignore-errors
   (forget-definition (defined-name definition) (defined-kind definition))
   t))

(defun note-loss (file definitions)
  "Takes out those of DEFINITIONS, all from FILE before, that it has lost; some of them later."
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
    (remhash source *definitions-before*) ; loaded once more, it is compared with what this table does not know
    (multiple-value-prog1 (funcall function)
      (when before (note-loss source before)))))

;;; What systems have lost.

(defun files-of-known-systems ()
  (loop for name in (asdf:registered-systems)
        append (mapcar #'full-name (remove nil (source-files (asdf:registered-system name))))))

(defun note-lost-files (before)
  "What came from the files BEFORE that no system has any more is lost."
  (let ((gone (set-difference before (files-of-known-systems) :test #'string=)))
    (when gone
      (let ((definitions (definitions-by-file)))
        (dolist (file gone)
          (note-loss file (gethash file definitions)))))))

;;; The end of a load.

(defun settle (loss)
  "Takes out what has waited for the end of the load. Answers what is out for good, and what had to stay."
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
  "Calls FUNCTION, which loads. What the files that it loads have lost is taken out of the image, and told."
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
