;;;; The wire's thread between the harbor and the forks of this process: it passes on what each side writes.
;;;; Nothing here waits for a fork, so one that is stopped, or does not read, keeps nobody else waiting.

(in-package :lisp-harbor-agent)

(defconstant +relayed-octets+ 32768 "Octets that are passed on in one event at most.")
(defconstant +pieces-of-a-pipe+ 4 "Events for all that a pipe holds, and more.")

(defvar *relay-buffer* (make-array +relayed-octets+ :element-type '(unsigned-byte 8)))

;;; poll(2): each descriptor takes eight octets, its number, the events wanted, the events that came.

(defconstant +readable+ 1)
(defconstant +writable+ 4)

(defun poll (wanted waiting)
  "Those of WANTED, conses of a descriptor and events, that something happened to; waits for it if WAITING."
  (let ((octets (make-array (* 8 (length wanted)) :element-type '(unsigned-byte 8))))
    (sb-sys:with-pinned-objects (octets)
      (let ((sap (sb-sys:vector-sap octets)))
        (loop for (descriptor . events) in wanted
              for at from 0 by 8
              do (setf (sb-sys:signed-sap-ref-32 sap at) descriptor
                       (sb-sys:sap-ref-16 sap (+ at 4)) events))
        (sb-alien:alien-funcall
         (sb-alien:extern-alien "poll" (function sb-alien:int sb-sys:system-area-pointer sb-alien:unsigned-long
                                                 sb-alien:int))
         sap (length wanted) (if waiting -1 0))
        (loop for (descriptor) in wanted
              for at from 0 by 8
              unless (zerop (sb-sys:sap-ref-16 sap (+ at 6))) collect descriptor)))))

;;; From a fork.

(defun read-octets (descriptor)
  "Octets that have come; :NONE when there are none now, NIL at the end."
  (multiple-value-bind (count errno)
      (sb-sys:with-pinned-objects (*relay-buffer*)
        (sb-unix:unix-read descriptor (sb-sys:vector-sap *relay-buffer*) +relayed-octets+))
    (cond ((null count) (if (member errno (list sb-unix:eintr sb-unix:eagain)) :none nil))
          ((plusp count) (subseq *relay-buffer* 0 count)))))

(defun pass-on (fork name octets)
  "Sends OCTETS, which FORK wrote to its stream NAME, as characters of the same codes."
  (send "relayed" "fork" (fork-number fork) "stream" name
                  "data" (sb-ext:octets-to-string octets :external-format :latin-1)))

(defun pass-on-held (fork name descriptor)
  "Passes on what FORK has written to its stream NAME by now. False when the stream has ended."
  (loop repeat +pieces-of-a-pipe+
        for octets = (read-octets descriptor)
        while (typep octets 'vector)
        do (pass-on fork name octets)
        finally (return octets)))

(defun pass-on-rest (fork)
  "Passes on what a fork that is gone has left in its pipes. A program that it started may hold them open for ever."
  (loop for (name . descriptor) in (fork-sources fork)
        do (pass-on-held fork name descriptor)))

(defun listen-to-pipes (fork)
  "Passes on what FORK has printed by now."
  (loop for (name . descriptor) in (remove "wire" (fork-sources fork) :key #'car :test #'string=)
        unless (pass-on-held fork name descriptor)
          do (setf (fork-sources fork) (remove name (fork-sources fork) :key #'car :test #'string=))
             (sb-unix:unix-close descriptor)))

(defparameter +done+ (sb-ext:string-to-octets "{\"event\":\"done\"" :external-format :latin-1)
  "The beginning of the line that ends an evaluation. No string can look like it, for quotes in strings are escaped.")

(defun pass-on-wire (fork octets)
  "Passes on OCTETS, which FORK wrote to its wire. All that was printed by then comes before the end of an evaluation."
  (let ((end (or (search +done+ octets) (length octets))))
    (when (plusp end) (pass-on fork "wire" (subseq octets 0 end)))
    (listen-to-pipes fork)
    (when (< end (length octets)) (pass-on fork "wire" (subseq octets end)))))

(defun listen-to-wire (fork)
  "Passes on a piece of what FORK wrote to its wire, and what it has printed. The end of its wire is its own."
  (let ((octets (read-octets (fork-wire fork))))
    (cond ((typep octets 'vector) (pass-on-wire fork octets))
          (octets (listen-to-pipes fork))
          (t (reap fork)))))

;;; To a fork.

(defun write-unsent (fork)
  "Writes what FORK takes without our waiting. What goes wrong is seen where it is read."
  (loop while (fork-unsent fork)
        do (let ((octets (first (fork-unsent fork))))
             (if (eq octets :end)
                 (let ((no-more-writing 1))
                   (sb-alien:alien-funcall
                    (sb-alien:extern-alien "shutdown" (function sb-alien:int sb-alien:int sb-alien:int))
                    (fork-wire fork) no-more-writing))
                 (let ((written (sb-sys:with-pinned-objects (octets)
                                  (sb-unix:unix-write (fork-wire fork) octets 0 (length octets)))))
                   (cond ((null written) (return))
                         ((< written (length octets))
                          (setf (first (fork-unsent fork)) (subseq octets written))
                          (return)))))
             (pop (fork-unsent fork)))))

(defun fork-numbered (number)
  (find number *forks* :key #'fork-number))

(defun give-to-fork (number data)
  "Hands DATA to the wire of fork NUMBER: octets as characters of the same codes, or NIL for the end."
  (let ((fork (fork-numbered number)))
    (when fork
      (setf (fork-unsent fork)
            (append (fork-unsent fork)
                    (list (if data (sb-ext:string-to-octets data :external-format :latin-1) :end))))
      (write-unsent fork))))

(define-operation "relay" (request)
  "Members: fork, data, which is as GIVE-TO-FORK takes it."
  (give-to-fork (member-of request "fork") (member-of request "data")))

;;; The end of a fork.

(defun signal-fork (number signal)
  "Signals fork NUMBER and the programs of its process group."
  (let ((fork (fork-numbered number)))
    (when fork
      (dolist (target (list (- (fork-pid fork)) (fork-pid fork)))
        (ignore-errors (sb-posix:kill target signal))))))

(define-operation "signal" (request)
  "Members: fork, signal, a number."
  (signal-fork (member-of request "fork") (member-of request "signal")))

(defun wait-for-exit (pid)
  "The exit code of PID, waited for, or NIL, and the signal that killed it, or NIL; neither where nobody can tell."
  (handler-case
      (multiple-value-bind (reaped status) (sb-posix:waitpid pid 0)
        (declare (ignore reaped))
        (if (sb-posix:wifexited status)
            (values (sb-posix:wexitstatus status) nil)
            (values nil (sb-posix:wtermsig status))))
    (sb-posix:syscall-error (condition)
      (if (= (sb-posix:syscall-errno condition) sb-posix:eintr)
          (wait-for-exit pid)
          (values nil nil)))))

(defun reap (fork)
  "Ends FORK, which has closed its wire, if it has not ended yet, and tells how it did."
  (signal-fork (fork-number fork) sb-unix:sigkill)
  (multiple-value-bind (code signal) (wait-for-exit (fork-pid fork))
    (pass-on-rest fork)
    (setf *forks* (remove fork *forks*))
    (close-descriptors (fork-descriptors fork))
    (send "fork-ended" "fork" (fork-number fork) "code" (or code :null) "signal" (or signal :null))))

;;; All of them.

(defun wanted-of (fork)
  (loop for (name . descriptor) in (fork-sources fork)
        collect (cons descriptor
                      (if (and (string= name "wire") (fork-unsent fork)) (logior +readable+ +writable+) +readable+))))

(defun serve-fork (fork ready)
  (when (and (fork-unsent fork) (member (fork-wire fork) ready)) (write-unsent fork))
  (if (member (fork-wire fork) ready)
      (listen-to-wire fork)
      (listen-to-pipes fork)))

(define-implementation await-request ()
  "Serves the forks until the harbor has written something, which the next read of the wire finds."
  (loop with waiting = t
        while *forks*
        do (setf waiting (not (listen *wire-input*)))
           (let ((ready (poll (cons (cons +wire-descriptor+ +readable+) (mapcan #'wanted-of *forks*)) waiting)))
             (dolist (fork *forks*) (serve-fork fork ready))
             (when (or (not waiting) (member +wire-descriptor+ ready)) (return)))))
