;;;; Inspector parts of lists of every shape, strings, arrays and hash tables. Only the parts of the
;;;; requested page are accessed, so a million elements cost no more than fifty.

(in-package :lisp-harbor-agent)

;;; Lists.

(defun cycle-of (list)
  "Returns the number of conses before and in the cycle of LIST (Brent's algorithm), or NIL if LIST ends."
  (let ((power 1) (length 1) (tortoise list) (hare (cdr list)))
    (loop until (eq tortoise hare)
          do (when (atom hare) (return-from cycle-of nil))
             (when (= power length) (setf tortoise hare power (* 2 power) length 0))
             (setf hare (cdr hare))
             (incf length))
    (loop with start = list
          with ahead = (nthcdr length list)
          for before from 0
          until (eq start ahead)
          do (setf start (cdr start) ahead (cdr ahead))
          finally (return (values before length)))))

(defun list-shape (list)
  "Returns the number of conses of LIST and :PROPER, :DOTTED or :CIRCULAR. For a circular list also the index
at which the cycle begins."
  (multiple-value-bind (before length) (cycle-of list)
    (if before
        (values (+ before length) :circular before)
        (loop for rest = list then (cdr rest)
              while (consp rest)
              count t into count
              finally (return (values count (if rest :dotted :proper)))))))

(defmethod kind-of-object ((object cons))
  "list")

(defmethod facts-of ((object cons))
  (multiple-value-bind (count shape back-to) (list-shape object)
    (list (ecase shape
            (:proper (fact "length" "~D" count))
            (:dotted (fact "shape" "~D elements and a tail that is no list" count))
            (:circular (fact "shape" "circular: after element ~D comes element ~D again" (1- count) back-to))))))

(defmethod part-count ((object cons))
  (multiple-value-bind (count shape) (list-shape object)
    (if (eq shape :dotted) (1+ count) count)))

(defun element-part (cons number)
  (make-part :name (princ-to-digits number) :value (car cons) :setter (setter-of (car cons))))

(defun tail-part (last)
  (make-part :name "tail" :value (cdr last) :setter (setter-of (cdr last))))

(defmethod parts-between ((object cons) start end)
  (multiple-value-bind (count shape) (list-shape object)
    (append (loop for cons = (nthcdr start object) then (cdr cons)
                  for number from start below (min end count)
                  collect (element-part cons number))
            (when (and (eq shape :dotted) (<= start count (1- end)))
              (list (tail-part (nthcdr (1- count) object)))))))

;;; Arrays.

(defun princ-to-digits (natural)
  "Returns NATURAL in decimal digits, independently of the session's printer variables."
  (with-output-to-string (out) (write-digits natural out)))

(defun subscripts (array index)
  "Returns the subscripts of row-major INDEX of ARRAY."
  (loop with rest = index
        for dimension in (reverse (array-dimensions array))
        collect (mod rest dimension) into backwards
        do (setf rest (floor rest dimension))
        finally (return (reverse backwards))))

(defun array-element-part (array index)
  (make-part :name (if (= 1 (array-rank array))
                       (princ-to-digits index)
                       (format nil "(~{~A~^ ~})" (mapcar #'princ-to-digits (subscripts array index))))
             :value (row-major-aref array index)
             :setter (setter-of (row-major-aref array index))))

(defmethod kind-of-object ((object array))
  (typecase object
    (string "string")
    (vector "vector")
    (t "array")))

(defmethod facts-of ((object array))
  (append (if (vectorp object)
              (list (fact "length" "~D" (length object)))
              (list (fact "dimensions" "~{~D~^ x ~}" (array-dimensions object))))
          (and (array-has-fill-pointer-p object)
               (list (fact "fill pointer" "~D of ~D" (fill-pointer object) (array-total-size object))))
          (and (adjustable-array-p object) (list (fact "adjustable" "yes")))
          (list (fact "element type" "~A" (source-text-of (array-element-type object))))))

(defmethod part-count ((object array))
  (if (vectorp object) (length object) (array-total-size object)))

(defmethod parts-between ((object array) start end)
  (loop for index from start below (min end (part-count object))
        collect (array-element-part object index)))

(defmethod usual-limit ((object string))
  "Returns 0: a string is shown as text, and its single characters are rarely needed."
  0)

;;; Hash tables.

(defmethod kind-of-object ((object hash-table))
  "hash table")

(defmethod facts-of ((object hash-table))
  (append (list (fact "count" "~D" (hash-table-count object))
                (fact "test" "~A" (source-text-of (hash-table-test object)))
                (fact "keys" "the step `key N` of a path leads to the key of entry N"))
          (and (sb-ext:hash-table-weakness object)
               (list (fact "weakness" "~(~A~)" (sb-ext:hash-table-weakness object))))
          (and (sb-ext:hash-table-synchronized-p object) (list (fact "synchronized" "yes")))))

(defmethod part-count ((object hash-table))
  (hash-table-count object))

(defun entries-between (table start end)
  "Returns keys and values of TABLE as conses, from entry START below END, in the order of MAPHASH."
  (let ((entries '()) (number 0))
    (with-hash-table-iterator (next table)
      (loop
        (multiple-value-bind (more key value) (if (< number end) (next) nil)
          (unless more (return (nreverse entries)))
          (when (>= number start) (push (cons key value) entries))
          (incf number))))))

(defmethod parts-between ((object hash-table) start end)
  (loop for (key . value) in (entries-between object start end)
        collect (let ((key key))
                  (make-part :name (preview key) :value value :setter (setter-of (gethash key object))))))

(defmethod step-from ((object hash-table) step)
  (when (begins-with-p "key " step 0)
    (let* ((number (or (parse-integer step :start 4 :junk-allowed t) -1))
           (entry (and (<= 0 number) (first (entries-between object number (1+ number))))))
      (and entry (make-part :name step :value (car entry))))))
