;;;; The record of what each load of each project file defined in the image. A load is watched while it
;;;; runs: SBCL interns every symbol that it reads from a source or compiled file, and the definitions of a
;;;; symbol before that are compared with those after the load. Files outside of the project have no record.

(in-package :lisp-harbor-agent)

(defvar *project-folder* nil "The native name of the session's project, ending in a slash.")

(defstruct watch
  (outer nil)                           ; the watch of the load in which this one runs
  (marks (make-hash-table :test #'eq))  ; maps each symbol to its MARKS-OF from when it was first read
  (packages (packages-with-marks))
  (nested '()))                         ; the FILE-DEFINITIONs of loads inside of this one

(defvar *watch* nil "The watch of the load or compilation that runs in this thread.")

(defvar *symbols-compiled* (make-hash-table :test #'equal)
  "Maps the full name of each project file to the symbols that its last compilation read.")

(defun user-symbol-p (symbol)
  (and (symbol-package symbol) (not (member (symbol-package symbol) *packages-of-image*))))

(defun watch-symbol (symbol)
  (when (and *watch* (symbolp symbol) (user-symbol-p symbol))
    (loop with inner = *watch*
          with *watch* = nil
          with marks = :unknown
          for watch = inner then (watch-outer watch)
          while watch
          unless (nth-value 1 (gethash symbol (watch-marks watch)))
            do (when (eq marks :unknown) (setf marks (marks-of symbol)))
               (setf (gethash symbol (watch-marks watch)) marks))))

(sb-int:encapsulate 'sb-impl::%intern 'lisp-harbor
                    (lambda (intern &rest arguments)
                      (multiple-value-bind (symbol status) (apply intern arguments)
                        (watch-symbol symbol)
                        (values symbol status))))

;;; What a load made.

(defun made-since (before after)
  "Returns the elements of AFTER, lists as of MARKS-OF, that are not in BEFORE with the same mark."
  (remove-if (lambda (one)
               (find-if (lambda (other) (and (eq (third one) (third other)) (equal one other))) before))
             after))

(defun definitions-made (watch)
  "Returns the definitions that the load of WATCH made, without those of loads inside of it."
  (let ((made (make-hash-table :test #'equal)))
    (flet ((add (found)
             (destructuring-bind (kind name mark) found
               (unless (find-if (lambda (definition)
                                  (and (eq (defined-mark definition) mark) (eq (defined-kind definition) kind)
                                       (equal (defined-name definition) name)))
                                (watch-nested watch))
                 (setf (gethash (list kind name) made) (marked-definition name kind mark))))))
      (loop for symbol being the hash-keys of (watch-marks watch) using (hash-value before)
            do (mapc #'add (made-since before (marks-of symbol))))
      (mapc #'add (made-since (watch-packages watch) (packages-with-marks))))
    (loop for definition being the hash-values of made collect definition)))

;;; Files.

(defun compiled-from (file)
  "Returns the source that the compiled FILE names in its first lines, or NIL if FILE is not a compiled file."
  (with-open-file (in file :external-format '(:utf-8 :replacement #\?))
    (loop repeat 3
          for line = (read-line in nil "")
          for start = (search "compiled from " line)
          when start return (let ((*read-eval* nil)) (read-from-string line nil nil :start (+ start 14))))))

(defun full-name (namestring)
  "Returns the host's name of the file that SBCL recorded as NAMESTRING."
  (let ((pathname (translate-logical-pathname namestring)))
    (sb-ext:native-namestring (or (probe-file pathname) pathname))))

(defun loaded-source (file)
  "Returns the full name of the source file of FILE, a file to load."
  (full-name (or (ignore-errors (compiled-from file)) file)))

(defun project-source (file)
  "Returns the full name of the source of FILE, an argument of LOAD or COMPILE-FILE, if it is in the project."
  (when (and *project-folder* (typep file '(or string pathname)))
    (let ((source (ignore-errors (loaded-source file))))
      (and source (uiop:string-prefix-p *project-folder* source) source))))

(defun symbols-read (watch)
  (loop for symbol being the hash-keys of (watch-marks watch) collect symbol))

(sb-int:encapsulate 'compile-file 'lisp-harbor
                    (lambda (compile file &rest options)
                      (let ((source (project-source file))
                            (watch (make-watch)))
                        (if (null source)
                            (apply compile file options)
                            (unwind-protect (let ((*watch* watch)) (apply compile file options))
                              (setf (gethash source *symbols-compiled*) (symbols-read watch)))))))

(defun record-of (source watch)
  "Returns the record of the load of SOURCE that WATCH has seen."
  (let ((record (make-file-record :definitions (definitions-made watch)
                                  :text (or (ignore-errors (read-text source)) ""))))
    (dolist (symbol (append (symbols-read watch) (gethash source *symbols-compiled*)) record)
      (setf (gethash symbol (file-record-symbols record)) t))))

(defun load-watched (load file options)
  "Calls LOAD with FILE and OPTIONS, and records what it defined. A load that ends early adds to the record."
  (let ((source (project-source file))
        (watch (make-watch :outer *watch*))
        (complete nil))
    (if (null source)
        (apply load file options)
        (unwind-protect
             (multiple-value-prog1 (let ((*watch* watch))
                                      (call-recording-tests source (lambda () (apply load file options))))
               (setf complete t))
          (let* ((*watch* nil)
                 (record (record-of source watch))
                 (made (copy-list (file-record-definitions record))))
            (loop for outer = (watch-outer watch) then (watch-outer outer)
                  while outer do (setf (watch-nested outer) (append made (watch-nested outer))))
            (setf (file-record-definitions record) (append made (kept-definitions source record complete))
                  (gethash source *file-records*) record))))))

(sb-int:encapsulate 'load 'lisp-harbor
                    (lambda (load file &rest options) (load-watched load file options)))
