;;;; What forks are made for. A checkpoint: the fork saves itself as an executable core, and what starts from that core is
;;;; this image again. A branch: the fork serves the harbor as an image of its own.

(in-package :lisp-harbor-agent)

;;; What is kept although SBCL forgets it.

(defparameter +repl-variables+ '(- + ++ +++ * ** *** / // ///))
(defvar *repl-values* '() "The values of +REPL-VARIABLES+, which SAVE-LISP-AND-DIE sets to NIL.")

;;; What is lost. The fork looks for it before it saves itself.

(defconstant +told-losses+ 20 "Losses of one kind that are told one by one.")

(defun open-descriptors ()
  "Descriptors that are open in this process beside those of an image."
  (loop for descriptor from (1+ +wire-descriptor+) below (descriptor-limit)
        unless (minusp (sb-alien:alien-funcall
                        (sb-alien:extern-alien "fcntl" (function sb-alien:int sb-alien:int sb-alien:int))
                        descriptor sb-posix:f-getfd))
          collect descriptor))

(defun descriptor-name (descriptor)
  "What DESCRIPTOR leads to, or NIL where the system does not say."
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
  "What is known of foreign memory: that libraries of the user's are loaded, which may have filled some."
  (let ((names (mapcar (lambda (object) (file-namestring (sb-alien::shared-object-namestring object)))
                       sb-sys:*shared-objects*)))
    (and names
         (list (format nil "Foreign memory: ~{~A~^, ~} will be loaded again, but what such libraries, or MAKE-ALIEN, ~
                            keep outside of Lisp is lost, and pointers to it are invalid." names)))))

(defun some-losses (function items)
  "The loss of each of ITEMS; of many the first ones, and how many more there are."
  (let ((more (left-out +told-losses+ items)))
    (append (mapcar function (up-to +told-losses+ items))
            (and more (list (format nil "~D more of the kind named last." more))))))

(defun losses ()
  "Sentences about what of this image a core does not carry."
  (append (some-losses #'descriptor-loss (open-descriptors))
          (some-losses #'timer-loss (sb-ext:list-all-timers))
          (some-losses #'program-loss (remove-if-not #'sb-ext:process-alive-p sb-impl::*active-processes*))
          (memory-losses)))

;;; Saving.

(defun end-with-condition (condition)
  "What becomes of an unhandled CONDITION where no harbor is to hear of it: its words are the process's last."
  (let ((words (sb-ext:string-to-octets (format nil "~A: ~A~%" (name-text (type-of condition)) (message-of condition)))))
    (sb-unix:unix-write 2 words 0 (length words))
    (sb-ext:exit :code 1 :abort t)))

(defun save-running-program ()
  "Has SBCL take its runtime from the file that runs, though that was deleted or replaced since."
  #+linux
  (when (sb-sys:find-foreign-symbol-address "sbcl_runtime")
    ;; Outside of Lisp, for the collector moves strings.
    (setf (sb-alien:extern-alien "sbcl_runtime" (* sb-alien:char)) (sb-alien:make-alien-string "/proc/self/exe"))))

(defun save-core (file)
  "Makes this process, a fork, the executable core FILE. The toplevel function of the core is RESTORE."
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

;;; Starting from one.

(defun forget-earlier-process ()
  "Puts away what only the process that was saved could have used."
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
  "The life of a branch. Timers and programs stay with the image that it was made from."
  (setf sb-impl::*active-processes* '())
  (unschedule-timers)
  (serve))

(define-operation "branch" (request)
  "Members: id. A fork of that number serves as a branch."
  (answer-with-fork (member-of request "id") #'serve-as-branch))
