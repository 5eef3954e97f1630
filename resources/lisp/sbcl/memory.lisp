;;;; What fills the memory of the image: its spaces, and the objects of the dynamic one by type.
;;;; All threads stand still while objects are counted, for a bounded time: no other count would be safe.

(in-package :lisp-harbor-agent)

(defconstant +counting-seconds+ 1 "CPU time for which the threads of the image stand still at most.")
(defconstant +objects-between-looks+ 4096 "Objects counted from one look at the clock to the next.")

;;; Standing still, as for the collector.

(defmacro runtime-call (name &optional (result 'sb-alien:void))
  `(sb-alien:alien-funcall (sb-alien:extern-alien ,name (function ,result))))

(defun call-with-world-stopped (function)
  "The value of FUNCTION, called while no other thread runs. The lock comes first: two threads that stop each other would
wait for ever."
  (sb-sys:without-interrupts
    (loop
      (sb-sys:without-gcing
        (when (= 1 (runtime-call "try_acquire_gc_lock" sb-alien:int))
          (runtime-call "gc_stop_the_world")
          (return (unwind-protect (funcall function)
                    (runtime-call "gc_start_the_world")
                    (runtime-call "release_gc_lock")))))
      (sb-thread:thread-yield))))

;;; Counting. Little is allocated on the way, and no lock is taken: whoever holds one stands still.

(defstruct (type-count (:constructor make-type-count (type)))
  type                                  ; a class, or the type code of what has none of its own
  (bytes 0 :type fixnum)
  (count 0 :type fixnum))

(defun has-class-p (type-code)
  (or (= type-code sb-vm:instance-widetag) (= type-code sb-vm:funcallable-instance-widetag)))

(defun count-of (object type-code counts)
  (let ((type (if (has-class-p type-code) (class-of object) type-code)))
    (or (gethash type counts)
        (setf (gethash type counts) (make-type-count type)))))

(defun count-objects ()
  "A list of TYPE-COUNTs of the dynamic space, and whether they are all: the clock may have ended the count."
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

;;; Telling.

(defun counted-type-name (type)
  (if (integerp type)
      (widetag-name type)
      (name-text (class-name type))))

(defun merged-counts (counts)
  "COUNTS as lists of name, bytes and count, most bytes first; several type codes may have one name."
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
  "The spaces of the heap and the functions that know how much of each is used, where this SBCL has them.")

(defun spaces-data ()
  (loop for (name . function) in +spaces+
        for symbol = (find-symbol function "SB-KERNEL")
        when (and symbol (fboundp symbol))
          collect (object "name" name "bytes" (values (funcall symbol)))))

(defun types-data (types)
  (loop for (name bytes count) in types
        collect (object "name" name "bytes" bytes "count" count)))

(define-query "memory" (arguments)
  "Arguments: limit. Answers how much of the heap is used, its spaces, and the LIMIT types with the most bytes; see
Memory in electron/contract/memory.ts."
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
