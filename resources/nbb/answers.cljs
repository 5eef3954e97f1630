;; How questions of the harbor are answered: with a value, or with why there is none.
(ns lisp-harbor.answers)

(defn refuse
  "Ends the question that is asked. `code` is one of the harbor's error codes, `message` says what to do."
  [code message]
  (throw (ex-info message {::code code})))

(defn answer
  "What `question` answers to `request`, or why it does not, as data for JSON."
  [question request]
  (try {:value (question request)}
       (catch :default error
         {:error {:code (get (ex-data error) ::code "query_failed") :message (ex-message error)}})))
