;;;; The backend interface for ABCL: threads and locks, the wire's descriptor, stack frames, source
;;;; locations. Implemented with Java.

(in-package :lisp-harbor-agent)

;;; Locks are Java monitors: waiting in a monitor releases it.

(defstruct (mutex (:constructor new-mutex (name)))
  name)

(define-implementation make-mutex (&key name)
  (new-mutex name))

(define-implementation with-mutex ((mutex) &body body)
  `(threads:synchronized-on ,mutex ,@body))

(define-implementation with-recursive-lock ((mutex) &body body)
  `(threads:synchronized-on ,mutex ,@body))

(defstruct (waitqueue (:constructor new-waitqueue (name)))
  name
  (mutex nil))                          ; the monitor in which its threads wait

(define-implementation make-waitqueue (&key name)
  (new-waitqueue name))

(define-implementation condition-wait (queue mutex)
  (setf (waitqueue-mutex queue) mutex)
  (threads:object-wait mutex))

(define-implementation condition-notify (queue)
  "Wakes all threads that wait on QUEUE. The caller owns the mutex of QUEUE."
  (when (waitqueue-mutex queue)
    (threads:object-notify-all (waitqueue-mutex queue))))

;;; Interrupts. ABCL checks for them in loops and during evaluation, and then any thread may clear the
;;; interrupt flag of another thread. So the flag is set repeatedly until the function has been
;;; called.

(defconstant +interrupt-pause+ 0.005 "Initial delay in seconds before a thread is interrupted again.")
(defconstant +longest-interrupt-pause+ 0.5
  "Maximum delay in seconds. The thread may not check for interrupts for a long time.")

(defvar *interruptible* t "True if this thread may handle an interrupt now. Bound by threads, never globally.")
(defvar *deferred-interrupts* '() "Functions for this thread that arrived while interrupts were deferred.")

(defun run-deferred-interrupts ()
  (loop while (and *interruptible* *deferred-interrupts*)
        do (funcall (pop *deferred-interrupts*))))

(define-implementation without-interrupts (&body body)
  `(multiple-value-prog1 (let ((*interruptible* nil)) ,@body)
     (run-deferred-interrupts)))

(define-implementation with-local-interrupts (&body body)
  `(let ((*interruptible* t))
     (run-deferred-interrupts)
     ,@body))

(defun call-or-defer (function)
  (java:jstatic "interrupted" "java.lang.Thread") ; Otherwise the next wait of this thread would end immediately.
  (if *interruptible*
      (funcall function)
      (setf *deferred-interrupts* (append *deferred-interrupts* (list function)))))

(defparameter +set-interrupted+
  (java:jmethod "org.armedbear.lisp.Lisp" "setInterrupted" "org.armedbear.lisp.LispThread" "boolean"))

(defun insist-on-interrupt (thread insist &optional (pause +interrupt-pause+))
  "Sets the interrupt flag of THREAD with INSIST, a function, until that reports that it was handled. Not a
loop, because a loop would check for the flag itself."
  (sleep pause)
  (when (and (thread-alive-p thread) (funcall insist))
    (insist-on-interrupt thread insist (min +longest-interrupt-pause+ (* pause 1.05)))))

(defun show-interrupted (thread interrupted)
  (java:jstatic +set-interrupted+ nil thread (if interrupted java:+true+ java:+false+)))

(define-implementation interrupt-thread (thread function)
  "Makes THREAD call FUNCTION at its next safe point. Compiled code that neither loops nor waits has none."
  (let ((called nil) (mutex (threads:make-mutex)))
    (flet ((take ()
             ;; A flag set after the interrupt was handled would interrupt the next operation of the
             ;; thread.
             (threads:with-mutex (mutex)
               (setf called t)
               (show-interrupted thread nil))
             (call-or-defer function))
           (insist ()
             (threads:with-mutex (mutex)
               (unless called
                 (show-interrupted thread t)
                 t))))
      (threads:interrupt-thread thread #'take)
      (make-thread #'insist-on-interrupt :name "lisp-harbor interrupt" :arguments (list thread #'insist)))))

;;; Threads.

(define-implementation make-thread (function &key name arguments)
  (threads:make-thread (lambda ()
                         (let ((*interruptible* t) (*deferred-interrupts* '()))
                           (apply function arguments)))
                       :name name))

(define-implementation current-thread ()
  (threads:current-thread))

(define-implementation thread-name (thread)
  (threads:thread-name thread))

(define-implementation thread-alive-p (thread)
  (threads:thread-alive-p thread))

(define-implementation end-thread (thread)
  (threads:destroy-thread thread))

;;; The process.

(define-implementation end-process (code)
  (java:jcall "halt" (java:jstatic "getRuntime" "java.lang.Runtime") code))

(defun quit (&key (status 0))
  "Replaces EXT:QUIT and EXT:EXIT, which unwind the thread first, as if the code had ended it."
  (begin-exit)
  (java:jstatic "exit" "java.lang.System" status))

(define-implementation install-exit ()
  (setf (fdefinition 'ext:quit) #'quit
        (fdefinition 'ext:exit) #'quit))

(defun descriptor (number)
  "Returns the file descriptor NUMBER as a Java object. Java opens files only by name, and a socket has none.
The JVM is started with --add-opens java.base/java.io=ALL-UNNAMED."
  (let ((descriptor (java:jnew "java.io.FileDescriptor"))
        (field (java:jcall "getDeclaredField" (java:jclass "java.io.FileDescriptor") "fd")))
    (java:jcall "setAccessible" field java:+true+)
    (java:jcall "setInt" field descriptor number)
    descriptor))

(defvar *wire-input* nil "A java.io.BufferedReader.")
(defvar *wire-output* nil "A java.io.FileOutputStream.")

(define-implementation open-wire ()
  "Opens descriptor 3. Uses Java's own streams, because ABCL's UTF-8 streams lose characters above 16 bits."
  (let ((descriptor (descriptor 3)))
    (setf *wire-input* (java:jnew "java.io.BufferedReader"
                                  (java:jnew "java.io.InputStreamReader"
                                             (java:jnew "java.io.FileInputStream" descriptor) "UTF-8"))
          *wire-output* (java:jnew "java.io.FileOutputStream" descriptor))))

(define-implementation read-wire-line ()
  (java:jcall "readLine" *wire-input*))

(define-implementation print-on-wire (text)
  (java:jcall "write" *wire-output* (java:jcall "getBytes" text "UTF-8")))

(define-implementation working-directory ()
  (pathname (concatenate 'string (java:jstatic "getProperty" "java.lang.System" "user.dir") "/")))

;;; The stack.

(define-implementation internal-packages ()
  '("SYSTEM" "EXTENSIONS" "THREADS" "MOP" "JAVA" "LISP-HARBOR-AGENT"))

(defun lisp-calls (frames)
  "Returns the calls of Lisp in FRAMES as lists."
  (loop for frame in frames
        when (typep frame 'system::lisp-stack-frame)
          collect (system:frame-to-list frame)))

(define-implementation stack-calls ()
  "Returns the calls of this thread as lists, innermost first, without those of Java."
  (lisp-calls (system:backtrace 500)))

(defparameter +backtrace+ (java:jmethod "org.armedbear.lisp.LispThread" "backtrace" "int"))

(define-implementation calls-of-evaluation (id)
  "Reads the stack of the other thread: an interrupt would end its wait."
  (when (eql id *current*)
    (place-in (lisp-calls (java:jcall +backtrace+ *evaluation-thread* 500)))))

;;; Information about definitions.

(define-implementation arglist-of (function)
  (ext:arglist function))

(define-implementation file-of (name)
  (let ((source (and (symbolp name) (ext:source name))))
    (when (and (consp source) (pathnamep (car source)))
      (values (namestring (car source)) (cdr source)))))

(define-implementation declared-special-p (symbol)
  (ext:special-variable-p symbol))
