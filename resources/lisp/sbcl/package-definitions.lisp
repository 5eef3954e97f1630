;;;; Packages that are defined again. What the former DEFPACKAGE of a package exported or used and the new one
;;;; does not goes, as in a fresh image; what other code exported stays, and SBCL reports it.

(in-package :lisp-harbor-agent)

(defvar *last-definitions* (make-hash-table :test #'equal)
  "Maps the name of each defined package to the exports, used packages and shadowing symbols, as names, of its last DEFPACKAGE.")

(defparameter +defpackage-parameters+
  (ignore-errors (mapcar #'string (sb-introspect:function-lambda-list 'sb-impl::%defpackage))))

(defun defpackage-argument (name arguments)
  "Returns the names in the argument NAME of ARGUMENTS, those after the name of SBCL's function for DEFPACKAGE."
  (let* ((place (position name +defpackage-parameters+ :test #'string=))
         (value (and place (nth (1- place) arguments))))
    (if (listp value)
        (mapcar (lambda (each) (if (packagep each) (package-name each) (string each))) value)
        '())))

(defun drop-former-exports (package names)
  "Unexports those NAMES from PACKAGE. Returns them as symbols."
  (loop for name in names
        for (symbol status) = (multiple-value-list (find-symbol name package))
        when (eq status :external)
          do (unexport symbol package) and collect symbol))

(defun drop-former-uses (package names)
  (dolist (name names)
    (let ((used (find-package name)))
      (when (member used (package-use-list package)) (unuse-package used package)))))

(defun drop-former (package exports uses)
  "Removes from PACKAGE what its former definition had in excess of EXPORTS and USES. Reports exports."
  (let ((former (gethash (package-name package) *last-definitions*)))
    (drop-former-uses package (set-difference (second former) uses :test #'string=))
    (let ((dropped (drop-former-exports package (set-difference (first former) exports :test #'string=))))
      (when (and dropped *evaluation*)
        (note *evaluation* "~A no longer exports ~A." (package-name package)
              (in-a-row 10 (mapcar #'symbol-name dropped)))))))

(defun explained-p (package shadows)
  "Reports whether all that PACKAGE has in excess of its new definition comes from other code, which stays."
  (let ((former (gethash (package-name package) *last-definitions*)))
    (and former (subsetp (third former) shadows :test #'string=))))

(defun define-again (define name &rest arguments)
  (let ((package (find-package name))
        (exports (defpackage-argument "EXPORTS" arguments))
        (uses (defpackage-argument "USE" arguments))
        (shadows (defpackage-argument "SHADOWS" arguments)))
    (when package (drop-former package exports uses))
    (let ((defined (if (and package (explained-p package shadows))
                       (handler-bind ((sb-int:package-at-variance #'muffle-warning))
                         (apply define name arguments))
                       (apply define name arguments))))
      (setf (gethash (package-name defined) *last-definitions*) (list exports uses shadows))
      defined)))

(when +defpackage-parameters+
  (sb-int:encapsulate 'sb-impl::%defpackage 'lisp-harbor #'define-again))
