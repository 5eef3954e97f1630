;;;; The commands of the logical world: a stack of forms, of which each may have brought many events.
;;;; Places count them from 1, whatever RESET-PREHISTORY did; numbers count as :PBT and :UBT do.

(in-package "LISP-HARBOR-ACL2")

(defconstant +events-told+ 60 "Of each command, the last ones: the outer event of an ENCAPSULATE or a book comes last.")

(defvar *project* nil "The folder in which relative names of books are understood, unless a command had another.")

(defvar *files* (make-hash-table :test 'eq)
  "From the tuples of commands to the files that they were loaded from.")

(defvar *file* nil
  "The file that commands come from now, if they come from one.")

(defun baseline (key)
  "An absolute command number: the last one of ACL2 itself (:ORIGINAL), or that which numbers are relative to (:CURRENT)."
  (let ((info (world-global 'acl2::command-number-baseline-info)))
    (ecase key
      (:original (acl2::access acl2::command-number-baseline-info info :original))
      (:current (acl2::access acl2::command-number-baseline-info info :current)))))

(defun place-number (place) (- (+ place (baseline :original)) (baseline :current)))
(defun number-place (number) (- (+ number (baseline :current)) (baseline :original)))

(defun last-place (world)
  (- (acl2::max-absolute-command-number world) (baseline :original)))

(defun place-tail (place world)
  "The tail of WORLD that begins with the landmark of the command at PLACE; 0 is the end of ACL2's own world."
  (acl2::lookup-world-index 'acl2::command (+ place (baseline :original)) world))

(defun place-command (place)
  "The command tuple at PLACE."
  (cddr (car (place-tail place (world)))))

(defun last-common-place (old)
  "The place of the last command that the world OLD and the present one share."
  (do ((place (min (last-place old) (last-place (world))) (1- place)))
      ((or (eql place 0)
           (eq (place-tail place old) (place-tail place (world))))
       place)))

(defun note-file (old)
  "The commands that are in the world since it was OLD come from *FILE*."
  (when *file*
    (do ((first (last-common-place old))
         (place (last-place (world)) (1- place)))
        ((<= place first))
      (setf (gethash (place-command place) *files*) *file*))))

(defvar *run-times* (make-hash-table :test 'eq) "From command tuples to what carrying them out has taken, in the host's units.")

(defun note-run-time (old began)
  "Of what has made the present world of OLD. Where that were several commands the last stands for all."
  (unless (or (eq (world) old) (eql (last-place (world)) 0))
    (setf (gethash (place-command (last-place (world))) *run-times*)
          (- (get-internal-run-time) began))))

(defun command-folder (command)
  "NIL where it is the project."
  (let ((folder (acl2::access-command-tuple-cbd command)))
    (and (stringp folder)
         (not (equal folder *project*))
         folder)))

(defun command-form (command)
  "Its form as text, whole, which reads back in package ACL2."
  (one-line (acl2::access-command-tuple-form command) most-positive-fixnum))

(defun command-source (place)
  "All that is needed to submit the command at PLACE again."
  (let ((command (place-command place)))
    (object "form" (command-form command)
            "folder" (command-folder command)
            "file" (gethash command *files*))))

(defun sources-after (place)
  (do ((last (last-place (world)) (1- last))
       (sources '() (cons (command-source last) sources)))
      ((<= last place) sources)))

;;; Changes: what forms have done to the stack, told so that it can be built again in another process. One after another they
;;; give the stack: so many of its commands are kept, then these were added.

(defvar *told-world* nil "The world that all changes that were told come to.")

(defvar *telling-changes* t "NIL while a form of the harbor's own takes the stack apart: it tells all of it at its end.")

(defun change-to-tell ()
  "The change since one was told, and NIL where there is none."
  (when (and *telling-changes*
             (not (eq (world) *told-world*)))
    (let ((kept (last-common-place *told-world*)))
      (setq *told-world* (world))
      (object "kept" kept
              "added" (array-of (sources-after kept))))))

;;; What :PBT marks with letters.

(defun rule-status (event)
  "Whether the rules of EVENT are enabled; NIL where it has none."
  (let ((enabled (state-global 'acl2::global-enabled-structure)))
    (case (acl2::big-d-little-d-event event enabled (world))
      (#\E "enabled")
      (#\D "disabled")
      (#\d "partly"))))

(defun mark (name)
  "The mode of a function, and whether its guards, or those of a theorem, are verified; NIL for anything else."
  (let ((function (acl2::function-symbolp name (world)))
        (class (acl2::symbol-class name (world))))
    (when (or function (acl2::getpropc name 'acl2::theorem nil (world)))
      (object "name" (one-line name)
              "mode" (and function (if (eq class :program) "program" "logic"))
              "guards_verified" (truth (eq class :common-lisp-compliant))))))

(defun marks (event)
  (remove nil (mapcar #'mark (remove-if-not #'symbolp (event-names event)))))

(defun marked-event-object (event)
  (append (event-object event)
          (list "rules" (rule-status event)
                "marks" (array-of (marks event)))))

(defun command-events (place)
  "The last events of the command at PLACE, oldest first, and how many it has."
  (multiple-value-bind (events count)
      (events-of (acl2::access-command-tuple-form (place-command place))
                 (place-tail (1- place) (world))
                 (place-tail place (world)))
    (values (last events +events-told+) count)))

(defun embeddable-p (form)
  "Whether FORM may stand in a book. ACL2 says why not, which nobody hears."
  (let ((answer '(t)))
    (with-printed-to-string
      (or-else nil
        (setq answer (multiple-value-list
                      (acl2::chk-embedded-event-form form nil (world) 'acl2::harbor (state)
                                                     (acl2::primitive-event-macros) nil nil nil)))))
    (not (first answer))))

(defun packages-at (place)
  "Names of the packages that are known when the command at PLACE is over."
  (package-names (acl2::global-val 'acl2::known-package-alist (place-tail place (world)))))

(defun new-packages (place events)
  "Names of the packages that the command at PLACE, whose last events are EVENTS, made known."
  (and (some (lambda (event) (member (acl2::access-event-tuple-type event) '(acl2::defpkg acl2::include-book)))
             events)
       (set-difference (packages-at place) (packages-at (1- place)) :test #'string=)))

(defun pretty-source (form)
  "FORM as ACL2 prints it in package ACL2, which reads back the same: the session may have set how numbers are printed."
  (let ((package (acl2::current-package (state))))
    (enter-package "ACL2")
    (unwind-protect
        (let* ((text (as-acl2-prints form most-positive-fixnum))
               (channel (make-string-channel text)))
          (if (equal (second (multiple-value-list (read-form channel))) form)
              text
              (one-line form most-positive-fixnum)))
      (enter-package package))))

(defun command-object (place source)
  "With SOURCE true its text is that of a source file."
  (multiple-value-bind (events count) (command-events place)
    (let* ((command (place-command place))
           (form (acl2::access-command-tuple-form command)))
      (append (command-source place)
              (list "number" (place-number place)
                    "text" (if source (pretty-source form) (as-acl2-prints form))
                    "packages" (array-of (new-packages place events))
                    "embeddable" (truth (embeddable-p form))
                    "events" (array-of (mapcar #'marked-event-object events))
                    "event_count" count)))))

(defun commands-object (from limit source)
  "LIMIT commands, oldest first, from that of number FROM on; from the first one for NIL. SOURCE as for COMMAND-OBJECT."
  (let* ((count (last-place (world)))
         (first (if from (max 1 (number-place from)) 1))
         (objects '()))
    (do ((place (min count (+ first limit -1)) (1- place)))
        ((< place first))
      (push (command-object place source) objects))
    (object "commands" (array-of objects)
            "total" count)))
