;;;; Attempts by how text is read and names are written: packages, symbols, reader macros, keyword commands, escapes.
;;;; The format is that of theorems.lisp.

;;; a read-time evaluation => unread
#.(cw "ran")

;;; a read-time evaluation inside of a theorem => unread
(thm (equal '#.(+ 1 2) 4))

;;; an evaluation at load time => unread
#,(cw "ran")

;;; an evaluation at load time inside of a theorem => unread
(thm (equal '#,(+ 1 2) 4))

;;; a constant that an evaluation at load time sets => admitted unread
(defconst *c* 1)
(thm (equal #,(setq *c* 2) 2))

;;; a constant at read time that is defined later => admitted failed
(defconst *c* nil)
(thm '#.*c*)

;;; a feature that is not there makes a theorem of nothing => failed
(thm (or #+no-such-feature t nil))

;;; a feature that is there => proved
(thm (or #+acl2-loop-only nil #-acl2-loop-only t))

;;; a comment swallows the falsehood and more => failed
(thm #|nil|# nil)

;;; a comment that does not end => failed
(thm nil) #| (thm t)

;;; a string that does not end => proved unread
(thm t) "(thm nil)

;;; a vector is no object of ACL2 => unread
(thm (equal #(1 2) '#(1 2)))

;;; a pathname is no object of ACL2 => unread
(thm (equal #p"a" nil))

;;; a floating point number is no object of ACL2 => unread
(thm (equal 1.5 3/2))

;;; a complex number of floats => unread
(thm (equal #c(1.0 0) 1))

;;; a structure is no object of ACL2 => unread
(thm (equal #s(thing :a 1) nil))

;;; a pathname by another macro => unread
(thm (equal #"a" nil))

;;; a state of random numbers => unread
(thm (equal #$3 nil))

;;; a list that holds itself => unread
(thm (equal '#1=(a . #1#) nil))

;;; a label that stands for nothing => unread
(thm (equal '#1# nil))

;;; a label of another form => value unread
(list '#1=(a b))
(thm (equal '#1# nil))

;;; two labels of one object => proved
(thm (equal '#1=#2=(a b) '#2#))

;;; an uninterned symbol => unread
(thm (equal '#:a '#:a))

;;; a bit vector => unread
(thm (equal #*101 5))

;;; a symbol of Lisp's own package => unread
(defun common-lisp-user::evil (x) x)

;;; a symbol of the host's => unread
(thm (equal (system::evil x) x))

;;; a symbol of raw ACL2 functions => unread
(acl2_*1*_acl2::car 3)

;;; a symbol of global variables => unread
(assign acl2_global_acl2::ttags-allowed :all)

;;; a keyword is no function => failed
(defun :evil (x) x)

;;; a function named like a variable that is always true => failed
(defun t (x) x)

;;; a constant t of one's own package is another symbol => admitted failed
(defpkg "MINE-1" nil)
(thm mine-1::t)

;;; nil of another package is a variable => admitted failed
(defpkg "MINE-2" nil)
(thm mine-2::nil)

;;; a package that imports nil under no other name => admitted failed
(defpkg "MINE-3" '(acl2::nil))
(thm mine-3::nil)

;;; a package whose thm is something else => admitted admitted value
(defpkg "MINE-4" '(acl2::defmacro acl2::value acl2::&rest acl2::quote acl2::declare acl2::ignore))
(defmacro mine-4::thm (&rest args) (declare (ignore args)) '(value :proved))
(mine-4::thm nil)

;;; a theorem called as another operator's name between bars => admitted value
(defmacro |thm| (&rest args) (declare (ignore args)) '(value :proved))
(|thm| nil)

;;; a macro called THM with a space => admitted value
(defmacro |THM | (&rest args) (declare (ignore args)) '(value :proved))
(|THM | nil)

;;; a name with a newline that looks like a line of ours => admitted value
(defmacro |A
THM: proved| () '(value 3))
(|A
THM: proved|)

;;; a theorem named nil => failed
(defthm nil nil :rule-classes nil)

;;; a theorem with the name of a function of ACL2's => failed
(defthm car nil :rule-classes nil)

;;; a theorem that is named by a string => failed
(defthm "evil" nil :rule-classes nil)

;;; a theorem under a name that looks the same => failed
(defthm cаr-cons (equal (car (cons x y)) y) :rule-classes nil)

;;; a function under a name that looks the same => admitted failed
(defun |eqυal| (x y) (declare (ignore x y)) t)
(thm (equal 1 2))

;;; a keyword command that undoes and admits => value failed
:pbt 0
:thm nil

;;; a keyword command takes the next line => error
:pl
nil

;;; a string changes the package => value failed
"KEYWORD"
(acl2::thm acl2::nil)

;;; a string that is no package => value failed
"NO-SUCH"
(thm nil)

;;; a quotation without what it quotes => unread
(thm ')

;;; a comma outside of a backquote => unread
(thm ,nil)

;;; a dotted theorem => error
(thm . nil)

;;; a theorem of nothing => error
(thm)

;;; a theorem with two formulas => error
(thm t nil)

;;; a definition with two bodies => failed
(defun f (x) x (not x))

;;; a number with a sign too many => failed
(thm (equal +-1 1))

;;; a character that has no name => unread
(thm (equal #\NoSuch #\a))

;;; a backslash hides the end => unread
(thm nil\)

;;; the case of letters makes two symbols one => failed
(thm (equal '|car| 'car))

;;; the case of characters makes two equal => failed
(thm (equal #\a #\A))

;;; an empty symbol => admitted failed
(defun || (x) (not x))
(thm (equal (|| x) x))

;;; the import of a symbol under one's own package's name => admitted failed
(defpkg "MINE-5" '(acl2::append))
(thm (equal 'mine-5::append 'mine-5::other))

;;; a package that is defined again with other imports => admitted failed
(defpkg "MINE-6" '(acl2::car))
(defpkg "MINE-6" '(acl2::cdr))

;;; a package of Lisp's is defined => error
(defpkg "COMMON-LISP-USER" nil)

;;; a package with an empty name => failed
(defpkg "" nil)

;;; the symbol of a package has another package's name => admitted failed
(defpkg "MINE-7" nil)
(thm (equal (symbol-package-name 'mine-7::a) "ACL2"))
