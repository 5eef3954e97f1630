;; How SCI that was attached to answers a question: as JSON that no JavaScript writes, because babashka has none.
(ns lisp-harbor.attached
  (:require [lisp-harbor.answers :refer [answer]]
            [lisp-harbor.json :refer [json]]))

(defn print-answer
  "Prints what `question` answers to `request`, on a line of its own: values that were looked at may have printed something."
  [question request]
  (println)
  (print (json (answer question request)))
  (flush))
