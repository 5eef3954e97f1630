;; What JavaScript knows of values and errors, for code that runs on the JVM as well.
(ns lisp-harbor.host)

(defn class-name
  "A type that was made here prints as its name; the names of nbb's own say nothing."
  [value]
  (let [[_ own] (re-find #" ([^\]]+)\]$" (pr-str (type value)))]
    (or own (some-> (type value) .-name not-empty) "value")))

(defn problem-of
  "What was thrown, in one text."
  [error]
  (or (ex-message error) (str error)))

(defn attempt
  "What calling `work` answers, as `:value`, or as `:problem` why there is nothing."
  [work]
  (try {:value (work)}
       (catch :default error {:problem (problem-of error)})))
