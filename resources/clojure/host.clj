;; Java's functions for values and errors, for code shared with nbb, which has a host.cljs of its
;; own.
(ns lisp-harbor.host)

(defn class-name [value]
  (.getTypeName (class value)))

(defn message-of
  "Returns the message of `error`, whose own code may fail to return one."
  [^Throwable error]
  (try (.getMessage error)
       (catch Throwable problem (str "(it cannot say what happened: " (.getName (class problem)) ")"))))

(defn problem-of
  "Returns the description of `error` as one text."
  [error]
  (let [message (message-of error)]
    (str (class-name error) (when message (str ": " message)))))

(defn attempt
  "Returns the result of calling `work` as `:value`, or the reason of its failure as `:problem`."
  [work]
  (try {:value (work)}
       (catch Throwable error {:problem (problem-of error)})))
