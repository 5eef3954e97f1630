;;;; Where the saved core starts: sets the process up, and serves.

(in-package :lisp-harbor-agent)

(defconstant +exit-seconds+ 2 "How long (EXIT) waits for threads that do not unwind; SBCL's own value is 60.")

(defun option (name)
  "The command line's word after NAME."
  (second (member name sb-ext:*posix-argv* :test #'string=)))

(defun direct-compiled-files ()
  "Sends what ASDF compiles to the session's home, whatever folder the source is in."
  (asdf:initialize-output-translations
   '(:output-translations (t (:home ".cache" "common-lisp" :implementation)) :ignore-inherited-configuration)))

(defun prepare-process ()
  "What depends on the process and its surroundings; done at each start, also at one from a checkpoint."
  (setf *default-pathname-defaults* (sb-ext:parse-native-namestring (sb-posix:getcwd) nil #p"" :as-directory t)
        sb-ext:*exit-timeout* +exit-seconds+
        *random-state* (make-random-state t))
  (uiop:setup-temporary-directory)
  (direct-compiled-files)
  (asdf:clear-source-registry)          ; the one of the build is in the core
  (setf *quicklisp* (option "--quicklisp"))
  (install-standard-streams)
  (install-debugger)
  (install-signal-handlers)
  (install-heap-limit)
  (install-heap-limit-of-queries)
  (pushnew 'begin-exit sb-ext:*exit-hooks*))

(defun run ()
  "The toplevel function of the core that fresh images start from."
  (close-foreign-descriptors)
  (open-wire)
  (prepare-process)
  (forget-built-in-systems)
  (setf *package* (ensure-package (or (option "--package") +cl-user+)))
  (serve))
