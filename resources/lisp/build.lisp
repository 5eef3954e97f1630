;;;; Makes of the agent's files what images start from. For SBCL it is a core:
;;;; sbcl --load build.lisp --end-toplevel-options CORE-FILE. For another Lisp it is a compiled file: load this, then
;;;; (lisp-harbor-build::build FILE). Either ends the process.

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
  "Ends the build with what is wrong, without the backtrace that would bury it."
  (declare (ignore hook))
  (format *error-output* "~&~A: ~A~%" (type-of condition) condition)
  (finish-output *error-output*)
  (end 1))

(defun definition-of-system ()
  "The options of the system's definition, a plist of what this Lisp reads there. It is read as data: some Lisps take
seconds to load ASDF."
  (with-open-file (in (merge-pathnames "lisp-harbor-agent.asd" *sources*))
    (cddr (read in))))

(defun agent-files ()
  "The agent's files for this Lisp, in the order in which they are loaded."
  (loop for (nil name) in (getf (definition-of-system) :components)
        collect (merge-pathnames (concatenate 'string name ".lisp") *sources*)))

#+sbcl
(defun leave-calls-as-they-are ()
  "Has SAVE-LISP-AND-DIE, here and for each checkpoint, leave out what makes calls of functions direct: it disassembles all
code for that, which is a third of its time, and what is called is no faster that anybody would notice. Where this SBCL has no
such step under that name, nothing changes."
  (let ((linker (find-symbol "STATICALLY-LINK-CORE" "SB-VM")))
    (when (and linker (fboundp linker))
      (sb-int:encapsulate linker :lisp-harbor (constantly nil)))))

#+sbcl
(defun save-agent (core)
  "Loads SBCL's own libraries and the agent, warms it up, and saves the uncompressed core CORE."
  (mapc #'require (cons "asdf" (getf (definition-of-system) :depends-on)))
  ;; Any warning is a defect of ours and ends the build.
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
  "Has gcc take the C that ECL makes as it is: it takes 3 s for the agent then instead of 13, and the agent, which mostly calls
ECL itself, is no slower."
  (require :cmp)
  (set (find-symbol "*CC-OPTIMIZE*" "C") "-O0"))

(defun compile-agent (target)
  "Compiles the agent into the file TARGET. Its files become one text, for one compiled file loads fastest."
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
  "Writes the file TARGET that images of this Lisp start from, and ends the process."
  #+sbcl (save-agent target)
  #-sbcl (compile-agent target))

#+sbcl (setf sb-ext:*invoke-debugger-hook* #'fail)
#+sbcl (build (car (last sb-ext:*posix-argv*)))
