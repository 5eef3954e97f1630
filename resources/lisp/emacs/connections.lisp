;;;; Connections of Emacs. Each is a tunnel over the wire, which Swank or Slynk serves with its own threads.
;;;; When a connection ends for any reason, all its threads end, including those that wait in Emacs's
;;;; debugger.

(in-package :lisp-harbor-agent)

(defconstant +end-attempts+ 25
  "Number of attempts to end a thread. Each attempt ends one cleanup form that loops.")
(defconstant +end-seconds+ 0.2 "Time to wait after each attempt.")

(defvar *tunnels* '()
  "Tunnels that are open or about to end. The list is replaced, never modified, so that reading needs no lock.")

(defun tunnel-numbered (id)
  (find id *tunnels* :key #'tunnel-id))

(defun remember-tunnel (tunnel)
  (with-mutex (*servers-lock*)
    (push tunnel *tunnels*)))

(defun forget-tunnel (tunnel)
  (with-mutex (*servers-lock*)
    (setf *tunnels* (remove tunnel *tunnels*))))

;;; End of a connection.

(defun threads-of (tunnel)
  (loop for (thread . its-tunnel) in *server-threads*
        when (and (eq tunnel its-tunnel) (thread-alive-p thread))
          collect thread))

(defun connection-of (tunnel)
  "Returns the server's connection over TUNNEL, while it is in the server's list."
  (let ((server (tunnel-server tunnel)))
    (find tunnel (symbol-value (name-in server "*CONNECTIONS*")) :key (name-in server (server-socket-io server)))))

(defvar *ending* nil "True in a thread that ends a tunnel.")

(defun close-connection (tunnel)
  "Makes the server close its connection, unless that is done."
  (let ((connection (connection-of tunnel))
        (*ending* t))
    (when connection (call-in (tunnel-server tunnel) "CLOSE-CONNECTION" connection nil nil))))

(defun close-connection-aside (server close-connection connection condition backtrace)
  "Wraps CLOSE-CONNECTION, which each thread of a connection may call, and which ends the other threads. A thread
that is ended while it waits for the lock of the server's connections can keep that lock locked forever, so
that no Emacs can connect any more. So only a thread that is not being ended closes."
  (let ((stream (call-in server (server-socket-io server) connection)))
    (if (and (typep stream 'tunnel) (not *ending*))
        (close stream)
        (funcall close-connection connection condition backtrace))))

(defun end-threads (tunnel)
  "Ends the threads of TUNNEL, including workers, which the server does not end. Returns those that do not end."
  (loop repeat +end-attempts+
        for threads = (threads-of tunnel)
        while threads
        do (dolist (thread threads)
             (ignore-errors (end-thread thread)))
           (dolist (thread threads)
             (wait-for-thread thread +end-seconds+)))
  (threads-of tunnel))

(defun finish-tunnel (tunnel)
  "Ends the service of TUNNEL."
  (ignore-errors (close-connection tunnel))
  (setf (remaining-of tunnel) (mapcar #'thread-name (end-threads tunnel)))
  (forget-tunnel tunnel))

(defun begin-end (tunnel)
  "Starts a thread that ends the service of TUNNEL, unless there is one, and returns it."
  (with-mutex (*servers-lock*)
    (or (ending-of tunnel)
        (setf (ending-of tunnel)
              (make-thread #'finish-tunnel :name "lisp-harbor editor end" :arguments (list tunnel))))))

(defun await-end (tunnel)
  "Ends the service of TUNNEL. Returns the names of threads that do not end."
  (wait-for-thread (begin-end tunnel) nil)
  (remaining-of tunnel))

(defun close-tunnel (tunnel)
  "Closes TUNNEL from this side, and ends its service."
  (when (shut-tunnel tunnel)
    (send "tunnel-closed" "tunnel" (tunnel-id tunnel)))
  (begin-end tunnel))

;;; Start of a connection.

(defun serve-tunnel (tunnel)
  "Passes TUNNEL to its server, whose threads serve it from then on."
  (let ((*tunnel* tunnel)
        (server (tunnel-server tunnel)))
    (handler-case (call-in server "SERVE-REQUESTS" (call-in server "MAKE-CONNECTION" nil tunnel :spawn))
      (serious-condition () (close tunnel))))
  (unless (tunnel-open-p tunnel)
    ;; The tunnel was ended meanwhile, perhaps before its threads existed.
    (await-end tunnel)
    (finish-tunnel tunnel)))

(defun open-tunnel (id server)
  (let ((tunnel (make-instance 'tunnel :id id :server server)))
    (remember-tunnel tunnel)
    (make-thread #'serve-tunnel :name "lisp-harbor editor begin" :arguments (list tunnel))))

(defun end-tunnel (tunnel)
  (when (shut-tunnel tunnel)
    (begin-end tunnel)))

(defmacro define-tunnel-operation (name (tunnel request) documentation &body body)
  "Does the same as DEFINE-OPERATION, with TUNNEL bound to the tunnel that the request names. Does nothing if
that has ended."
  `(define-operation ,name (,request)
     ,documentation
     (let ((,tunnel (tunnel-numbered (member-of ,request "tunnel"))))
       (when ,tunnel ,@body))))

(define-operation "tunnel-open" (request)
  "Members: tunnel, the number of the new one; server, swank or slynk."
  (open-tunnel (member-of request "tunnel") (server-named (member-of request "server"))))

(define-tunnel-operation "tunnel-octets" (tunnel request)
  "Members: tunnel, octets, as characters with the same codes."
  (add-arrived tunnel (map 'octets #'char-code (member-of request "octets"))))

(define-tunnel-operation "tunnel-taken" (tunnel request)
  "Members: tunnel, count, a number of octets."
  (add-credit tunnel (member-of request "count")))

(define-tunnel-operation "tunnel-evaluation" (tunnel request)
  "Members: tunnel, request, a number of Emacs's protocol or the negative one of a channel, evaluation, the row of the history that records it.
It comes before the octets of the request."
  (add-evaluation tunnel (member-of request "request") (member-of request "evaluation")))

(define-tunnel-operation "tunnel-close" (tunnel request)
  "Members: tunnel."
  (end-tunnel tunnel))

(define-query "emacs-stop" (arguments)
  "Ends all connections to the named server and their threads. Returns {threads}, the names of those that do not
end."
  (let* ((server (server-named (member-of arguments "server")))
         (tunnels (remove server *tunnels* :key #'tunnel-server :test-not #'eq)))
    (mapc #'close tunnels)
    (object "threads" (loop for tunnel in tunnels append (await-end tunnel)))))
