;;;; On SBCL, a form that exhausts memory is ended while the garbage collector still has space;
;;;; otherwise SBCL would end the process. GCL has no such hook, so the harbor watches how the process
;;;; spends its time (images/acl2/evaluation-monitor.ts).

(in-package "LISP-HARBOR-ACL2")

(defvar *memory-was-full* nil "Whether a form of this request was ended because memory was exhausted.")

#+sbcl
(defvar *bytes-between-collections* (sb-ext:bytes-consed-between-gcs)
  "SBCL's default for the size of the memory. ACL2's SET-GC-THRESHOLD$ may set another, for which there may be no space.")

#+sbcl
(defun end-form-for-memory ()
  "Does not return. A proof is not stopped softly, because that might need more memory."
  (setq *memory-was-full* t
        *stop* t)
  (end-form "memory is exhausted"))

#+sbcl
(defun end-form-in-full-memory (thread)
  "Runs after each collection, in the thread that collected or in a separate one, depending on the version of SBCL. The form
may have ended when its THREAD is notified."
  (let ((form *form*))
    (when (and form (lisp-harbor-room:nearly-full-p (sb-kernel:dynamic-usage)))
      (sb-thread:interrupt-thread thread
                                  (lambda ()
                                    (when (eq form *form*)
                                      (sb-sys:with-interrupts (end-form-for-memory))))))))

(defun forget-full-memory ()
  "Runs before each request."
  (setq *memory-was-full* nil)
  #+sbcl (setf (sb-ext:bytes-consed-between-gcs) *bytes-between-collections*))

(defun reclaim-memory ()
  "Collects the garbage of an ended form, so that it does not count against the next one."
  #+sbcl (when *memory-was-full* (sb-ext:gc :full t)))

(defun install-memory-limit ()
  #+sbcl (let ((thread sb-thread:*current-thread*))
           (push (lambda () (end-form-in-full-memory thread)) sb-ext:*after-gc-hooks*)))
