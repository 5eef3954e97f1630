;;;; Connections of SLIME. Each is a tunnel over the wire, which Swank serves with its own threads.
;;;; When a connection ends for any reason, all its threads end, including those that wait in SLIME's
;;;; debugger.

(in-package :lisp-harbor-agent)

(defconstant +slime-end-attempts+ 25
  "Number of attempts to end a thread. Each attempt ends one cleanup form that loops.")
(defconstant +slime-end-seconds+ 0.2 "Time to wait after each attempt.")

(defvar *tunnels* '()
  "Tunnels that are open or about to end. The list is replaced, never modified, so that reading needs no lock.")

(defun tunnel-numbered (id)
  (find id *tunnels* :key #'tunnel-id))

(defun remember-tunnel (tunnel)
  (sb-thread:with-mutex (*slime-lock*)
    (push tunnel *tunnels*)))

(defun forget-tunnel (tunnel)
  (sb-thread:with-mutex (*slime-lock*)
    (setf *tunnels* (remove tunnel *tunnels*))))

;;; End of a connection.

(defun threads-of (tunnel)
  (loop for (thread . its-tunnel) in *slime-threads*
        when (and (eq tunnel its-tunnel) (sb-thread:thread-alive-p thread))
          collect thread))

(defun connection-of (tunnel)
  "Returns Swank's connection over TUNNEL, while it is in Swank's list."
  (find tunnel (symbol-value (swank-symbol "*CONNECTIONS*")) :key (swank-symbol "CONNECTION.SOCKET-IO")))

(defvar *ending* nil "True in a thread that ends a tunnel.")

(defun close-swank-connection (tunnel)
  "Makes Swank close its connection, unless that is done."
  (let ((connection (connection-of tunnel))
        (*ending* t))
    (when connection (call-swank "CLOSE-CONNECTION" connection nil nil))))

(defun close-connection-aside (close-connection connection condition backtrace)
  "Wraps SWANK::CLOSE-CONNECTION, which each thread of a connection may call, and which ends the other threads.
A thread that is ended while it waits for the lock of Swank's connections can keep that lock locked forever,
so that no Emacs can connect any more. So only a thread that is not being ended closes."
  (let ((stream (call-swank "CONNECTION.SOCKET-IO" connection)))
    (if (and (typep stream 'tunnel) (not *ending*))
        (close stream)
        (funcall close-connection connection condition backtrace))))

(defun end-threads (tunnel)
  "Ends the threads of TUNNEL, including workers, which Swank does not end. Returns those that do not end."
  (loop repeat +slime-end-attempts+
        for threads = (threads-of tunnel)
        while threads
        do (dolist (thread threads)
             (ignore-errors (sb-thread:terminate-thread thread)))
           (dolist (thread threads)
             (sb-thread:join-thread thread :default nil :timeout +slime-end-seconds+)))
  (threads-of tunnel))

(defun finish-tunnel (tunnel)
  "Ends the service of TUNNEL. Returns the names of threads that do not end."
  (ignore-errors (close-swank-connection tunnel))
  (prog1 (mapcar #'sb-thread:thread-name (end-threads tunnel))
    (forget-tunnel tunnel)))

(defun begin-end (tunnel)
  "Starts a thread that ends the service of TUNNEL, unless there is one, and returns it."
  (sb-thread:with-mutex (*slime-lock*)
    (or (ending-of tunnel)
        (setf (ending-of tunnel)
              (sb-thread:make-thread #'finish-tunnel :name "lisp-harbor SLIME end" :arguments (list tunnel))))))

(defmethod close :after ((tunnel tunnel) &key abort)
  (declare (ignore abort))
  (begin-end tunnel))

;;; Start of a connection.

(defun serve-slime (tunnel)
  "Passes TUNNEL to Swank, whose threads serve it from then on."
  (let ((*tunnel* tunnel))
    (handler-case (call-swank "SERVE-REQUESTS" (call-swank "MAKE-CONNECTION" nil tunnel :spawn))
      (serious-condition () (close tunnel))))
  (unless (tunnel-open-p tunnel)
    ;; The tunnel was ended meanwhile, perhaps before its threads existed.
    (sb-thread:join-thread (begin-end tunnel) :default '())
    (finish-tunnel tunnel)))

(defun open-tunnel (id)
  (let ((tunnel (make-instance 'tunnel :id id)))
    (remember-tunnel tunnel)
    (sb-thread:make-thread #'serve-slime :name "lisp-harbor SLIME begin" :arguments (list tunnel))))

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
  "Members: tunnel, the number of the new one."
  (open-tunnel (member-of request "tunnel")))

(define-tunnel-operation "tunnel-octets" (tunnel request)
  "Members: tunnel, octets, as characters with the same codes."
  (add-arrived tunnel (sb-ext:string-to-octets (member-of request "octets") :external-format :latin-1)))

(define-tunnel-operation "tunnel-taken" (tunnel request)
  "Members: tunnel, count, a number of octets."
  (add-credit tunnel (member-of request "count")))

(define-tunnel-operation "tunnel-evaluation" (tunnel request)
  "Members: tunnel, request, a number of Emacs's protocol, evaluation, the row of the history that records it.
It comes before the octets of the request."
  (add-evaluation tunnel (member-of request "request") (member-of request "evaluation")))

(define-tunnel-operation "tunnel-close" (tunnel request)
  "Members: tunnel."
  (end-tunnel tunnel))

(define-query "slime-stop" (arguments)
  "Ends all connections of SLIME and their threads. Returns {threads}, the names of those that do not end."
  (declare (ignore arguments))
  (mapc #'close *tunnels*)
  (object "threads" (loop for tunnel in *tunnels*
                          append (sb-thread:join-thread (begin-end tunnel) :default '()))))
