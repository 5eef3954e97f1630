;; Answers to queries of the harbor: a value, or the reason why there is none.
(ns lisp-harbor.answers)

(defn refuse
  "Ends the current query with an error. `code` is one of the harbor's error codes, `message` says what to do.
  `search` says that a search of all namespaces may help."
  [code message & [search]]
  (throw (ex-info message {::code code ::search (some? search)})))

(defn answer
  "Returns the result of `question` for `request`, or the error, as data for JSON."
  [question request]
  (try {:value (question request)}
       (catch :default error
         {:error {:code (get (ex-data error) ::code "query_failed") :message (ex-message error)
                  :search (true? (::search (ex-data error)))}})))
