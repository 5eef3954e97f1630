;;;; Loads a server of Emacs on request of a user, Swank for SLIME or Slynk for SLY, and configures it for
;;;; this image: it debugs only its own threads, it has its own bindings of variables, and the names of its
;;;; threads identify it.

(in-package :lisp-harbor-agent)

(defstruct (server (:constructor make-server (&key name editor package backend loader file socket-io version modules)))
  "A server of Emacs: the names of its packages, and of what they name differently. MODULES are loaded with it."
  name editor package backend loader file socket-io version modules
  (wrapped nil :type list))

(defvar *servers*
  (list (make-server :name "swank" :editor "SLIME" :package "SWANK" :backend "SWANK/BACKEND" :loader "SWANK-LOADER"
                     :file "swank-loader.lisp"
                     :socket-io "CONNECTION.SOCKET-IO" :version "*SWANK-WIRE-PROTOCOL-VERSION*")
        (make-server :name "slynk" :editor "SLY" :package "SLYNK" :backend "SLYNK-BACKEND" :loader "SLYNK-LOADER"
                     :file "slynk/slynk-loader.lisp" :modules '("slynk/mrepl")
                     :socket-io "CONNECTION-SOCKET-IO" :version "*SLYNK-WIRE-PROTOCOL-VERSION*")))

(defun server-named (name)
  (find name *servers* :key #'server-name :test #'equal))

(defun name-in (server name &optional (package (server-package server)))
  (or (and (find-package package) (find-symbol name package))
      (refuse "not_supported" "This ~A has no ~A::~A; a newer one is needed." (server-editor server) package name)))

(defun call-in (server name &rest arguments)
  (apply (name-in server name) arguments))

(defun server-version-text (server)
  "Returns the version that the server reports to Emacs, or NIL."
  (let ((version (symbol-value (name-in server (server-version server)))))
    (and version (princ-to-string version))))

;;; Loading.

(defun loaded-p (server)
  (let* ((package (find-package (server-package server)))
         (connect (and package (find-symbol "MAKE-CONNECTION" package))))
    (and connect (fboundp connect))))

(defun load-server (server folder)
  "Compiles and loads SERVER from FOLDER, that of SLIME or SLY. Its compiled files go to HOME, the session's home.
The user's initialization files are not loaded."
  (let ((loader (server-loader server))
        (*compile-print* nil))
    (load (concatenate 'string folder "/" (server-file server)))
    (call-with-loading-compiler
     (lambda ()
       (funcall (name-in server "INIT" loader) :setup nil :reload t :quiet t)
       (call-in server "INIT")
       (when (server-modules server)
         (push (pathname (concatenate 'string folder "/contrib/")) (symbol-value (name-in server "*LOAD-PATH*" loader)))
         (mapc (name-in server "REQUIRE-MODULE" loader) (server-modules server))))))
  (collect-garbage))

;;; Isolation from the agent.

(defvar *tunnel* nil "The tunnel for which this thread runs. Bound in the threads of a server.")
(defvar *server-threads* '() "An alist from each thread that a server has created for a connection to its tunnel.")
(defvar *servers-lock* (make-mutex :name "lisp-harbor servers of Emacs"))
(defvar *sentinel-lock* (make-mutex :name "lisp-harbor sentinel"))

(defun note-server-thread (thread tunnel)
  (with-mutex (*servers-lock*)
    (setf *server-threads* (acons thread tunnel (remove-if-not #'thread-alive-p *server-threads* :key #'car)))))

(defun spawn-for-tunnel (server spawn function &key (name "thread"))
  "Wraps SPAWN of the backend, so that threads created by a thread of a tunnel belong to the same tunnel."
  (let ((tunnel *tunnel*))
    (without-interrupts
      (let ((thread (funcall spawn
                             (lambda () (let ((*tunnel* tunnel)) (funcall function)))
                             :name (format nil "~A ~A" (server-editor server) name))))
        (when tunnel (note-server-thread thread tunnel))
        thread))))

(defun send-to-sentinel-alone (server send-to-sentinel message)
  "Wraps SEND-TO-SENTINEL, which exists in SLY, and in SLIME before 2.28. Without the sentinel thread, which would
outlive the connections, the sender of a message updates the list of connections itself, one at a time.
SLIME since 2.28 uses a lock."
  (declare (ignore server))
  (with-recursive-lock (*sentinel-lock*)
    (funcall send-to-sentinel message)))

(defun call-as-recorded (evaluation package function)
  "Calls FUNCTION, which evaluates in PACKAGE. Definitions record EVALUATION of the history, unless it is NIL."
  (if evaluation
      (call-with-source (let ((*package* package)) (evaluated-source evaluation 0)) function)
      (funcall function)))

(defun eval-as-recorded (server eval-for-emacs form buffer-package request &rest options)
  "Wraps EVAL-FOR-EMACS."
  (call-as-recorded (and *tunnel* (take-evaluation *tunnel* request))
                    (call-in server "GUESS-BUFFER-PACKAGE" buffer-package)
                    (lambda () (apply eval-for-emacs form buffer-package request options))))

(defun mrepl-eval-as-recorded (server mrepl-eval repl string)
  "Wraps MREPL-EVAL of SLY's REPL. It evaluates messages to a channel, which have no number."
  (call-as-recorded (and *tunnel* (take-evaluation *tunnel* (- (call-in server "CHANNEL-ID" repl))))
                    (let ((variables (slot-value repl (name-in server "ENV"))))
                      (or (cdr (assoc '*package* variables)) *package*))
                    (lambda () (funcall mrepl-eval repl string))))

(defun server-bindings ()
  "Returns the bindings for each thread of a server. Output is discarded until Emacs has a REPL; otherwise it
would appear in other evaluations. The REPL's variables begin empty, so that * is a value of this
connection."
  (append (mapcar #'cons +standard-streams+ (silent-streams))
          (mapcar #'list '(- + ++ +++ * ** *** / // ///))
          (mapcar (lambda (variable) (cons variable (symbol-global-value variable))) +printer-variables+)))

(defun wrap (server name wrapper &optional (package (server-package server)))
  "Makes calls of the function NAME of SERVER, if it has one, call WRAPPER with SERVER, the function, and the
arguments."
  (let ((wrapped (and (find-package package) (find-symbol name package))))
    (when (and wrapped (fboundp wrapped) (not (member wrapped (server-wrapped server))))
      (push wrapped (server-wrapped server))
      (wrap-function wrapped (lambda (function &rest arguments) (apply wrapper server function arguments))))))

(defun settle-server (server)
  "Configures SERVER for this image. It debugs its own threads only: global hooks would also catch conditions in
the wire's thread and in threads of evaluations."
  (set (name-in server "*GLOBAL-DEBUGGER*") nil)
  (set (name-in server "*LOG-OUTPUT*") (make-broadcast-stream))
  (set (name-in server "*DEFAULT-WORKER-THREAD-BINDINGS*") (server-bindings))
  (wrap server "SPAWN" 'spawn-for-tunnel (server-backend server))
  (wrap server "CLOSE-CONNECTION" 'close-connection-aside)
  (wrap server "SEND-TO-SENTINEL" 'send-to-sentinel-alone)
  (wrap server "EVAL-FOR-EMACS" 'eval-as-recorded)
  (wrap server "MREPL-EVAL" 'mrepl-eval-as-recorded "SLYNK-MREPL"))

(defun load-server-if-possible (server folder)
  "Does the same as LOAD-SERVER. An old SLIME or SLY may not compile in this Lisp."
  (handler-case (load-server server folder)
    (error (problem)
      (refuse "slime_missing"
              "The ~A in ~A does not load in this ~A, ~A (~A). Name the folder of a newer one under Settings."
              (server-editor server) folder (lisp-implementation-type) (lisp-implementation-version) problem))))

(define-query "emacs-start" (arguments)
  "Loads the named server, swank or slynk, from the given folder of SLIME or SLY unless it is loaded already.
Returns {version}."
  (let ((server (server-named (member-of arguments "server"))))
    (unless (loaded-p server)
      (load-server-if-possible server (member-of arguments "folder")))
    (settle-server server)
    (object "version" (or (server-version-text server) :null))))
