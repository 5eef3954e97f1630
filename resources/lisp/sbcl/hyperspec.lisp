;;;; Pages of the Common Lisp HyperSpec from a local copy: in the CLHS system, as Quicklisp installs
;;;; it, or in the folder of Debian's package. Its license forbids redistribution, so the application
;;;; contains no copy.

(in-package :lisp-harbor-agent)

(defparameter +hyperspec-folders+ '("/usr/share/doc/hyperspec/" "/usr/share/doc/hyperspec/HyperSpec/")
  "Folders that may contain a copy, in addition to the CLHS system.")

(defun hyperspec-folders ()
  (let ((system (asdf:find-system "clhs" nil)))
    (append (and system (list (asdf:system-relative-pathname system "HyperSpec-7-0/HyperSpec/")))
            (mapcar #'sb-ext:parse-native-namestring +hyperspec-folders+))))

(defun hyperspec-index (folder)
  (probe-file (merge-pathnames "Data/Map_Sym.txt" folder)))

(defun page-of-symbol (name index)
  "Returns the file about the symbol NAME from the folder of INDEX, in which the line after each symbol names
its page."
  (with-open-file (in index :external-format :latin-1)
    (loop for symbol = (read-line in nil)
          for page = (read-line in nil)
          while page
            when (string-equal symbol name) return page)))

(defun latin-1-text (file)
  (with-open-file (in file :external-format :latin-1)
    (let ((text (make-string (file-length in))))
      (subseq text 0 (read-sequence text in)))))

(defun lisp-harbor:hyperspec-page (&key symbol page)
  "Returns the HTML of the HyperSpec page about SYMBOL, a name, or of its file PAGE. The second value is its
path. Both are NIL if there is none."
  (let ((index (some #'hyperspec-index (hyperspec-folders))))
    (when index
      (let* ((name (if symbol
                       (page-of-symbol symbol index)
                       (concatenate 'string "../Body/" page)))
             (file (and name (probe-file (merge-pathnames (sb-ext:parse-native-namestring name) index)))))
        (when file
          (values (latin-1-text file) (sb-ext:native-namestring file)))))))
