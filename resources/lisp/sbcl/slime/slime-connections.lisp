;;;; Connections of SLIME: each is a tunnel over the wire, which Swank serves with threads of its own.
;;;; When one ends, for whatever reason, all its threads end, also those that wait in SLIME's debugger.

(in-package :lisp-harbor-agent)

(defconstant +slime-end-attempts+ 25 "How often a thread is told to end: each time ends one cleanup form that loops.")
(defconstant +slime-end-seconds+ 0.2 "How long each attempt is waited for.")

(defvar *tunnels* '() "Those that are open or about to end; replaced, never changed, so that reading needs no lock.")

(defun tunnel-numbered (id)
  (find id *tunnels* :key #'tunnel-id))

(defun remember-tunnel (tunnel)
  (sb-thread:with-mutex (*slime-lock*)
    (push tunnel *tunnels*)))

(defun forget-tunnel (tunnel)
  (sb-thread:with-mutex (*slime-lock*)
    (setf *tunnels* (remove tunnel *tunnels*))))

;;; Ending.

(defun threads-of (tunnel)
  (loop for (thread . its-tunnel) in *slime-threads*
        when (and (eq tunnel its-tunnel) (sb-thread:thread-alive-p thread))
          collect thread))

(defun connection-of (tunnel)
  "Swank's connection over TUNNEL, while it is in Swank's list."
  (find tunnel (symbol-value (swank-symbol "*CONNECTIONS*")) :key (swank-symbol "CONNECTION.SOCKET-IO")))

(defvar *ending* nil "Whether this thread is to end a tunnel.")

(defun close-swank-connection (tunnel)
  "Has Swank close its connection, unless that is done."
  (let ((connection (connection-of tunnel))
        (*ending* t))
    (when connection (call-swank "CLOSE-CONNECTION" connection nil nil))))

(defun close-connection-aside (close-connection connection condition backtrace)
  "Around SWANK::CLOSE-CONNECTION, which each of a connection's threads may call, and which ends the others. One that is
ended while it waits for the lock of Swank's connections can keep it for ever, and no Emacs would get in any more. So only
a thread that nobody ends closes."
  (let ((stream (call-swank "CONNECTION.SOCKET-IO" connection)))
    (if (and (typep stream 'tunnel) (not *ending*))
        (close stream)
        (funcall close-connection connection condition backtrace))))

(defun end-threads (tunnel)
  "Ends the threads of TUNNEL, workers included, which Swank leaves alone. Answers those that go on all the same."
  (loop repeat +slime-end-attempts+
        for threads = (threads-of tunnel)
        while threads
        do (dolist (thread threads)
             (ignore-errors (sb-thread:terminate-thread thread)))
           (dolist (thread threads)
             (sb-thread:join-thread thread :default nil :timeout +slime-end-seconds+)))
  (threads-of tunnel))

(defun finish-tunnel (tunnel)
  "Ends what TUNNEL was for. Answers the names of threads that go on."
  (ignore-errors (close-swank-connection tunnel))
  (prog1 (mapcar #'sb-thread:thread-name (end-threads tunnel))
    (forget-tunnel tunnel)))

(defun begin-end (tunnel)
  "Has all that TUNNEL was for ended, by a thread of its own, which it answers: the one there is, if there is one."
  (sb-thread:with-mutex (*slime-lock*)
    (or (ending-of tunnel)
        (setf (ending-of tunnel)
              (sb-thread:make-thread #'finish-tunnel :name "lisp-harbor SLIME end" :arguments (list tunnel))))))

(defmethod close :after ((tunnel tunnel) &key abort)
  (declare (ignore abort))
  (begin-end tunnel))

;;; Beginning.

(defun serve-slime (tunnel)
  "Hands TUNNEL to Swank, whose threads serve it from then on."
  (let ((*tunnel* tunnel))
    (handler-case (call-swank "SERVE-REQUESTS" (call-swank "MAKE-CONNECTION" nil tunnel :spawn))
      (serious-condition () (close tunnel))))
  (unless (tunnel-open-p tunnel)
    ;; It was ended meanwhile, perhaps before there was anything to end.
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
  "As DEFINE-OPERATION; TUNNEL is bound to the one that the request names. One that has ended meanwhile is no error."
  `(define-operation ,name (,request)
     ,documentation
     (let ((,tunnel (tunnel-numbered (member-of ,request "tunnel"))))
       (when ,tunnel ,@body))))

(define-operation "tunnel-open" (request)
  "Members: tunnel, the number of the new one."
  (open-tunnel (member-of request "tunnel")))

(define-tunnel-operation "tunnel-octets" (tunnel request)
  "Members: tunnel, octets, as characters of the same codes."
  (add-arrived tunnel (sb-ext:string-to-octets (member-of request "octets") :external-format :latin-1)))

(define-tunnel-operation "tunnel-taken" (tunnel request)
  "Members: tunnel, count, of octets."
  (add-credit tunnel (member-of request "count")))

(define-tunnel-operation "tunnel-close" (tunnel request)
  "Members: tunnel."
  (end-tunnel tunnel))

(define-query "slime-stop" (arguments)
  "Ends all connections of SLIME and their threads: {threads}, the names of those that go on."
  (declare (ignore arguments))
  (mapc #'close *tunnels*)
  (object "threads" (loop for tunnel in *tunnels*
                          append (sb-thread:join-thread (begin-end tunnel) :default '()))))
