;;;; The wire's thread relays data between the harbor and the forks of this process. It never blocks on
;;;; a fork, so a fork that is stopped or does not read does not delay the others.

(in-package :lisp-harbor-agent)

(defconstant +relayed-octets+ 32768 "Maximum number of octets relayed in one event.")
(defconstant +pieces-of-a-pipe+ 4 "Number of events that suffices for the content of a full pipe.")

(defvar *relay-buffer* (make-array +relayed-octets+ :element-type '(unsigned-byte 8)))

;;; poll(2): each entry has eight octets: the descriptor, the requested events, the returned events.

(defconstant +readable+ 1)
(defconstant +writable+ 4)

(defun poll (wanted waiting)
  "Returns the elements of WANTED, conses of a descriptor and events, that are ready. Blocks if WAITING is
true."
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

;;; From a fork to the harbor.

(defun read-octets (descriptor)
  "Returns the available octets, :NONE if there are none now, NIL at the end."
  (multiple-value-bind (count errno)
      (sb-sys:with-pinned-objects (*relay-buffer*)
        (sb-unix:unix-read descriptor (sb-sys:vector-sap *relay-buffer*) +relayed-octets+))
    (cond ((null count) (if (member errno (list sb-unix:eintr sb-unix:eagain)) :none nil))
          ((plusp count) (subseq *relay-buffer* 0 count)))))

(defun pass-on (fork name octets)
  "Sends OCTETS, which FORK wrote to its stream NAME, as characters with the same codes."
  (send "relayed" "fork" (fork-number fork) "stream" name
                  "data" (sb-ext:octets-to-string octets :external-format :latin-1)))

(defun pass-on-held (fork name descriptor)
  "Relays the available output of FORK's stream NAME. Returns false when the stream has ended."
  (loop repeat +pieces-of-a-pipe+
        for octets = (read-octets descriptor)
        while (typep octets 'vector)
        do (pass-on fork name octets)
        finally (return octets)))

(defun pass-on-rest (fork)
  "Relays the remaining output of an ended fork from its pipes. A program that it started may keep them open."
  (loop for (name . descriptor) in (fork-sources fork)
        do (pass-on-held fork name descriptor)))

(defun listen-to-pipes (fork)
  "Relays the output of FORK so far."
  (loop for (name . descriptor) in (remove "wire" (fork-sources fork) :key #'car :test #'string=)
        unless (pass-on-held fork name descriptor)
          do (setf (fork-sources fork) (remove name (fork-sources fork) :key #'car :test #'string=))
             (sb-unix:unix-close descriptor)))

(defparameter +done+ (sb-ext:string-to-octets "{\"event\":\"done\"" :external-format :latin-1)
  "The beginning of the line that ends an evaluation. No string can contain it, because quotes in strings are
escaped.")

(defun pass-on-wire (fork octets)
  "Relays OCTETS, which FORK wrote to its wire. Output printed before the end of an evaluation is relayed
before that end."
  (let ((end (or (search +done+ octets) (length octets))))
    (when (plusp end) (pass-on fork "wire" (subseq octets 0 end)))
    (listen-to-pipes fork)
    (when (< end (length octets)) (pass-on fork "wire" (subseq octets end)))))

(defun listen-to-wire (fork)
  "Relays a piece of FORK's wire and its output. Handles the end of the wire."
  (let ((octets (read-octets (fork-wire fork))))
    (cond ((typep octets 'vector) (pass-on-wire fork octets))
          (octets (listen-to-pipes fork))
          (t (reap fork)))))

;;; From the harbor to a fork.

(defun write-unsent (fork)
  "Writes as much as FORK accepts without blocking. Errors are detected when reading."
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
  "Sends DATA to the wire of fork NUMBER: octets as characters with the same codes, or NIL for the end."
  (let ((fork (fork-numbered number)))
    (when fork
      (setf (fork-unsent fork)
            (append (fork-unsent fork)
                    (list (if data (sb-ext:string-to-octets data :external-format :latin-1) :end))))
      (write-unsent fork))))

(define-operation "relay" (request)
  "Members: fork, data as for GIVE-TO-FORK."
  (give-to-fork (member-of request "fork") (member-of request "data")))

;;; The end of a fork.

(defun signal-fork (number signal)
  "Sends a signal to fork NUMBER and to the programs in its process group."
  (let ((fork (fork-numbered number)))
    (when fork
      (dolist (target (list (- (fork-pid fork)) (fork-pid fork)))
        (ignore-errors (sb-posix:kill target signal))))))

(define-operation "signal" (request)
  "Members: fork, signal, a number."
  (signal-fork (member-of request "fork") (member-of request "signal")))

(defun wait-for-exit (pid)
  "Waits for PID. Returns its exit code or NIL, and the signal that killed it or NIL. Both are NIL if they are
unknown."
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
  "Ends FORK, which has closed its wire, if it still runs, and reports how it ended."
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
  "Serves the forks until the harbor has written something, which the next read of the wire returns."
  (loop with waiting = t
        while *forks*
        do (setf waiting (not (listen *wire-input*)))
           (let ((ready (poll (cons (cons +wire-descriptor+ +readable+) (mapcan #'wanted-of *forks*)) waiting)))
             (dolist (fork *forks*) (serve-fork fork ready))
             (when (or (not waiting) (member +wire-descriptor+ ready)) (return)))))
