;;;; Differences between versions of SBCL. 2.2.9 is the oldest supported version; newer ones have
;;;; renamed some internals. All version-dependent code is in this file.

(in-package :lisp-harbor-agent)

(defun top-level-form-name-p (name)
  "Reports whether NAME names a function into which a top-level form of a file was compiled: a list up to 2.2,
then a text."
  (or (equal name "top level form")
      (and (consp name) (eq (first name) 'sb-c::top-level-form))))

(defun internal-of-vm (name)
  "Returns the symbol NAME of SB-VM, or NIL if this version has none."
  (find-symbol name "SB-VM"))

(defun widetag-constant-name (widetag)
  "Returns the name of the constant for WIDETAG without its suffix."
  (let ((ending "-WIDETAG"))
    (do-symbols (symbol "SB-VM" "unknown")
      (let* ((name (symbol-name symbol))
             (start (search ending name :from-end t)))
        (when (and start (= (+ start (length ending)) (length name))
                   (constantp symbol) (eql (symbol-value symbol) widetag))
          (return (subseq name 0 start)))))))

(defun widetag-name (widetag)
  "Returns the name of the kind of objects with WIDETAG. 2.2 and 2.5 have a table for ROOM, 2.6 only has the
constants."
  (let ((table (internal-of-vm "*ROOM-INFO*")))
    (if table
        (let ((info (aref (symbol-value table) widetag)))
          (if info (symbol-name (funcall (internal-of-vm "ROOM-INFO-TYPE-NAME") info)) "unknown"))
        (widetag-constant-name widetag))))
