;;;; One test of a run. Whatever it does costs this test and not the run: an error in the debugger, a
;;;; full heap or stack, EXIT, or more time than a test has. Where the image ends nevertheless, the
;;;; harbor knows the results so far, and which test ran.

(in-package :lisp-harbor-agent)

(defvar *test-seconds* 60 "Time limit of one test in seconds. NIL: none.")

(defvar *test-in-progress* nil
  "A unique object for the test that runs in this thread: the tag of the catch that ends it. Never bound globally.")

;;; Reasons for which a test is ended.

(defun end-test (reason)
  (throw *test-in-progress* reason))

(defun time-limit-text (seconds)
  (format nil "It ran longer than ~D s, the limit of each test, and was ended~@[, in ~{~A~^ < ~}~]."
          seconds (ignore-errors (calls-in-progress))))

(defun call-with-test-clock (token function)
  "Calls FUNCTION and ends it when the time of a test is over. The end is repeated if cleanup forms continue. Time at
a debugger level is not limited."
  (let* ((seconds *test-seconds*)
         (level (current-level))
         (suspended nil)
         (timer (sb-ext:make-timer (lambda ()
                                     (when (> (current-level) level) (setf suspended t))
                                     (when (and (eq *test-in-progress* token) (not suspended))
                                       (end-test (time-limit-text seconds))))
                                   :thread sb-thread:*current-thread*)))
    (when seconds (sb-ext:schedule-timer timer seconds :repeat-interval 1))
    (unwind-protect (funcall function)
      (sb-ext:unschedule-timer timer))))

(defun call-without-exit (function)
  "Calls FUNCTION, in which a test that calls EXIT ends itself instead of the image."
  (call-around 'sb-ext:exit
               (lambda (exit &rest arguments)
                 (if *test-in-progress*
                     (end-test (format nil "It called EXIT~{ ~S~}, which would have ended the image." arguments))
                     (apply exit arguments)))
               function))

(defun end-or-hold-in-test (outer)
  "Returns the handler of unhandled conditions while a test runs: it ends the test, unless the evaluation opens
debugger levels. OUTER is the handler outside of the test."
  (lambda (condition)
    (if (and *evaluation* (evaluation-holds *evaluation*) (not (no-room-to-hold-p condition)))
        (funcall outer condition)
        (end-test (condition-text condition)))))

(defun call-as-test (run test function)
  "Calls FUNCTION, which runs TEST or a part of it, unless TEST was ended early."
  (unless (member test (run-ended run) :test #'same-test-p)
    (unless (and (run-current run) (same-test-p test (run-current run)))
      (setf (run-current run) test)
      (send-begun-test run test))
    (let* ((token (list test))
           (reason (catch token
                     (let ((*test-in-progress* token)
                           (*unhandled* (end-or-hold-in-test *unhandled*)))
                       (call-with-test-clock token function)
                       nil))))
      (when reason
        (push test (run-ended run))
        (record-failure run "error" test "reason" reason)
        (reclaim-heap)))))

(defun same-test-p (test other)
  (eq (test-designator test) (test-designator other)))
