;;;; ABOUTME: The image's top level: sets the image up, then reads requests from the wire until it closes.
;;;; ABOUTME: This thread never runs user code and never enters a debugger, so it can always answer.

(in-package :lisp-harbor-agent)

(defconstant +protocol+ 1 "Version of the requests and events on the wire.")

(defun evaluation-of (request)
  (make-evaluation :id (member-of request "id")
                   :code (member-of request "code")
                   :package (member-of request "package")
                   :safe-read (member-of request "safeRead")
                   :answers-input (member-of request "answersInput")
                   :holds (equal (member-of request "onError") "debug")
                   :level (or (member-of request "level") 0)
                   :allowance (make-allowance :id (member-of request "id") :limit (member-of request "outputChars"))
                   :value-characters (or (member-of request "maxChars") +value-characters+)))

(defun dispatch (request)
  "Requests: evaluate {id, code, package?, safeRead?, maxChars?, answersInput?, onError?, level?, outputChars?},
interrupt {id, evaluation}, input {evaluation, text}, query {id, name, arguments}, abandon {id}."
  (let ((operation (member-of request "op"))
        (id (member-of request "id")))
    (cond ((equal operation "evaluate") (enqueue-request (evaluation-of request)))
          ((equal operation "interrupt")
           (send "reply" "id" id "done" (if (interrupt-evaluation (member-of request "evaluation")) :true :false)))
          ((equal operation "input") (give-input (member-of request "evaluation") (member-of request "text")))
          ((equal operation "query") (begin-query request))
          ((equal operation "abandon") (abandon-query id))
          (t (send "fault" "message" (format nil "unknown operation ~S" operation))))))

(defun serve-request ()
  (let ((request (receive)))
    (cond (request (ensure-output-thread)
                   (dispatch request))
          (t (end-process +exit-wire-closed+)))))

(defun serve-forever ()
  (loop
    (let ((fault (catch 'wire-fault (serve-request) nil)))
      (when fault (send "fault" "message" fault)))))

(defun prepare-image (package)
  (setf *default-pathname-defaults* (working-directory)
        *random-state* (make-random-state t)
        *wire-thread* (current-thread)
        *package* (ensure-package (or package +cl-user+)))
  (dolist (variable +printer-variables+)
    (setf (symbol-global-value variable) (symbol-value variable)))
  (forget-built-in-systems)
  (install-standard-streams)
  (install-debugger)
  (install-exit))

(defun run (&optional package)
  "What the process calls when the agent is loaded. PACKAGE names the one to begin in. Does not return."
  (open-wire)
  (prepare-image package)
  (ensure-output-thread)
  (ensure-evaluation-thread)
  (send "hello"
        "protocol" +protocol+
        "version" (lisp-implementation-version)
        "package" (short-package-name *package*))
  (serve-forever))
