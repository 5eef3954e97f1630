;;;; Loads Swank, the server side of SLIME, on request of a user, and configures it for this image: it
;;;; debugs only its own threads, it has its own bindings of variables, and the names of its threads
;;;; identify it.

(in-package :lisp-harbor-agent)

(defun swank-symbol (name &optional (package "SWANK"))
  (or (and (find-package package) (find-symbol name package))
      (refuse "not_supported" "This SLIME has no ~A::~A; 2.20 or a later one is needed." package name)))

(defun call-swank (name &rest arguments)
  (apply (swank-symbol name) arguments))

(defun swank-version ()
  "Returns the version of SLIME that Swank reports to Emacs, or NIL."
  (let ((version (symbol-value (swank-symbol "*SWANK-WIRE-PROTOCOL-VERSION*"))))
    (and version (princ-to-string version))))

;;; Loading.

(defun swank-loaded-p ()
  (let ((connect (and (find-package "SWANK") (find-symbol "MAKE-CONNECTION" "SWANK"))))
    (and connect (fboundp connect))))

(defun load-swank (folder)
  "Compiles and loads Swank from FOLDER. Its compiled files go to HOME, the session's home. The user's
initialization files are not loaded."
  (load (merge-pathnames "swank-loader.lisp" (sb-ext:parse-native-namestring folder nil #p"" :as-directory t)))
  (let ((*compile-print* nil))
    (funcall (swank-symbol "INIT" "SWANK-LOADER") :setup nil :reload t :quiet t))
  (call-swank "INIT")
  ;; The compilation leaves about 200 MB of garbage.
  (sb-ext:gc :full t))

;;; Isolation from the agent.

(defvar *tunnel* nil "The tunnel for which this thread runs. Bound in SLIME's threads.")
(defvar *slime-threads* '() "An alist from each thread that Swank has created for a connection to its tunnel.")
(defvar *slime-lock* (sb-thread:make-mutex :name "lisp-harbor SLIME"))
(defvar *sentinel-lock* (sb-thread:make-mutex :name "lisp-harbor SLIME sentinel"))

(defun note-slime-thread (thread tunnel)
  (sb-thread:with-mutex (*slime-lock*)
    (setf *slime-threads* (acons thread tunnel (remove-if-not #'sb-thread:thread-alive-p *slime-threads* :key #'car)))))

(defun spawn-for-tunnel (spawn function &key (name "thread"))
  "Wraps SWANK/BACKEND:SPAWN, so that threads created by a thread of a tunnel belong to the same tunnel."
  (let ((tunnel *tunnel*))
    (sb-sys:without-interrupts
      (let ((thread (funcall spawn
                             (lambda () (let ((*tunnel* tunnel)) (funcall function)))
                             :name (format nil "SLIME ~A" name))))
        (when tunnel (note-slime-thread thread tunnel))
        thread))))

(defun send-to-sentinel-alone (send-to-sentinel message)
  "Wraps SWANK::SEND-TO-SENTINEL, which exists in SLIME before 2.28. Without the sentinel thread, which would
outlive the connections, the sender of a message updates the list of connections itself, one at a time.
Later versions use a lock."
  (sb-thread:with-recursive-lock (*sentinel-lock*)
    (funcall send-to-sentinel message)))

(defun eval-as-recorded (eval-for-emacs form buffer-package request)
  "Wraps SWANK::EVAL-FOR-EMACS: definitions record the evaluation of the history in which they were made."
  (let ((evaluation (and *tunnel* (take-evaluation *tunnel* request))))
    (flet ((evaluate ()
             (funcall eval-for-emacs form buffer-package request)))
      (if evaluation
          (call-with-source (let ((*package* (call-swank "GUESS-BUFFER-PACKAGE" buffer-package)))
                              (evaluated-source evaluation 0))
                            #'evaluate)
          (evaluate)))))

(defun swank-bindings ()
  "Returns the bindings for each thread of SLIME. Output is discarded until Emacs has a REPL; otherwise it
would appear in other evaluations. The REPL's variables begin empty, so that * is a value of this
connection."
  (append (mapcar #'cons +standard-streams+ (silent-streams))
          (mapcar #'list '(- + ++ +++ * ** *** / // ///))
          (mapcar (lambda (variable) (cons variable (sb-ext:symbol-global-value variable))) +printer-variables+)))

(defun settle-swank ()
  "Configures Swank for this image. It debugs its own threads only: global hooks would also catch conditions in
the wire's thread and in threads of evaluations."
  (set (swank-symbol "*GLOBAL-DEBUGGER*") nil)
  (set (swank-symbol "*LOG-OUTPUT*") (make-broadcast-stream))
  (set (swank-symbol "*DEFAULT-WORKER-THREAD-BINDINGS*") (swank-bindings))
  (sb-int:encapsulate (swank-symbol "SPAWN" "SWANK/BACKEND") 'lisp-harbor 'spawn-for-tunnel)
  (sb-int:encapsulate (swank-symbol "CLOSE-CONNECTION") 'lisp-harbor 'close-connection-aside)
  (loop for (name wrapper) in '(("SEND-TO-SENTINEL" send-to-sentinel-alone) ("EVAL-FOR-EMACS" eval-as-recorded))
        for wrapped = (find-symbol name "SWANK")
        when (and wrapped (fboundp wrapped))
          do (sb-int:encapsulate wrapped 'lisp-harbor wrapper)))

(defun load-swank-if-possible (folder)
  "Does the same as LOAD-SWANK. An old SLIME may not compile in this Lisp."
  (handler-case (load-swank folder)
    (error (problem)
      (refuse "slime_missing"
              "The SLIME in ~A does not load in this SBCL, ~A (~A). Name the folder of a newer one under Settings."
              folder (lisp-implementation-version) problem))))

(define-query "slime-start" (arguments)
  "Loads Swank from the given folder of SLIME unless it is loaded already. Returns {version}."
  (unless (swank-loaded-p)
    (load-swank-if-possible (member-of arguments "folder")))
  (settle-swank)
  (object "version" (or (swank-version) :null)))
