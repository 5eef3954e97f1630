;;;; Entry point of the saved core: sets up the process and serves requests.

(in-package :lisp-harbor-agent)

(defconstant +exit-seconds+ 2 "Time that (EXIT) waits for threads that do not unwind. The default of SBCL is 60.")

(defun option (name)
  "Returns the command line argument after NAME."
  (second (member name sb-ext:*posix-argv* :test #'string=)))

(defun direct-compiled-files ()
  "Directs the files that ASDF compiles to the session's home, for sources in any folder."
  (asdf:initialize-output-translations
   '(:output-translations (t (:home ".cache" "common-lisp" :implementation)) :ignore-inherited-configuration)))

(defun prepare-process ()
  "Sets up what depends on the process and its environment. Runs at each start, including a start from a
checkpoint."
  (setf *default-pathname-defaults* (sb-ext:parse-native-namestring (sb-posix:getcwd) nil #p"" :as-directory t)
        *project-folder* (sb-ext:native-namestring *default-pathname-defaults*)
        sb-ext:*exit-timeout* +exit-seconds+
        *random-state* (make-random-state t))
  (uiop:setup-temporary-directory)
  (direct-compiled-files)
  (delete-own-files-of-former-image)
  (asdf:clear-source-registry)          ; The core contains the value of the build.
  (setf *quicklisp* (option "--quicklisp"))
  (install-standard-streams)
  (install-debugger)
  (install-signal-handlers)
  (install-heap-limit)
  (install-heap-limit-of-queries)
  (pushnew 'begin-exit sb-ext:*exit-hooks*))

(defun run ()
  "The toplevel function of the core from which new images start."
  (let ((output (option "--wire-output")))
    (when output (use-wire-output (parse-integer output))))
  (close-foreign-descriptors)
  (open-wire)
  (prepare-process)
  (forget-built-in-systems)
  (setf *package* (ensure-package (or (option "--package") +cl-user+)))
  (serve))
