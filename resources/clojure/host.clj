;; What Java knows of values and errors, for code that nbb runs as well, with host.cljs of its own.
(ns lisp-harbor.host)

(defn class-name [value]
  (.getTypeName (class value)))

(defn message-of
  "What `error` says of itself, which its own code may fail to say."
  [^Throwable error]
  (try (.getMessage error)
       (catch Throwable problem (str "(it cannot say what happened: " (.getName (class problem)) ")"))))

(defn problem-of
  "What `error` is, in one text."
  [error]
  (let [message (message-of error)]
    (str (class-name error) (when message (str ": " message)))))

(defn attempt
  "What calling `work` answers, as `:value`, or as `:problem` why there is nothing."
  [work]
  (try {:value (work)}
       (catch Throwable error {:problem (problem-of error)})))
