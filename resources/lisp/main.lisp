;;;; ABOUTME: The image's top level: sets the image up, then reads requests from the wire until it closes.
;;;; ABOUTME: This thread never runs user code and never enters a debugger, so it can always answer.

(in-package :lisp-harbor-agent)

(defconstant +protocol+ 1 "Version of the requests and events on the wire.")
(defconstant +exit-seconds+ 2 "How long (EXIT) waits for threads that do not unwind; SBCL's own value is 60.")

(defun evaluation-of (request)
  (make-evaluation :id (member-of request "id")
                   :code (member-of request "code")
                   :package (member-of request "package")
                   :safe-read (member-of request "safeRead")
                   :keep-values (member-of request "keepValues")
                   :answers-input (member-of request "answersInput")
                   :holds (equal (member-of request "onError") "debug")
                   :level (or (member-of request "level") 0)
                   :frame (member-of request "frame")
                   :profile (profile-mode (member-of request "profile"))
                   :cpu-seconds (member-of request "cpuSeconds")
                   :allowance (make-allowance :id (member-of request "id") :limit (member-of request "outputChars"))
                   :value-characters (or (member-of request "maxChars") +value-characters+)))

(defun dispatch (request)
  "Requests: evaluate {id, code, package?, safeRead?, maxChars?, keepValues?, answersInput?, onError?, level?, frame?,
profile?, cpuSeconds?, outputChars?}, interrupt {id, evaluation}, input {evaluation, text}, query {id, name, arguments},
abandon {id}, debug {id, action, …}, whose actions are in questions.lisp, save {id, file} and branch {id}, which make a fork
of that number, and of forks relay {fork, data} and signal {fork, signal}; and those of tunnels, which are in
slime-connections.lisp."
  (let ((operation (member-of request "op"))
        (id (member-of request "id")))
    (cond ((equal operation "evaluate") (enqueue-request (evaluation-of request)))
          ((equal operation "interrupt")
           (send "reply" "id" id "done" (if (interrupt-evaluation (member-of request "evaluation")) :true :false)))
          ((equal operation "debug") (enqueue-request (make-question :id id :object request)))
          ((equal operation "input") (give-input (member-of request "evaluation") (member-of request "text")))
          ((equal operation "query") (begin-query request))
          ((equal operation "abandon") (abandon-query id))
          ((equal operation "save") (let ((file (member-of request "file")))
                                      (answer-with-fork id (lambda () (save-core file)))))
          ((equal operation "branch") (answer-with-fork id #'serve-as-branch))
          ((equal operation "relay") (give-to-fork (member-of request "fork") (member-of request "data")))
          ((equal operation "signal") (signal-fork (member-of request "fork") (member-of request "signal")))
          ((serve-tunnel operation request))
          (t (send "fault" "message" (format nil "unknown operation ~S" operation))))))

(defun serve-request ()
  (await-request)
  (let ((request (receive)))
    (cond (request (ensure-output-thread)
                   (dispatch request))
          (t (end-programs)
             (sb-ext:exit :code +exit-wire-closed+ :abort t)))))

(defun serve-forever ()
  (loop
    (let ((fault (catch 'wire-fault (serve-request) nil)))
      (when fault (send "fault" "message" fault)))))

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

(defun serve ()
  "Says hello, and answers until the harbor closes the wire. Does not return."
  (start-own-threads)
  (send "hello"
        "protocol" +protocol+
        "version" (lisp-implementation-version)
        "package" (short-package-name (usable-package)))
  (serve-forever))

(defun run ()
  "The toplevel function of the core that fresh images start from."
  (close-foreign-descriptors)
  (open-wire)
  (prepare-process)
  (forget-built-in-systems)
  (setf *package* (ensure-package (or (option "--package") +cl-user+)))
  (serve))
