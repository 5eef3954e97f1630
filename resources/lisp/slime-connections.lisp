;;;; ABOUTME: Connections of SLIME: each is a relay over the wire, which Swank serves with threads of its own.
;;;; ABOUTME: When one ends, for whatever reason, all its threads end, also those that wait in SLIME's debugger.

(in-package :lisp-harbor-agent)

(defconstant +slime-end-attempts+ 25 "How often a thread is told to end: each time ends one cleanup form that loops.")
(defconstant +slime-end-seconds+ 0.2 "How long each attempt is waited for.")

(defvar *relays* '() "Those that are open or about to end; replaced, never changed, so that reading needs no lock.")

(defun relay-numbered (id)
  (find id *relays* :key #'relay-id))

(defun remember-relay (relay)
  (sb-thread:with-mutex (*slime-lock*)
    (push relay *relays*)))

(defun forget-relay (relay)
  (sb-thread:with-mutex (*slime-lock*)
    (setf *relays* (remove relay *relays*))))

;;; Ending.

(defun threads-of (relay)
  (loop for (thread . its-relay) in *slime-threads*
        when (and (eq relay its-relay) (sb-thread:thread-alive-p thread))
          collect thread))

(defun connection-of (relay)
  "Swank's connection over RELAY, while it is in Swank's list."
  (find relay (symbol-value (swank-symbol "*CONNECTIONS*")) :key (swank-symbol "CONNECTION.SOCKET-IO")))

(defun close-swank-connection (relay)
  "Has Swank close its connection, unless that is done."
  (sb-thread:with-recursive-lock (*swank-sentinel-lock*)
    (let ((connection (connection-of relay)))
      (when connection (call-swank "CLOSE-CONNECTION" connection nil nil)))))

(defun end-threads (relay)
  "Ends the threads of RELAY, workers included, which Swank leaves alone. Answers those that go on all the same."
  (loop repeat +slime-end-attempts+
        for threads = (threads-of relay)
        while threads
        do (dolist (thread threads)
             (ignore-errors (sb-thread:terminate-thread thread)))
           (dolist (thread threads)
             (sb-thread:join-thread thread :default nil :timeout +slime-end-seconds+)))
  (threads-of relay))

(defun finish-relay (relay)
  "Ends what RELAY was for. Answers the names of threads that go on."
  (ignore-errors (close-swank-connection relay))
  (prog1 (mapcar #'sb-thread:thread-name (end-threads relay))
    (forget-relay relay)))

(defun begin-end (relay)
  "Has all that RELAY was for ended, by a thread of its own, which it answers: the one there is, if there is one."
  (sb-thread:with-mutex (*slime-lock*)
    (or (ending-of relay)
        (setf (ending-of relay)
              (sb-thread:make-thread #'finish-relay :name "lisp-harbor SLIME end" :arguments (list relay))))))

(defmethod close :after ((relay relay) &key abort)
  (declare (ignore abort))
  (begin-end relay))

;;; Beginning.

(defun serve-slime (relay)
  "Hands RELAY to Swank, whose threads serve it from then on."
  (let ((*relay* relay))
    (handler-case (call-swank "SERVE-REQUESTS" (call-swank "MAKE-CONNECTION" nil relay :spawn))
      (serious-condition () (close relay)))))

(defun open-relay (id)
  (let ((relay (make-instance 'relay :id id)))
    (remember-relay relay)
    (sb-thread:make-thread #'serve-slime :name "lisp-harbor SLIME begin" :arguments (list relay))))

(defun end-relay (relay)
  (when (shut-relay relay)
    (begin-end relay)))

(defun serve-relay (operation request)
  "Does what the wire asks of a relay: relay-open {relay}, relay-octets {relay, octets}, relay-taken {relay, count},
relay-close {relay}. NIL when OPERATION is none of them. A relay that has ended meanwhile is no error."
  (let* ((id (member-of request "relay"))
         (relay (relay-numbered id)))
    (cond ((equal operation "relay-open") (open-relay id) t)
          ((equal operation "relay-octets")
           (when relay
             (add-arrived relay (sb-ext:string-to-octets (member-of request "octets") :external-format :latin-1)))
           t)
          ((equal operation "relay-taken") (when relay (add-credit relay (member-of request "count"))) t)
          ((equal operation "relay-close") (when relay (end-relay relay)) t))))

(define-query "slime-stop" (arguments)
  "Ends all connections of SLIME and their threads: {threads}, the names of those that go on."
  (declare (ignore arguments))
  (mapc #'close *relays*)
  (object "threads" (loop for relay in *relays*
                          append (sb-thread:join-thread (begin-end relay) :default '()))))
