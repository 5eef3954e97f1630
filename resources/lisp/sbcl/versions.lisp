;;;; Where versions of SBCL differ. 2.2.9 is the oldest that the agent runs on, and newer ones have renamed some
;;;; internals. Whatever depends on a version is asked here.

(in-package :lisp-harbor-agent)

(defun top-level-form-name-p (name)
  "Whether a function is called NAME into which a top-level form of a file was compiled: a list until 2.2, then a text."
  (or (equal name "top level form")
      (and (consp name) (eq (first name) 'sb-c::top-level-form))))

(defun internal-of-vm (name)
  "The symbol NAME of SB-VM, or NIL where this version has none."
  (find-symbol name "SB-VM"))

(defun widetag-constant-name (widetag)
  "What the constant of WIDETAG is called, without its ending."
  (let ((ending "-WIDETAG"))
    (do-symbols (symbol "SB-VM" "unknown")
      (let* ((name (symbol-name symbol))
             (start (search ending name :from-end t)))
        (when (and start (= (+ start (length ending)) (length name))
                   (constantp symbol) (eql (symbol-value symbol) widetag))
          (return (subseq name 0 start)))))))

(defun widetag-name (widetag)
  "The name of the kind of objects that have WIDETAG: 2.2 and 2.5 have a table for ROOM, 2.6 has the constants only."
  (let ((table (internal-of-vm "*ROOM-INFO*")))
    (if table
        (let ((info (aref (symbol-value table) widetag)))
          (if info (symbol-name (funcall (internal-of-vm "ROOM-INFO-TYPE-NAME") info)) "unknown"))
        (widetag-constant-name widetag))))
