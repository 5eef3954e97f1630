;;;; On SBCL a form that fills the memory is ended while the collector still has room, without which it ends the process.
;;;; GCL has none of this: there the harbor watches what the time goes into (images/acl2/memory-watch.ts).

(in-package "LISP-HARBOR-ACL2")

(defvar *memory-was-full* nil "Whether a form of this request was ended for want of memory.")

#+sbcl
(defvar *bytes-between-collections* (sb-ext:bytes-consed-between-gcs)
  "As SBCL takes it from the size of the memory. ACL2's SET-GC-THRESHOLD$ sets any other, for which there may be no room.")

#+sbcl
(defun end-form-for-memory ()
  "Does not return. No proof is let stop by itself: it might need more."
  (setq *memory-was-full* t
        *stop* t)
  (end-form "its memory was full"))

#+sbcl
(defun end-form-in-full-memory (thread)
  "Runs after each collection, in the thread that has collected or in one for that, as it is in this SBCL. The form may be over
when its THREAD hears of it."
  (let ((form *form*))
    (when (and form (lisp-harbor-room:nearly-full-p (sb-kernel:dynamic-usage)))
      (sb-thread:interrupt-thread thread
                                  (lambda ()
                                    (when (eq form *form*)
                                      (sb-sys:with-interrupts (end-form-for-memory))))))))

(defun forget-full-memory ()
  "Before each request."
  (setq *memory-was-full* nil)
  #+sbcl (setf (sb-ext:bytes-consed-between-gcs) *bytes-between-collections*))

(defun reclaim-memory ()
  "Collects what an ended form held, before that counts against the next one."
  #+sbcl (when *memory-was-full* (sb-ext:gc :full t)))

(defun install-memory-limit ()
  #+sbcl (let ((thread sb-thread:*current-thread*))
           (push (lambda () (end-form-in-full-memory thread)) sb-ext:*after-gc-hooks*)))
