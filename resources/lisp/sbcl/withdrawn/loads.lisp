;;;; The record of what each load of each project file defined in the image. Files outside of the project
;;;; have no record.

(in-package :lisp-harbor-agent)

(defvar *symbols-compiled* (make-hash-table :test #'equal)
  "Maps the full name of each project file to the symbols that its last compilation read.")

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
      (and source (in-project-p source) source))))

(defun symbols-read (watch)
  (loop for symbol being the hash-keys of (watch-marks watch) collect symbol))

(defun compile-watched (compile file &rest options)
  (let ((source (project-source file))
        (watch (make-watch))
        (options (with-encoding file options)))
    (if (null source)
        (let ((*watch* nil)) (apply compile file options))
        (unwind-protect (let ((*watch* watch))
                          (note-own-compiled-file file)
                          (apply compile file options))
          (setf (gethash source *symbols-compiled*) (symbols-read watch))))))

(sb-int:encapsulate 'compile-file 'lisp-harbor #'compile-watched)

(defun record-of (source watch)
  "Returns the record of the load of SOURCE that WATCH has seen."
  (let ((record (make-file-record :definitions (definitions-made watch)
                                  :text (or (ignore-errors (read-text source)) ""))))
    (dolist (symbol (append (symbols-read watch) (gethash source *symbols-compiled*)) record)
      (setf (gethash symbol (file-record-symbols record)) t))))

(defun load-watched (load file &rest options)
  "Calls LOAD with FILE and OPTIONS, and records what it defined. A load that ends early adds to the record."
  (let ((source (project-source file))
        (watch (make-watch :outer (outer-watch)))
        (options (with-encoding file options))
        (complete nil))
    (if (null source)
        (let ((*watch* nil)) (apply load file options))
        (unwind-protect
             (multiple-value-prog1 (let ((*watch* watch))
                                      (call-recording-tests source (lambda () (apply load file options))))
               (setf complete t))
          (let* ((*watch* nil)
                 (record (record-of source watch))
                 (made (copy-list (file-record-definitions record))))
            (loop for outer = (watch-outer watch) then (watch-outer outer)
                  while outer do (setf (watch-nested outer) (append made (watch-nested outer))))
            (when (gethash source *file-records*) (setf *definitions-changed* t))
            (note-expanders-of-file watch made (file-record-text record))
            (setf (file-record-definitions record) (append made (kept-definitions source record complete))
                  (gethash source *file-records*) record))))))

(sb-int:encapsulate 'load 'lisp-harbor #'load-watched)

(define-query "loaded-text" (arguments)
  "Arguments: path. Returns the text of that project file when it was last loaded, or an empty string."
  (let ((record (gethash (member-of arguments "path") *file-records*)))
    (if record (file-record-text record) "")))
