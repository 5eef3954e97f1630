;;;; Facts about objects that have no useful parts: numbers, characters, pathnames, streams. Facts are
;;;; texts and cannot be inspected further.

(in-package :lisp-harbor-agent)

(defmacro define-atom (class kind (object) &body facts)
  "Defines the inspection of objects of CLASS: they are called KIND and have no parts. FACTS are their facts."
  `(progn
     (defmethod kind-of-object ((,object ,class)) ,kind)
     (defmethod facts-of ((,object ,class)) ,@facts)
     (defmethod part-count ((,object ,class)) 0)
     (defmethod parts-between ((,object ,class) start end)
       (declare (ignore start end))
       '())))

(define-atom integer "integer" (object)
  (if (> (integer-length object) 10000)
      (list (fact "size" "~D bits" (integer-length object)))
      (list (fact "hexadecimal" "~:[~;-~]#x~X" (minusp object) (abs object))
            (fact "size" "~D bit~:P" (integer-length object)))))

(define-atom ratio "ratio" (object)
  (list (fact "about" "~A" (preview (handler-case (coerce object 'double-float)
                                      (arithmetic-error () :out-of-range))))))

(define-atom float "float" (object)
  (cond ((sb-ext:float-nan-p object) (list (fact "value" "not a number")))
        ((sb-ext:float-infinity-p object) (list (fact "value" "infinity")))
        (t (list (fact "exactly" "~A" (preview (rational object)))
                 (fact "format" "~A" (source-text-of (type-of object)))))))

(define-atom complex "complex" (object)
  (list (fact "real part" "~A" (preview (realpart object)))
        (fact "imaginary part" "~A" (preview (imagpart object)))
        (fact "magnitude" "~A" (preview (abs object)))))

(define-atom character "character" (object)
  (list (fact "code" "~D, U+~4,'0X" (char-code object) (char-code object))
        (fact "name" "~A" (or (char-name object) "none"))))

(define-atom pathname "pathname" (object)
  (let ((file (ignore-errors (probe-file object))))
    (append (list (fact "namestring" "~A" (or (ignore-errors (namestring object)) "none"))
                  (fact "exists" "~:[no~;yes~]" file))
            (and file (list (fact "true name" "~A" (sb-ext:native-namestring file)))))))

(defmethod kind-of-object ((object stream))
  "stream")

(defmethod facts-of ((object stream))
  (append (list (fact "open" "~:[no~;yes~]" (open-stream-p object))
                (fact "direction" "~:[~;input ~]~:[~;output~]"
                      (input-stream-p object) (output-stream-p object)))
          (ignore-errors (list (fact "element type" "~A" (source-text-of (stream-element-type object)))))
          (and (typep object 'file-stream)
               (ignore-errors (list (fact "file" "~A" (sb-ext:native-namestring (pathname object))))))
          (and (typep object 'sb-sys:fd-stream)
               (ignore-errors (list (fact "external format" "~A"
                                          (source-text-of (stream-external-format object))))))))
