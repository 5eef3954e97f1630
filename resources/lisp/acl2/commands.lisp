;;;; The commands of the logical world: a stack of forms, each of which may have many events. A place
;;;; counts commands from 1, regardless of RESET-PREHISTORY; a number is that of :PBT and :UBT.

(in-package "LISP-HARBOR-ACL2")

(defconstant +events-told+ 60 "Maximum events of a command, the last ones: the outer event of an ENCAPSULATE or a book is
last.")

(defvar *project* nil "The folder for relative book names, unless a command has another.")

(defvar *files* (make-hash-table :test 'eq)
  "Files that commands were loaded from, by command tuple.")

(defvar *file* nil
  "The file that current commands come from; NIL for none.")

(defun baseline (key)
  "An absolute command number: the last one of ACL2 itself (:ORIGINAL), or the one that numbers are relative to (:CURRENT)."
  (let ((info (world-global 'acl2::command-number-baseline-info)))
    (ecase key
      (:original (acl2::access acl2::command-number-baseline-info info :original))
      (:current (acl2::access acl2::command-number-baseline-info info :current)))))

(defun place-number (place) (- (+ place (baseline :original)) (baseline :current)))
(defun number-place (number) (- (+ number (baseline :current)) (baseline :original)))

(defun last-place (world)
  (- (acl2::max-absolute-command-number world) (baseline :original)))

(defun place-tail (place world)
  "The tail of WORLD that starts with the landmark of the command at PLACE; 0 is the end of ACL2's own world."
  (acl2::lookup-world-index 'acl2::command (+ place (baseline :original)) world))

(defun place-command (place)
  "The command tuple at PLACE."
  (cddr (car (place-tail place (world)))))

(defun last-common-place (old)
  "The place of the last command that OLD and the current world share."
  (do ((place (min (last-place old) (last-place (world))) (1- place)))
      ((or (eql place 0)
           (eq (place-tail place old) (place-tail place (world))))
       place)))

(defun note-file (old)
  "Records *FILE* as the file of the commands added since OLD."
  (when *file*
    (do ((first (last-common-place old))
         (place (last-place (world)) (1- place)))
        ((<= place first))
      (setf (gethash (place-command place) *files*) *file*))))

(defvar *run-times* (make-hash-table :test 'eq) "Run times of commands in the host's units, by command tuple.")

(defun note-run-time (old began)
  "Records the run time of the commands added since OLD. The last of several commands stands for all."
  (unless (or (eq (world) old) (eql (last-place (world)) 0))
    (setf (gethash (place-command (last-place (world))) *run-times*)
          (- (get-internal-run-time) began))))

(defun command-folder (command)
  "NIL if it is the project."
  (let ((folder (acl2::access-command-tuple-cbd command)))
    (and (stringp folder)
         (not (equal folder *project*))
         folder)))

(defun command-form (command)
  "The complete form as text that is readable in package ACL2."
  (one-line (acl2::access-command-tuple-form command) most-positive-fixnum))

(defun command-source (place)
  "Everything needed to submit the command at PLACE again."
  (let ((command (place-command place)))
    (object "form" (command-form command)
            "folder" (command-folder command)
            "file" (gethash command *files*))))

(defun sources-after (place)
  (do ((last (last-place (world)) (1- last))
       (sources '() (cons (command-source last) sources)))
      ((<= last place) sources)))

;;; Changes: what forms did to the stack of commands, so that another process can rebuild it. Each
;;; change keeps a number of commands and adds others. All changes in sequence result in the stack.

(defvar *told-world* nil "The world that all reported changes result in.")

(defvar *telling-changes* t "NIL while a form of the harbor takes the stack apart. It reports the complete change at its
end.")

(defun change-to-tell ()
  "The change since the last report; NIL for none."
  (when (and *telling-changes*
             (not (eq (world) *told-world*)))
    (let ((kept (last-common-place *told-world*)))
      (setq *told-world* (world))
      (object "kept" kept
              "added" (array-of (sources-after kept))))))

;;; The marks that :PBT shows as letters.

(defun rule-status (event)
  "Whether the rules of EVENT are enabled; NIL if it has none."
  (let ((enabled (state-global 'acl2::global-enabled-structure)))
    (case (acl2::big-d-little-d-event event enabled (world))
      (#\E "enabled")
      (#\D "disabled")
      (#\d "partly"))))

(defun mark (name)
  "The mode of a function, and whether guards of a function or theorem are verified; NIL for anything else."
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
  "The last events of the command at PLACE, oldest first, and their total number."
  (multiple-value-bind (events count)
      (events-of (acl2::access-command-tuple-form (place-command place))
                 (place-tail (1- place) (world))
                 (place-tail place (world)))
    (values (last events +events-told+) count)))

(defun embeddable-p (form)
  "Reports whether FORM may occur in a book. ACL2's reason is not printed."
  (let ((answer '(t)))
    (with-printed-to-string
      (or-else nil
        (setq answer (multiple-value-list
                      (acl2::chk-embedded-event-form form nil (world) 'acl2::harbor (state)
                                                     (acl2::primitive-event-macros) nil nil nil)))))
    (not (first answer))))

(defun packages-at (place)
  "Names of the packages that exist after the command at PLACE."
  (package-names (acl2::global-val 'acl2::known-package-alist (place-tail place (world)))))

(defun new-packages (place events)
  "Names of the packages introduced by the command at PLACE, whose last events are EVENTS."
  (and (some (lambda (event) (member (acl2::access-event-tuple-type event) '(acl2::defpkg acl2::include-book)))
             events)
       (set-difference (packages-at place) (packages-at (1- place)) :test #'string=)))

(defun pretty-source (form)
  "FORM as ACL2 prints it in package ACL2, readable regardless of the session's print settings for numbers."
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
  "With SOURCE the text is that of a source file."
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
  "LIMIT commands, oldest first, from number FROM on; from the first for NIL. SOURCE as in COMMAND-OBJECT."
  (let* ((count (last-place (world)))
         (first (if from (max 1 (number-place from)) 1))
         (objects '()))
    (do ((place (min count (+ first limit -1)) (1- place)))
        ((< place first))
      (push (command-object place source) objects))
    (object "commands" (array-of objects)
            "total" count)))

;;; Source texts of commands, as they were evaluated.

(defun only-form (text)
  "The only form of TEXT, in a list; NIL if ACL2 does not read exactly one."
  (let ((channel (make-string-channel text)))
    (unwind-protect
        (multiple-value-bind (kind form keyword-command) (read-form channel)
          (and (eq kind :form)
               (not keyword-command)
               (eq (read-form channel) :end)
               (list form)))
      (forget-channel channel))))

(defun forms-in (texts)
  "From the forms of TEXTS, as read in package ACL2, to the index of the last that has it."
  (let ((indices (make-hash-table :test 'equal))
        (package (acl2::current-package (state)))
        (index 0))
    (enter-package "ACL2")
    (unwind-protect
        (dolist (text texts indices)
          (let ((form (unless-it-fails (only-form text))))
            (when form (setf (gethash (first form) indices) index)))
          (incf index))
      (enter-package package))))

(defun parts (text lengths)
  (let ((start 0))
    (mapcar (lambda (length) (subseq text start (incf start length))) lengths)))

(defun written-objects (indices)
  (let ((objects '()))
    (do ((place (last-place (world)) (1- place)))
        ((eql place 0) objects)
      (let ((index (gethash (acl2::access-command-tuple-form (place-command place)) indices)))
        (when index
          (push (object "number" (place-number place) "index" index) objects))))))
