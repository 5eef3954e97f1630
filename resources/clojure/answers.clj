;; Answers to queries of the harbor: a value, or the reason why there is none, printed as JSON.
(ns lisp-harbor.answers
  (:require [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.json :refer [json]]))

(defn refuse
  "Ends the current query with an error. `code` is one of the harbor's error codes, `message` says what to do.
  `search` says that a search of all namespaces may help."
  [code message & [search]]
  (throw (ex-info message {::code code ::search (some? search)})))

(defn- failure [^Throwable error]
  (if-let [code (::code (ex-data error))]
    {:code code :message (message-of error) :search (true? (::search (ex-data error)))}
    {:code "query_failed" :message (str (.getName (class error)) ": " (message-of error))}))

(defn print-answer
  "Prints the result of calling `question` with `arguments` as JSON on its own line, because inspected values
  may have printed something."
  [question & arguments]
  (let [answer (json (try {:value (apply question arguments)}
                          (catch Throwable error {:error (failure error)})))]
    (newline)
    (print answer))
  (flush))
