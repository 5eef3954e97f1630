;;;; ABOUTME: Builds the core that SBCL images start from: sbcl --load build.lisp --end-toplevel-options CORE-FILE.
;;;; ABOUTME: Loads SBCL's own libraries and the agent, warms it up, and saves an uncompressed core.

(in-package :cl-user)

(defun fail (condition &optional hook)
  "Ends the build with what is wrong, without the backtrace that would bury it."
  (declare (ignore hook))
  (format *error-output* "~&~A: ~A~%" (type-of condition) condition)
  (finish-output *error-output*)
  (sb-ext:exit :code 1 :abort t))

(setf sb-ext:*invoke-debugger-hook* #'fail)

(mapc #'require '(:asdf :sb-introspect :sb-cltl2 :sb-posix :sb-bsd-sockets :sb-sprof))

(defparameter *agent-files*
  '("package" "json" "wire" "output-limit" "output" "output-thread" "gray-streams" "streams" "programs" "packages"
    "printing" "printing-clock" "printer-variables" "loader-frames" "frames" "conditions" "interrupts" "timers"
    "signals" "debugger" "handles" "source-text" "sources" "source-places" "sbcl-versions" "metering" "evaluation" "compiler-words" "warnings"
    "input" "cpu-limit" "samples" "profiling" "levels" "evaluator" "frame-contents" "questions" "restarts"
    "observed-calls" "compiled-files" "failures" "loaded-systems" "systems" "replayed-forms" "replay"
    "test-results" "test-frameworks" "fiveam" "fiasco" "parachute" "rove" "rt"
    "withdrawn-tests" "testing"
    "queries" "heap" "previews" "introspection" "definitions" "symbol-names" "descriptions" "findings" "uses" "unsaved"
    "names" "system-folders" "memory" "parts" "parts-of-data" "parts-of-code" "parts-of-atoms" "inspection"
    "own-threads" "forks" "relay" "checkpoints" "branches"
    "tunnels" "slime" "slime-connections"
    "main" "warm-up"))

(defun load-agent ()
  "Loads the agent's files from beside this one. Any warning is a defect of ours and ends the build."
  (handler-bind ((warning #'fail))
    (with-compilation-unit ()
      (dolist (name *agent-files*)
        (load (merge-pathnames (make-pathname :name name :type "lisp") *load-truename*))))))

(load-agent)
(lisp-harbor-agent:warm-up)

(let ((core (car (last sb-ext:*posix-argv*)))
      (run (find-symbol "RUN" "LISP-HARBOR-AGENT")))
  ;; What a user finds in CL-USER is the user's.
  (mapc #'unintern (list '*agent-files* 'load-agent 'fail))
  (setf sb-ext:*invoke-debugger-hook* nil)
  (sb-ext:save-lisp-and-die core :toplevel run))
