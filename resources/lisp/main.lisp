;;;; The wire's thread: it reads requests until the harbor closes the wire. It never runs user code and
;;;; never enters a debugger, so it can always answer.

(in-package :lisp-harbor-agent)

(complete-interface)                    ; All implementations of the interface are loaded at this point.

(defconstant +protocol+ 1 "Version of the requests and events on the wire.")

(defun serve-request ()
  (await-request)
  (let ((request (receive)))
    (cond (request (ensure-output-thread)
                   (dispatch request))
          (t (end-programs)
             (end-process +exit-wire-closed+)))))

(defun serve-forever ()
  (loop
    (let ((fault (catch 'wire-fault (serve-request) nil)))
      (when fault (send "fault" "message" fault)))))

(defun serve ()
  "Sends the hello event, then handles requests until the harbor closes the wire. Does not return."
  (start-own-threads)
  (send "hello"
        "protocol" +protocol+
        "version" (lisp-implementation-version)
        "package" (short-package-name (usable-package))
        "ownSyntax" (if (own-syntax-p) :true :false))
  (serve-forever))
