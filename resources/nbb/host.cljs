;; JavaScript's functions for values and errors, for code shared with the JVM.
(ns lisp-harbor.host)

(defn problem-of
  "Returns the thrown value as one text."
  [error]
  (or (ex-message error) (str error)))

(defn attempt
  "Returns the result of calling `work` as `:value`, or the reason of its failure as `:problem`."
  [work]
  (try {:value (work)}
       (catch :default error {:problem (problem-of error)})))

(defn class-name
  "Returns the name of the type of `value`. A type defined in nbb prints with its name after that of its
  constructor, which is meaningless. Babashka has classes, which print as their names."
  [value]
  (let [printed (pr-str (type value))
        [_ own] (re-find #" ([^\]]+)\]$" printed)]
    (or own
        (not-empty (:value (attempt #(.-name (type value)))))
        printed)))
