;;;; Forks: copies of this process made by fork(2), to save its state or to try changes in a branch.
;;;; Each has descriptors 1, 2 and 3 like any image. This process relays the bytes that a fork writes
;;;; there.

(in-package :lisp-harbor-agent)

(defstruct fork
  (number 0 :type integer)              ; the id of the request that created it
  (pid 0 :type integer)
  (wire 0 :type integer)                ; this process's end of its socket
  (sources '() :type list)              ; conses of a stream's name and the descriptor from which it is read
  (unsent '() :type list))              ; octets for its wire that it has not accepted yet; :END closes the wire

(defvar *forks* '() "The forks of this process that have not been reaped.")

;;; Descriptors.

(defun socket-pair ()
  "Returns two connected descriptors."
  (let ((unix-domain 1) (stream-socket 1))
    (sb-alien:with-alien ((pair (array sb-alien:int 2)))
      (if (zerop (sb-alien:alien-funcall
                  (sb-alien:extern-alien "socketpair" (function sb-alien:int sb-alien:int sb-alien:int sb-alien:int
                                                                (array sb-alien:int 2)))
                  unix-domain stream-socket 0 pair))
          (values (sb-alien:deref pair 0) (sb-alien:deref pair 1))
          (sb-posix:syscall-error 'socketpair)))))

(defun beside-standard-ones (descriptor)
  "Returns DESCRIPTOR, or a copy with a number above those of an image's own descriptors. Code may have closed
some of these."
  (if (> descriptor +wire-descriptor+)
      descriptor
      (prog1 (sb-posix:fcntl descriptor sb-posix:f-dupfd (1+ +wire-descriptor+))
        (sb-unix:unix-close descriptor))))

(defun keep-to-ourselves (descriptor)
  "Sets close-on-exec and non-blocking mode for DESCRIPTOR."
  (keep-from-programs descriptor)
  (sb-posix:fcntl descriptor sb-posix:f-setfl sb-posix:o-nonblock))

(defun close-descriptors (descriptors)
  (mapc #'sb-unix:unix-close descriptors))

(defun connect-fork ()
  "Returns descriptors for a new fork: this process's ends of its wire, stdout and stderr, and a list of the
fork's ends."
  (let ((pairs '()))
    (handler-bind ((error (lambda (condition)
                            (declare (ignore condition))
                            (close-descriptors (apply #'append pairs)))))
      (dolist (make '(sb-posix:pipe sb-posix:pipe socket-pair)) ; The last one comes first.
        (push (mapcar #'beside-standard-ones (multiple-value-list (funcall make))) pairs)))
    (mapc #'keep-to-ourselves (mapcar #'first pairs))
    (values (mapcar #'first pairs) (mapcar #'second pairs))))

(defun fork-descriptors (fork)
  (remove-duplicates (cons (fork-wire fork) (mapcar #'cdr (fork-sources fork)))))

;;; Code that runs in the fork.

(defun end-with-parent (parent)
  "Ends this process when its parent process, with the pid PARENT, has ended. A fork that still reads the wire
ends because the wire closes; the kernel kills any other."
  #+linux
  (let ((set-parent-death-signal 1))
    (sb-alien:alien-funcall
     (sb-alien:extern-alien "prctl" (function sb-alien:int sb-alien:int sb-alien:unsigned-long))
     set-parent-death-signal sb-unix:sigkill))
  (unless (= (sb-posix:getppid) parent)
    (sb-ext:exit :code +exit-wire-closed+ :abort t)))

(defun become-fork (parent wire stdout stderr)
  "Releases the resources of PARENT, and makes the three descriptors the standard ones of an image."
  (end-with-parent parent)
  (sb-posix:setpgid 0 0)                ; Its children end with it.
  (mapc (lambda (fork) (close-descriptors (fork-descriptors fork))) *forks*)
  (setf *forks* '())
  (sb-posix:dup2 wire +wire-descriptor+)
  (sb-posix:dup2 stdout 1)
  (sb-posix:dup2 stderr 2)
  (close-descriptors (list wire stdout stderr))
  (open-wire))

(defun run-fork (parent ours theirs function)
  "The main function of a fork: calls FUNCTION, and ends the process when that returns or unwinds."
  (unwind-protect
       (progn (close-descriptors ours)
              (apply #'become-fork parent theirs)
              (funcall function))
    (sb-ext:exit :code 1 :abort t)))

;;; Creation.

(defun fork-process ()
  "Forks the process. Returns 0 in the fork and its pid in the parent. SBCL's finalizer thread continues in
both. SBCL refuses to fork while an ended thread is not fully released, although it is no longer listed, so
the call is repeated until such a thread has finished."
  (let ((parent (sb-posix:getpid))
        (refusal nil))
    (flet ((try ()
             (handler-case (sb-posix:fork)
               (simple-error (condition)
                 (unless (= (sb-posix:getpid) parent) (error condition))
                 (setf refusal condition)
                 nil))))
      (handler-bind ((sb-posix:syscall-error
                       (lambda (condition)
                         (declare (ignore condition))
                         #+sb-thread (sb-impl::finalizer-thread-start))))
        (or (within +ending-seconds+ #'try) (error refusal))))))

(defun begin-fork (number)
  "Creates a fork and returns it. In the fork itself, returns a function that takes the fork's main function."
  (multiple-value-bind (ours theirs) (connect-fork)
    (let* ((parent (sb-posix:getpid))
           (pid (handler-bind ((error (lambda (condition)
                                        (declare (ignore condition))
                                        (close-descriptors (append ours theirs)))))
                  (fork-process))))
      (if (zerop pid)
          (lambda (function) (run-fork parent ours theirs function))
          (let ((fork (make-fork :number number :pid pid :wire (first ours)
                                 :sources (mapcar #'cons '("wire" "stdout" "stderr") ours))))
            (close-descriptors theirs)
            (push fork *forks*)
            fork)))))

(defun check-threads ()
  "Ends the agent's own threads. Refuses while any thread other than the wire's thread runs."
  (unless (end-own-threads)
    (refuse "busy" "The image is busy: something runs in it. Wait until that has ended, or interrupt it."))
  (let ((threads (lasting-threads)))
    (when threads
      (refuse "threads_running"
              "Threads of the image prevent a copy of it: ~{~A~^, ~}. A copy would hold no thread but the agent's. ~
               End them, for example with sb-thread:terminate-thread, and start them again after."
              (mapcar #'thread-text threads)))))

(defun try-fork (number)
  "Does the same as BEGIN-FORK, or returns why there is no fork: a cons of a code of
electron/contract/errors.ts and a sentence."
  (handler-case (progn (check-threads) (begin-fork number))
    (query-refused (refusal) (cons (refusal-code refusal) (refusal-message refusal)))
    (error (condition)
      (cons "checkpoint_failed" (format nil "The image cannot copy itself: ~A" (message-of condition))))))

(defun answer-with-fork (id function)
  "Answers request ID with a fork that calls FUNCTION, or with the reason why there is none."
  (unwind-protect
       (let ((outcome (try-fork id)))
         (etypecase outcome
           (function (funcall outcome function)) ; The fork ends inside this call.
           (fork (send "forked" "id" id "pid" (fork-pid outcome)))
           (cons (send "refused" "id" id "code" (car outcome) "message" (cdr outcome)))))
    (start-own-threads)))
