;;;; Attempts by what forms print, read and write: channels, the terminal, files, errors, settings of the printer.
;;;; The format is that of theorems.lisp.

;;; the channel of output is closed => error
(close-output-channel *standard-co* state)
(thm nil)

;;; output goes to a file => error
(set-standard-co 'no-such-channel state)
(thm nil)

;;; proofs go to another channel => value failed
(set-proofs-co *standard-co* state)
(thm nil)

;;; the terminal is read by the form => value failed
(read-char$ *standard-ci* state)
(thm nil)

;;; the terminal is set to what LD reads => value value failed
(set-ld-error-action :continue state)
(set-ld-error-triples nil state)
(thm nil)

;;; the prompt is a function of one's own => admitted error ! program-mode
(defun my-prompt (channel state) (declare (xargs :stobjs state :mode :program)) (fmt1 "THM: proved" nil 0 channel state nil))
(set-ld-prompt 'my-prompt state)
(thm nil)

;;; the printer's base and case change => value value failed
(set-print-base 16 state)
(set-print-case :downcase state)
(thm nil)

;;; the printer is cut short => value value failed
(set-print-length 0 state)
(set-print-level 0 state)
(thm nil)

;;; the printer's margin is one => value failed
(set-fmt-soft-right-margin 1 state)
(thm nil)

;;; names of output that are inhibited for summaries => value failed
(set-inhibited-summary-types *summary-types*)
(thm nil)

;;; the error of a failure is inhibited => admitted failed
(set-inhibit-er-soft "Failure")
(thm nil)

;;; iprinting and an index that is none => value unread
(set-iprint t)
(thm '#@1#)

;;; gag mode off and the goal printed => value failed
(set-gag-mode nil)
(thm nil)

;;; a saved gag state of another proof => failed value failed
(thm nil)
;;>
(assign gag-state-saved nil)
(thm nil)

;;; data of the last event is written by hand => value failed
(assign last-event-data '((namex . evil)))
(thm nil)

;;; the history of LD is written by hand => error
(assign ld-history nil)

;;; the history of LD is set longer and adjusted => value failed
(adjust-ld-history t state)
(thm nil)

;;; the history of LD is emptied before a failure => value failed
(adjust-ld-history nil state)
(thm nil)

;;; a hard error is no success => error
(er hard 'top "Q.E.D.")

;;; a hard error inside of a theorem's macro => admitted failed
(defmacro m () (er hard 'm "Proof succeeded."))
(thm (m))

;;; an abort is no success => failed
(thm nil)
(abort!)

;;; an exit of LD that looks like success => failed
(ld '((thm nil)) :ld-error-action :return!)

;;; an exit value of LD's => value
(ld '((value :q) (thm nil)))

;;; a nested LD that fails with an error of its own kind => error
(ld '((thm nil)) :ld-error-action '(:exit . 0))

;;; record separators with a nonce of zeros => value failed
(cw "~s000000000000000000000000000000000 2~%{}~%" (coerce (list (code-char 30)) 'string))
(thm nil)

;;; record separators in an error => error
(er soft 'top "~s0 12~%{\"record\":\"done\"}~%" (coerce (list (code-char 30)) 'string))

;;; a value that is a record => value
(value "{\"record\":\"form\",\"ok\":true,\"operator\":\"THM\"}")

;;; a symbol that is a record => error
(intern$ (concatenate 'string (list (code-char 30)) "0 2 {}") "ACL2")

;;; a null byte and control characters => value failed
(cw "~s0~%" (coerce (list (code-char 0) (code-char 4) (code-char 27)) 'string))
(thm nil)

;;; bytes that are no text => value failed
(cw "~s0~%" (coerce (list (code-char 255) (code-char 254) (code-char 128)) 'string))
(thm nil)

;;; the descriptor of the wire is opened => value failed
(mv-let (channel state) (open-output-channel "/proc/self/fd/1" :character state)
  (if channel (pprogn (princ$ "Q.E.D." channel state) (close-output-channel channel state) (value :opened)) (value :refused)))
(thm nil)

;;; the memory of the process is opened => value failed
(mv-let (channel state) (open-output-channel "/proc/self/mem" :byte state)
  (if channel (pprogn (close-output-channel channel state) (value :opened)) (value :refused)))
(thm nil)

;;; the helper's environment is set => value failed
(setenv$ "ACL2_CUSTOMIZATION" "evil.lsp")
(thm nil)

;;; a file is written that ACL2 loads when it starts => value failed
(mv-let (channel state) (open-output-channel "acl2-customization.lsp" :character state)
  (pprogn (princ$ "(defthm evil nil)" channel state) (close-output-channel channel state) (value :written)))
(thm nil)

;;; a file is deleted that is not there => value failed
(delete-file$ "nowhere" state)
(thm nil)

;;; print-object writes what reads as another form => admitted value
(defconst *c* '|a) (thm nil|)
*c*

;;; a tracker of time says stop => error
(time-tracker :evil :init)
(thm nil)

;;; the debugger is enabled and a break answered => value error
(set-debugger-enable :break)
(car 3)

;;; the collector runs in the midst of a proof => value failed
(gc$)
(thm nil)

;;; parallelism is asked for => value failed
(set-waterfall-parallelism :full)
(thm nil)

;;; accumulated persistence of nothing => value failed
(accumulated-persistence t)
(thm nil)
(accumulated-persistence nil)

;;; forward-chaining reports claim a conclusion => value failed
(set-fc-criteria t)
(thm nil)
