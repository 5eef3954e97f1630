;;;; Confines this process with Landlock and then executes a program: sbcl --script landlock.lisp, with
;;;; the order on descriptor 4. With the argument "abi" it only prints the Landlock version of the
;;;; kernel.

;;; The order is created by electron/sandbox/landlock-rules.ts: NUL-terminated words, numbers in
;;; decimal, and after the last word the seccomp filter as binary data. Nothing is decoded: the kernel
;;; gets the exact octets.

(defpackage :lisp-harbor-landlock
  (:use :common-lisp))

(in-package :lisp-harbor-landlock)

(defconstant +order-descriptor+ 4)

;;; The kernel.

(defmacro libc (name &rest arguments)
  "Calls the C function NAME, which takes machine words and returns an integer."
  `(sb-alien:alien-funcall
    (sb-alien:extern-alien ,name (function sb-alien:int ,@(loop repeat (length arguments) collect 'sb-alien:long)))
    ,@arguments))

(defun fail (format &rest arguments)
  (format *error-output* "The sandbox could not be made: ~?~%" format arguments)
  (finish-output *error-output*)
  (sb-ext:exit :code 126 :abort t))

(defun checked (result what)
  "Returns RESULT unless it is the error code of WHAT, in which case the process fails."
  (if (minusp result)
      (fail "~A: ~A" what (sb-int:strerror (sb-alien:get-errno)))
      result))

(defun create-ruleset (attribute size flags) (libc "syscall" 444 attribute size flags))
(defun add-path (ruleset attribute) (libc "syscall" 445 ruleset 1 attribute 0))
(defun restrict-self (ruleset) (libc "syscall" 446 ruleset 0))

(defun octets-address (octets &optional (start 0))
  "Returns the address of OCTETS, which are pinned."
  (+ start (sb-sys:sap-int (sb-sys:vector-sap octets))))

(defmacro with-structure ((address &rest fields) &body body)
  "Binds ADDRESS to a C structure of FIELDS, each (bits value), without padding."
  (let ((octets (gensym "OCTETS")))
    `(let ((,octets (structure-octets (list ,@(loop for (bits value) in fields collect `(cons ,bits ,value))))))
       (sb-sys:with-pinned-objects (,octets)
         (let ((,address (octets-address ,octets)))
           ,@body)))))

(defun structure-octets (fields)
  (coerce (loop for (bits . value) in fields
                nconc (loop for place from 0 below bits by 8 collect (ldb (byte 8 place) value)))
          '(simple-array (unsigned-byte 8) (*))))

;;; The order.

(defvar *order* (coerce #() '(simple-array (unsigned-byte 8) (*))))
(defvar *next* 0 "Position of the next word in the order.")

(defun read-order ()
  (with-open-stream (stream (sb-sys:make-fd-stream +order-descriptor+ :element-type '(unsigned-byte 8) :buffering :full))
    (apply #'concatenate '(simple-array (unsigned-byte 8) (*))
           (loop for piece = (make-array 65536 :element-type '(unsigned-byte 8))
                 for end = (read-sequence piece stream)
                 collect (subseq piece 0 end)
                 while (= end (length piece))))))

(defun next-word ()
  "Returns the address of the next word."
  (prog1 (octets-address *order* *next*)
    (setf *next* (1+ (or (position 0 *order* :start *next*) (fail "the order is cut off"))))))

(defun text-at (address)
  (let* ((start (- address (octets-address *order*)))
         (end (position 0 *order* :start start)))
    (sb-ext:octets-to-string *order* :start start :end end :external-format :utf-8)))

(defun next-number ()
  (parse-integer (text-at (next-word))))

(defun next-words ()
  "Returns the addresses of as many words as the preceding number says, followed by a null."
  (append (loop repeat (next-number) collect (next-word)) '(0)))

;;; Confinement.

(defun open-path (path)
  "Returns a descriptor that only names PATH. The path must contain no link, because a process with write
access could have created it. NIL if PATH no longer exists."
  (let ((openat2 437) (from-here -100) (path-only #o10000000) (no-links 4))
    (with-structure (how (64 path-only) (64 0) (64 (if (own-process-p path) 0 no-links)))
      (let ((descriptor (libc "syscall" openat2 from-here path how 24)))
        (cond ((not (minusp descriptor)) descriptor)
              ((= (sb-alien:get-errno) sb-unix:enoent) nil)
              ((= (sb-alien:get-errno) sb-unix:eloop)
               (fail "~A is not what was allowed: a link has come in its place or above it." (text-at path)))
              (t (checked descriptor (text-at path))))))))

(defun own-process-p (path)
  "Reports whether PATH is that of this process, which the kernel provides as a link."
  (string= "/proc/self/." (text-at path)))

(defun allow (ruleset rights path)
  (let ((descriptor (open-path path)))
    (when descriptor
      (with-structure (attribute (64 rights) (32 descriptor))
        (checked (add-path ruleset attribute) (text-at path)))
      (libc "close" descriptor))))

(defun make-ruleset ()
  (let ((size (next-number)))
    (with-structure (attribute (64 (next-number)) (64 (next-number)) (64 (next-number)))
      (let ((ruleset (checked (create-ruleset attribute size 0) "Landlock")))
        (loop repeat (next-number) do (allow ruleset (next-number) (next-word)))
        ruleset))))

(defun drop-capabilities ()
  "Drops all capabilities permanently: with no_new_privs no program can regain privileges. Programs of root
would still try, at the cost of their personality(2), so root also drops its bounding set; other users
cannot."
  (let ((drop-from-bounding-set 24) (version-3 #x20080522))
    (dotimes (capability 64)
      (libc "prctl" drop-from-bounding-set capability 0 0 0))
    (with-structure (header (32 version-3) (32 0))
      (with-structure (none (64 0) (64 0) (64 0))
        (checked (libc "capset" header none) "dropping capabilities")))))

(defun filter-system-calls (filter)
  (sb-sys:with-pinned-objects (filter)
    (with-structure (program (64 (floor (length filter) 8)) (64 (octets-address filter)))
      (let ((set-seccomp 22) (mode-filter 2))
        (checked (libc "prctl" set-seccomp mode-filter program 0 0) "seccomp")))))

(defun confine (ruleset filter)
  (let ((set-parent-death-signal 1) (set-no-new-privileges 38))
    (libc "prctl" set-parent-death-signal sb-unix:sigkill 0 0 0)
    (checked (libc "prctl" set-no-new-privileges 1 0 0 0) "no_new_privs"))
  (checked (restrict-self ruleset) "Landlock")
  (drop-capabilities)
  (when (plusp (length filter))
    (filter-system-calls filter)))

;;; Execution of the program.

(defun leave-lisp-behind ()
  "Resets the state that survives exec: the ignored SIGPIPE, and open descriptors, which get close-on-exec."
  (let ((default-action 0) (close-range 436) (on-exec 4))
    (libc "signal" sb-unix:sigpipe default-action)
    (libc "syscall" close-range +order-descriptor+ #xffffffff on-exec)))

(defun word-vector (addresses)
  (structure-octets (loop for address in addresses collect (cons 64 address))))

(defun become (arguments environment)
  "Executes the program that the first of ARGUMENTS names. Never returns."
  (let ((argv (word-vector arguments)) (envp (word-vector environment)) (program (first arguments)))
    (sb-sys:with-pinned-objects (argv envp)
      (checked (libc "execve" program (octets-address argv) (octets-address envp)) (text-at program)))))

(defun run ()
  (let ((*order* (read-order)))
    (sb-sys:with-pinned-objects (*order*)
      (let* ((ruleset (make-ruleset))
             (arguments (next-words))
             (environment (next-words)))
        (confine ruleset (subseq *order* *next*))
        (leave-lisp-behind)
        (become arguments environment)))))

(if (equal (first (last sb-ext:*posix-argv*)) "abi")
    (format t "~D~%" (create-ruleset 0 0 1))
    (run))
