;;;; ABOUTME: Where SBCLs differ that the agent runs on: 2.2.9 is the oldest, and newer ones have renamed some of their internals.
;;;; ABOUTME: Whatever depends on a version is asked here.

(in-package :lisp-harbor-agent)

(defun top-level-form-name-p (name)
  "Whether a function is called NAME into which a top-level form of a file was compiled: a list until 2.2, then a text."
  (or (equal name "top level form")
      (and (consp name) (eq (first name) 'sb-c::top-level-form))))
