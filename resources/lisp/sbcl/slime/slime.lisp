;;;; Loads Swank, the server side of SLIME, when a person asks for it, and fits it into this image: it debugs its own
;;;; threads only, its variables are its own, and the names of its threads say whose they are.

(in-package :lisp-harbor-agent)

(defun swank-symbol (name &optional (package "SWANK"))
  (or (and (find-package package) (find-symbol name package))
      (refuse "not_supported" "This SLIME has no ~A::~A; 2.20 or a later one is needed." package name)))

(defun call-swank (name &rest arguments)
  (apply (swank-symbol name) arguments))

(defun swank-version ()
  "The version of SLIME as Swank tells it to Emacs, or NIL."
  (let ((version (symbol-value (swank-symbol "*SWANK-WIRE-PROTOCOL-VERSION*"))))
    (and version (princ-to-string version))))

;;; Loading.

(defun swank-loaded-p ()
  (let ((connect (and (find-package "SWANK") (find-symbol "MAKE-CONNECTION" "SWANK"))))
    (and connect (fboundp connect))))

(defun load-swank (folder)
  "Compiles and loads Swank from FOLDER. Its fasls are in the session's home, which is HOME here; the user's own
initialization files are not."
  (load (merge-pathnames "swank-loader.lisp" (sb-ext:parse-native-namestring folder nil #p"" :as-directory t)))
  (let ((*compile-print* nil))
    (funcall (swank-symbol "INIT" "SWANK-LOADER") :setup nil :reload t :quiet t))
  (call-swank "INIT")
  ;; Compiling has left some 200 MB of garbage.
  (sb-ext:gc :full t))

;;; Living together.

(defvar *tunnel* nil "The tunnel for which this thread runs; bound in SLIME's threads.")
(defvar *slime-threads* '() "An alist from each thread that Swank has made for a connection to its tunnel.")
(defvar *slime-lock* (sb-thread:make-mutex :name "lisp-harbor SLIME"))
(defvar *sentinel-lock* (sb-thread:make-mutex :name "lisp-harbor SLIME sentinel"))

(defun note-slime-thread (thread tunnel)
  (sb-thread:with-mutex (*slime-lock*)
    (setf *slime-threads* (acons thread tunnel (remove-if-not #'sb-thread:thread-alive-p *slime-threads* :key #'car)))))

(defun spawn-for-tunnel (spawn function &key (name "thread"))
  "Around SWANK/BACKEND:SPAWN: what the thread makes in turn is its tunnel's too."
  (let ((tunnel *tunnel*))
    (sb-sys:without-interrupts
      (let ((thread (funcall spawn
                             (lambda () (let ((*tunnel* tunnel)) (funcall function)))
                             :name (format nil "SLIME ~A" name))))
        (when tunnel (note-slime-thread thread tunnel))
        thread))))

(defun send-to-sentinel-alone (send-to-sentinel message)
  "Around SWANK::SEND-TO-SENTINEL, which SLIME before 2.28 has. Without its thread, which would outlive the connections,
the list of them is kept by whoever has a message: one at a time. Later ones have a lock."
  (sb-thread:with-recursive-lock (*sentinel-lock*)
    (funcall send-to-sentinel message)))

(defun swank-bindings ()
  "What is bound in each thread of SLIME. Output goes nowhere until Emacs has a REPL, or it would go into the evaluations
of others. The REPL's variables begin empty, so that * is a value which this person saw."
  (append (mapcar #'cons +standard-streams+ (silent-streams))
          (mapcar #'list '(- + ++ +++ * ** *** / // ///))
          (mapcar (lambda (variable) (cons variable (sb-ext:symbol-global-value variable))) +printer-variables+)))

(defun settle-swank ()
  "Sets Swank up for this image. Its debugger is that of its own threads: global hooks would take the wire's thread into
it, and what evaluations have started."
  (set (swank-symbol "*GLOBAL-DEBUGGER*") nil)
  (set (swank-symbol "*LOG-OUTPUT*") (make-broadcast-stream))
  (set (swank-symbol "*DEFAULT-WORKER-THREAD-BINDINGS*") (swank-bindings))
  (sb-int:encapsulate (swank-symbol "SPAWN" "SWANK/BACKEND") 'lisp-harbor 'spawn-for-tunnel)
  (sb-int:encapsulate (swank-symbol "CLOSE-CONNECTION") 'lisp-harbor 'close-connection-aside)
  (let ((sentinel (find-symbol "SEND-TO-SENTINEL" "SWANK")))
    (when (and sentinel (fboundp sentinel))
      (sb-int:encapsulate sentinel 'lisp-harbor 'send-to-sentinel-alone))))

(defun load-swank-if-possible (folder)
  "As LOAD-SWANK; an old SLIME may not compile in this Lisp."
  (handler-case (load-swank folder)
    (error (problem)
      (refuse "slime_missing"
              "The SLIME in ~A does not load in this SBCL, ~A (~A). Name the folder of a newer one under Settings."
              folder (lisp-implementation-version) problem))))

(define-query "slime-start" (arguments)
  "Makes Swank ready, from the folder of SLIME that is given unless it is here already: {version}."
  (unless (swank-loaded-p)
    (load-swank-if-possible (member-of arguments "folder")))
  (settle-swank)
  (object "version" (or (swank-version) :null)))
