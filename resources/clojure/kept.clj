;; Values that nREPL prints, kept for the inspector under the number of their evaluation. `*1` is not
;; enough: code that goes on after an interrupt stores its own value there when it ends at last.
(ns lisp-harbor.kept
  (:require [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.objects :as objects]))

(def ^:private most 20)

(defonce ^:private values-printed (atom (sorted-map)))

(defn- with-value [values evaluation value]
  (let [more (assoc values evaluation value)]
    (if (< most (count more))
      (dissoc more (ffirst more))
      more)))

(defn print-kept
  "Prints `value` as nREPL does by default. The last value of an evaluation stays."
  [value ^java.io.Writer writer options]
  (swap! values-printed with-value (or (:evaluation options) (get options "evaluation")) value)
  (if *print-dup*
    (print-dup value writer)
    (print-method value writer)))

(defn keep-printed
  "Returns the number by which the last value of the evaluation can be inspected later."
  [{:keys [evaluation]}]
  (if-let [[_ value] (find @values-printed evaluation)]
    (do (swap! values-printed dissoc evaluation)
        (objects/number-of value))
    (refuse "unknown_handle" "The server did not print the value with our function.")))
