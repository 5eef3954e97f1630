;; Answers of an attached SCI server, as JSON written without JavaScript, because babashka has none.
(ns lisp-harbor.attached
  (:require [lisp-harbor.answers :refer [answer]]
            [lisp-harbor.json :refer [json]]))

(defn print-answer
  "Prints the answer of `question` to `request` on its own line, because inspected values may have printed
  something."
  [question request]
  (println)
  (print (json (answer question request)))
  (flush))
