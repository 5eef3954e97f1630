#| # A shell that runs this file hands it to SBCL, to which these lines are a comment.
exec sbcl --script "$0" "$@"
|#
;;;; The launcher that configurations of cl-mcp-server run: MCP over stdio, served by Lisp Harbor.
;;;; Works as ./run-server.lisp, with sbcl --script and with sbcl --load.

(load (merge-pathnames "cl-mcp-server.lisp" *load-truename*))

(defun server-options ()
  "What stands on the command line behind this script: behind its name, or behind SBCL's own options where there are any."
  (let* ((line (rest sb-ext:*posix-argv*))
         (script (position "run-server.lisp" line :test #'search)))
    (cond (script (remove "--end-toplevel-options" (nthcdr (1+ script) line) :test #'string=))
          ((equal (first line) "--script") (cddr line))
          (t line))))

(apply #'cl-mcp-server:start (server-options))
