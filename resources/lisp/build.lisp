;;;; Builds the file that images start from. For SBCL it is a core: sbcl --load build.lisp
;;;; --end-toplevel-options CORE-FILE. For another Lisp it is a compiled file: load this file, then
;;;; call (lisp-harbor-build::build FILE). Either ends the process.

(defpackage :lisp-harbor-build
  (:use :common-lisp))

(in-package :lisp-harbor-build)

(defparameter *sources* (make-pathname :name nil :type nil :version nil :defaults *load-truename*))

(defun end (code)
  #+sbcl (sb-ext:exit :code code :abort t)
  #+ecl (ext:quit code)
  #+abcl (ext:quit :status code)
  #+ccl (ccl:quit code))

(defun fail (condition &optional hook)
  "Ends the build with the error message, without a backtrace."
  (declare (ignore hook))
  (format *error-output* "~&~A: ~A~%" (type-of condition) condition)
  (finish-output *error-output*)
  (end 1))

(defun definition-of-system ()
  "Returns the options of the system definition, a plist read under the features of this Lisp. Reads the file
as data, because loading ASDF takes seconds in some Lisps."
  (with-open-file (in (merge-pathnames "lisp-harbor-agent.asd" *sources*))
    (cddr (read in))))

(defun agent-files ()
  "Returns the agent's files for this Lisp, in load order."
  (loop for (nil name) in (getf (definition-of-system) :components)
        collect (merge-pathnames (concatenate 'string name ".lisp") *sources*)))

#+sbcl
(defun leave-calls-as-they-are ()
  "Makes SAVE-LISP-AND-DIE, here and for each checkpoint, skip the step that makes function calls direct. The
step disassembles all code and takes a third of the save time, with no noticeable gain in speed. Does
nothing if this SBCL has no step of that name."
  (let ((linker (find-symbol "STATICALLY-LINK-CORE" "SB-VM")))
    (when (and linker (fboundp linker))
      (sb-int:encapsulate linker :lisp-harbor (constantly nil)))))

#+sbcl
(defun save-agent (core)
  "Loads SBCL's contribs and the agent, warms the agent up, and saves the uncompressed core CORE."
  (mapc #'require (cons "asdf" (getf (definition-of-system) :depends-on)))
  ;; Any warning is a defect of the agent and ends the build.
  (handler-bind ((warning #'fail))
    (with-compilation-unit ()
      (mapc #'load (agent-files))))
  (funcall (find-symbol "WARM-UP" "LISP-HARBOR-AGENT"))
  (leave-calls-as-they-are)
  (setf sb-ext:*invoke-debugger-hook* nil)
  (delete-package :lisp-harbor-build)
  (sb-ext:save-lisp-and-die core :toplevel (find-symbol "RUN" "LISP-HARBOR-AGENT")))

(defun copy-characters (file out)
  (with-open-file (in file :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line do (write-line line out))))

#+ecl
(defun optimize-nothing ()
  "Makes gcc compile the C code that ECL generates without optimization. The build then takes 3 s instead of 13
s. The agent mostly calls ECL itself and is not slower."
  (require :cmp)
  (set (find-symbol "*CC-OPTIMIZE*" "C") "-O0"))

(defun compile-agent (target)
  "Compiles the agent into the file TARGET. The sources are concatenated first, because one compiled file loads
fastest."
  #+ecl (optimize-nothing)
  (let ((text (merge-pathnames "agent.lisp" *default-pathname-defaults*)))
    (handler-bind ((error #'fail))
      (with-open-file (out text :direction :output :if-exists :supersede :external-format :utf-8)
        (dolist (file (agent-files))
          (copy-characters file out)))
      (multiple-value-bind (compiled warnings failure) (compile-file text :output-file target)
        (declare (ignore warnings))
        (end (if (and compiled (not failure)) 0 1))))))

(defun build (target)
  "Writes the file TARGET that images of this Lisp start from, then ends the process."
  #+sbcl (save-agent target)
  #-sbcl (compile-agent target))

#+sbcl (setf sb-ext:*invoke-debugger-hook* #'fail)
#+sbcl (build (car (last sb-ext:*posix-argv*)))
