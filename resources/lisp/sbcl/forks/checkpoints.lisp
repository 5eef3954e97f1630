;;;; The two uses of forks. Checkpoint: the fork saves itself as an executable core, from which this image can
;;;; be started again. Branch: the fork serves the harbor as an image of its own.

(in-package :lisp-harbor-agent)

;;; State that SBCL does not save by itself.

(defparameter +repl-variables+ '(- + ++ +++ * ** *** / // ///))
(defvar *repl-values* '() "The values of +REPL-VARIABLES+, which SAVE-LISP-AND-DIE sets to NIL.")

;;; State that a checkpoint loses. The fork looks for it before it saves itself.

(defconstant +told-losses+ 20 "Maximum number of losses of one kind that are listed.")

(defun open-descriptors ()
  "Returns the open descriptors of this process other than those of every image."
  (loop for descriptor from (1+ +wire-descriptor+) below (descriptor-limit)
        unless (minusp (sb-alien:alien-funcall
                        (sb-alien:extern-alien "fcntl" (function sb-alien:int sb-alien:int sb-alien:int))
                        descriptor sb-posix:f-getfd))
          collect descriptor))

(defun descriptor-name (descriptor)
  "Returns the target of DESCRIPTOR, or NIL if the system does not report it."
  (ignore-errors (sb-posix:readlink (format nil "/proc/self/fd/~D" descriptor))))

(defun descriptor-loss (descriptor)
  (let ((mode (sb-posix:stat-mode (sb-posix:fstat descriptor)))
        (name (descriptor-name descriptor)))
    (cond ((sb-posix:s-isreg mode)
           (format nil "An open file~@[, ~A~] (descriptor ~D): its streams are closed in the checkpoint." name descriptor))
          ((sb-posix:s-issock mode)
           (format nil "A socket (descriptor ~D): it is not connected in the checkpoint." descriptor))
          ((sb-posix:s-isfifo mode)
           (format nil "A pipe~@[, ~A~] (descriptor ~D): its streams are closed in the checkpoint." name descriptor))
          (t (format nil "Descriptor ~D~@[, ~A~]: it is closed in the checkpoint." descriptor name)))))

(defun timer-loss (timer)
  (format nil "A timer, ~A: it will not go off in the checkpoint; schedule it again there."
          (print-bounded (sb-impl::%timer-name timer) :limit 100)))

(defun program-loss (process)
  (format nil "A program that was started, process ~D: the checkpoint does not know it." (sb-ext:process-pid process)))

(defun memory-losses ()
  "Returns what is known of foreign memory: the libraries loaded by the user, which may have allocated some."
  (let ((names (mapcar (lambda (object) (file-namestring (sb-alien::shared-object-namestring object)))
                       sb-sys:*shared-objects*)))
    (and names
         (list (format nil "Foreign memory: ~{~A~^, ~} will be loaded again, but what such libraries, or MAKE-ALIEN, ~
                            keep outside of Lisp is lost, and pointers to it are invalid." names)))))

(defun some-losses (function items)
  "Returns a sentence for each of ITEMS, up to the maximum, and the number of the others."
  (let ((more (left-out +told-losses+ items)))
    (append (mapcar function (up-to +told-losses+ items))
            (and more (list (format nil "~D more of the kind named last." more))))))

(defun losses ()
  "Returns sentences about state of this image that a core does not save."
  (append (some-losses #'descriptor-loss (open-descriptors))
          (some-losses #'timer-loss (sb-ext:list-all-timers))
          (some-losses #'program-loss (remove-if-not #'sb-ext:process-alive-p sb-impl::*active-processes*))
          (memory-losses)))

;;; Saving.

(defun end-with-condition (condition)
  "Handles an unhandled CONDITION of a process without a harbor: prints the report and ends the process."
  (let ((words (sb-ext:string-to-octets (format nil "~A: ~A~%" (name-text (type-of condition)) (message-of condition)))))
    (sb-unix:unix-write 2 words 0 (length words))
    (sb-ext:exit :code 1 :abort t)))

(defun save-running-program ()
  "Makes SBCL copy its runtime from the running file, even if that was deleted or replaced since."
  #+linux
  (when (sb-sys:find-foreign-symbol-address "sbcl_runtime")
    ;; Allocated outside of Lisp, because the collector moves strings.
    (setf (sb-alien:extern-alien "sbcl_runtime" (* sb-alien:char)) (sb-alien:make-alien-string "/proc/self/exe"))))

(defun save-core (file)
  "Saves this process, a fork, as the executable core FILE. The toplevel function of the core is RESTORE."
  (send "losses" "sentences" (losses))
  (setf *unhandled* #'end-with-condition ; also in the core, until RESTORE has begun
        *repl-values* (mapcar #'symbol-value +repl-variables+)
        sb-impl::*active-processes* '())
  (save-running-program)
  (sb-ext:save-lisp-and-die (sb-ext:parse-native-namestring file) :executable t :toplevel #'restore))

(define-operation "save" (request)
  "Members: id, file. A fork of that number saves itself as the core FILE."
  (let ((file (member-of request "file")))
    (answer-with-fork (member-of request "id") (lambda () (save-core file)))))

;;; Start from a core.

(defun forget-earlier-process ()
  "Drops the state that only the saved process could use."
  (setf *unhandled* nil
        *exiting* nil
        *output* (make-output-buffer)
        *allowance* (make-allowance))
  (mapc #'set +repl-variables+ *repl-values*)
  (unschedule-timers))

(defun restore ()
  "The toplevel function of a checkpoint."
  (close-foreign-descriptors)
  (open-wire)
  (forget-earlier-process)
  (prepare-process)
  (serve))

;;; Branches.

(defun serve-as-branch ()
  "The main function of a branch. Timers and programs stay with the parent image."
  (setf sb-impl::*active-processes* '())
  (unschedule-timers)
  (serve))

(define-operation "branch" (request)
  "Members: id. A fork of that number serves as a branch."
  (answer-with-fork (member-of request "id") #'serve-as-branch))
