;; What JavaScript knows of values and errors, for code that runs on the JVM as well.
(ns lisp-harbor.host)

(defn problem-of
  "What was thrown, in one text."
  [error]
  (or (ex-message error) (str error)))

(defn attempt
  "What calling `work` answers, as `:value`, or as `:problem` why there is nothing."
  [work]
  (try {:value (work)}
       (catch :default error {:problem (problem-of error)})))

(defn class-name
  "A type that was made here prints with its name behind that of its constructor, which says nothing in nbb. Babashka has
  classes, which print as their names."
  [value]
  (let [printed (pr-str (type value))
        [_ own] (re-find #" ([^\]]+)\]$" printed)]
    (or own
        (not-empty (:value (attempt #(.-name (type value)))))
        printed)))
