;;;; Memory use of the image: its spaces, and the objects of the dynamic space by type. All other
;;;; threads are stopped while objects are counted, because counting is unsafe otherwise. The time is
;;;; bounded.

(in-package :lisp-harbor-agent)

(defconstant +counting-seconds+ 1 "Maximum CPU time for which the threads of the image are stopped.")
(defconstant +objects-between-looks+ 4096 "Number of objects counted between two checks of the clock.")

;;; Stopping the world, as the garbage collector does.

(defmacro runtime-call (name &optional (result 'sb-alien:void))
  `(sb-alien:alien-funcall (sb-alien:extern-alien ,name (function ,result))))

(defun call-with-world-stopped (function)
  "Calls FUNCTION while no other thread runs and returns its value. Takes the lock first, because two threads
that stop each other would deadlock."
  (sb-sys:without-interrupts
    (loop
      (sb-sys:without-gcing
        (when (= 1 (runtime-call "try_acquire_gc_lock" sb-alien:int))
          (runtime-call "gc_stop_the_world")
          (return (unwind-protect (funcall function)
                    (runtime-call "gc_start_the_world")
                    (runtime-call "release_gc_lock")))))
      (sb-thread:thread-yield))))

;;; Counting. It allocates little and takes no lock, because the thread that owns the lock is stopped.

(defstruct (type-count (:constructor make-type-count (type)))
  type                                  ; a class, or the widetag of objects without a class of their own
  (bytes 0 :type fixnum)
  (count 0 :type fixnum))

(defun has-class-p (type-code)
  (or (= type-code sb-vm:instance-widetag) (= type-code sb-vm:funcallable-instance-widetag)))

(defun count-of (object type-code counts)
  (let ((type (if (has-class-p type-code) (class-of object) type-code)))
    (or (gethash type counts)
        (setf (gethash type counts) (make-type-count type)))))

(defun count-objects ()
  "Returns a list of TYPE-COUNTs of the dynamic space. The second value is false if the time limit ended the
count."
  (let ((counts (make-hash-table :test 'eq :size 5000))
        (until-look +objects-between-looks+)
        (end (+ (get-internal-run-time) (* +counting-seconds+ internal-time-units-per-second)))
        (complete t))
    (declare (type fixnum until-look))
    (block counting
      (sb-vm:map-allocated-objects
       (lambda (object type-code size)
         (let ((count (count-of object type-code counts)))
           (incf (type-count-bytes count) size)
           (incf (type-count-count count)))
         (when (zerop (decf until-look))
           (setf until-look +objects-between-looks+)
           (when (> (get-internal-run-time) end)
             (setf complete nil)
             (return-from counting))))
       :dynamic))
    (list (loop for count being the hash-values of counts collect count) complete)))

;;; Results.

(defun counted-type-name (type)
  (if (integerp type)
      (widetag-name type)
      (name-text (class-name type))))

(defun merged-counts (counts)
  "Returns COUNTS as lists of name, bytes and count, most bytes first. Several widetags may share a name."
  (let ((by-name (make-hash-table :test 'equal)))
    (dolist (count counts)
      (let ((entry (or (gethash (counted-type-name (type-count-type count)) by-name)
                       (setf (gethash (counted-type-name (type-count-type count)) by-name) (list 0 0)))))
        (incf (first entry) (type-count-bytes count))
        (incf (second entry) (type-count-count count))))
    (sort (entries by-name) #'> :key #'second)))

(defparameter +spaces+
  '(("dynamic" . "DYNAMIC-USAGE") ("immobile" . "IMMOBILE-SPACE-USAGE") ("read-only" . "READ-ONLY-SPACE-USAGE")
    ("static" . "STATIC-SPACE-USAGE"))
  "The spaces of the heap and the functions that return their usage. Not every SBCL has all of them.")

(defun spaces-data ()
  (loop for (name . function) in +spaces+
        for symbol = (find-symbol function "SB-KERNEL")
        when (and symbol (fboundp symbol))
          collect (object "name" name "bytes" (values (funcall symbol)))))

(defun types-data (types)
  (loop for (name bytes count) in types
        collect (object "name" name "bytes" bytes "count" count)))

(define-query "memory" (arguments)
  "Arguments: limit. Returns the usage of the heap, its spaces, and the LIMIT types with the most bytes. See
Memory in electron/contract/model.ts."
  (destructuring-bind (counts complete) (call-with-world-stopped #'count-objects)
    (let* ((types (merged-counts counts))
           (limit (member-of arguments "limit"))
           (others (nthcdr limit types)))
      (object "used" (sb-kernel:dynamic-usage)
              "size" (sb-ext:dynamic-space-size)
              "spaces" (spaces-data)
              "types" (types-data (up-to limit types))
              "others" (object "types" (length others)
                               "bytes" (reduce #'+ others :key #'second)
                               "count" (reduce #'+ others :key #'third))
              "counted" (reduce #'+ types :key #'second)
              "complete" (if complete :true :false)))))
