;;;; Printed reports about systems from ASDF and Quicklisp, loaded or not. To read a system definition
;;;; ASDF loads its .asd file, which is code, so these functions run only in evaluations.

(in-package :lisp-harbor-agent)

(defun native-text (file)
  "Returns the native name of FILE, or NIL for no file."
  (and file (sb-ext:native-namestring file)))

;;; Systems by name.

(defun known-system (name)
  "Returns the system NAME. If there is none, signals an error that suggests others."
  (looking-again (lambda () (asdf:find-system name))))

(defun dependency-name (dependency)
  "Returns the name of the system that DEPENDENCY, an element of :DEPENDS-ON, denotes, or NIL if its feature is
missing."
  (if (atom dependency)
      (asdf:coerce-name dependency)
      (destructuring-bind (kind what &optional needed) dependency
        (ecase kind
          ((:version :require) (asdf:coerce-name what))
          (:feature (and (uiop:featurep what) (dependency-name needed)))))))

(defun dependency-names (system)
  (remove nil (mapcar #'dependency-name (asdf:system-depends-on system))))

(defun all-dependency-names (system)
  "Returns the names of all dependencies of SYSTEM, each once and after its own dependencies. The second value
is the missing ones."
  (let ((seen (make-hash-table :test 'equal))
        (names '())
        (missing '()))
    (labels ((visit (name)
               (unless (gethash name seen)
                 (setf (gethash name seen) t)
                 (let ((needed (asdf:find-system name nil)))
                   (if needed
                       (mapc #'visit (dependency-names needed))
                       (push name missing))
                   (push name names)))))
      (mapc #'visit (dependency-names system)))
    (values (nreverse names) (nreverse missing))))

;;; Reports.

(defun print-name-lines (title names)
  (format t "~A (~D):~%~{  ~A~%~}" title (length names) names))

(defun print-components (module depth)
  (dolist (component (asdf:component-children module))
    (let ((modulep (typep component 'asdf:module)))
      (format t "~V@T~A~:[~; [module]~]~%" (* 2 depth) (asdf:component-name component) modulep)
      (when modulep (print-components component (1+ depth))))))

(defparameter +facts-of-systems+
  '(("Author" . asdf:system-author) ("Maintainer" . asdf:system-maintainer) ("License" . asdf:system-license)
    ("Homepage" . asdf:system-homepage)))

(defun lisp-harbor:describe-system (name)
  "Prints the definition of the system NAME from its .asd file. NAME is not loaded."
  (let ((system (known-system name)))
    (format t "System: ~A~@[ (~A)~]~%~@[~%~A~%~]~%"
            (asdf:component-name system) (asdf:component-version system) (asdf:system-description system))
    (loop for (label . fact) in +facts-of-systems+
          for value = (funcall fact system)
          when value do (format t "~A: ~A~%" label value))
    (format t "Source: ~:[a part of the Lisp~;~:*~A~]~%" (native-text (asdf:system-source-file system)))
    (let ((needed (dependency-names system)))
      (format t "~%~:[No dependencies~*~*~;Dependencies (~D): ~{~A~^, ~}~]~%" needed (length needed) needed))
    (let ((components (asdf:component-children system)))
      (when components
        (format t "~%Components (~D):~%" (length components))
        (print-components system 1)))
    (values)))

(defun lisp-harbor:describe-dependencies (name &key all)
  "Prints the direct dependencies of the system NAME, or with ALL all dependencies in load order."
  (let* ((system (known-system name))
         (direct (dependency-names system)))
    (format t "Dependencies for ~A:~2%" (asdf:component-name system))
    (if direct
        (print-name-lines "Direct" direct)
        (format t "No direct dependencies~%"))
    (when (and all direct)
      (multiple-value-bind (names missing) (all-dependency-names system)
        (terpri)
        (print-name-lines "All" names)
        (when missing
          (terpri)
          (print-name-lines "Missing" missing))))
    (values)))

;;; Available systems.

(defun systems-at-hand ()
  "Returns a sorted alist from the names of the available systems to their native file names."
  (asdf:initialize-source-registry)
  (let ((files (make-hash-table :test 'equal)))
    (flet ((add (name file)
             (when file (setf (gethash name files) (native-text file)))))
      (dolist (name (asdf:registered-systems))
        (add name (asdf:system-source-file (asdf:registered-system name))))
      (maphash #'add asdf/source-registry:*source-registry*))
    (sort (entries files) #'string< :key #'car)))

(defun lisp-harbor:describe-system-file (name)
  "Prints where the system NAME is defined. Loads its .asd file only if ASDF's source registry does not list
it."
  (let ((file (or (cdr (assoc (asdf:primary-system-name name) (systems-at-hand) :test #'string=))
                  (native-text (asdf:system-source-file (known-system name))))))
    (format t "System: ~A~%Location: ~:[a part of the Lisp~;~:*~A~]~%" name file)
    (values)))

(defun local-file-p (file)
  "Reports whether FILE belongs to the project or to Quicklisp's local projects."
  (some (lambda (folder) (begins-with-p (native-text folder) file 0))
        (cons *default-pathname-defaults*
              (and *quicklisp* (list (merge-pathnames "local-projects/" *quicklisp*))))))

(defun lisp-harbor:list-systems ()
  "Prints the systems of the project and of Quicklisp's local projects with their files, and the names of all
others."
  (let* ((systems (systems-at-hand))
         (local (remove-if-not #'local-file-p systems :key #'cdr))
         (others (set-difference systems local :test #'eq)))
    (format t "Local Systems (~D):~%~:{  ~A~%    ~A~%~}" (length local)
            (loop for (name . file) in local collect (list name file)))
    (when others
      (format t "~%Libraries (~D): ~{~A~^, ~}~%" (length others) (sort (mapcar #'car others) #'string<)))
    (values)))

;;; Quicklisp.

(defun quicklisp-index-names ()
  "Returns the names of all systems in the indexes of Quicklisp's dists (systems.txt)."
  (unless *quicklisp* (error "~A" (quicklisp-text)))
  (loop for index in (directory (merge-pathnames "dists/*/systems.txt" *quicklisp*))
        append (with-open-file (lines index :external-format :utf-8)
                 (loop for line = (read-line lines nil)
                       while line
                       unless (begins-with-p "#" line 0)
                         collect (third (uiop:split-string line :separator " "))))))

(defun lisp-harbor:search-quicklisp (pattern limit)
  "Prints the first LIMIT systems in Quicklisp's indexes with PATTERN, a text, in their names."
  (let* ((all (remove-duplicates (remove nil (quicklisp-index-names)) :test #'string=))
         (found (sort (remove-if-not (lambda (name) (search pattern name :test #'char-equal)) all) #'string<)))
    (if found
        (format t "Found ~D system~:P matching '~A':~2%~{  ~A~%~}~@[  … ~D more~%~]"
                (length found) pattern (up-to limit found) (left-out limit found))
        (format t "No systems found matching '~A'~%" pattern))
    (values)))
