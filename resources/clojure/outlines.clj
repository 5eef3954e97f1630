;; How a value reads of which not everything can be computed or printed: what can is shown, and in the place of anything else
;; why not. nbb loads this file as well.
(ns lisp-harbor.outlines
  (:require [clojure.string :as string]
            [lisp-harbor.host :refer [attempt class-name]]))

(def ^:private most 20)

(def ^:private deepest 5)

(defn piecewise
  "Each of `elements` as `attempt` answers it. One that is a problem is the last: without it none behind it is reached."
  [elements]
  (lazy-seq
   (let [{[element others :as found] :value :keys [problem] :as attempted}
         (attempt #(when-let [there (seq elements)] [(first there) (rest there)]))]
     (cond
       problem (list attempted)
       found (cons {:value element} (piecewise others))))))

(defn- delimiters [value]
  (cond
    (record? value) [(str "#" (class-name value) "{") "}"]
    (map? value) ["{" "}"]
    (vector? value) ["[" "]"]
    (set? value) ["#{" "}"]
    :else ["(" ")"]))

(defn- elements-of [value]
  (if (map? value) (lazy-seq (mapcat identity value)) value))

(declare outlined)

(defn- elements-text
  "`end` is why there are no more than these; nil for what has all of its elements."
  [value level end]
  (let [found (concat (piecewise (elements-of value)) (when end [{:problem end}]))
        shown (for [{element :value :keys [problem]} (take most found)]
                (if problem (str "#<not computed: " problem ">") (outlined element level nil)))]
    (string/join " " (concat shown (when (seq (drop most found)) ["..."])))))

(defn- outlined
  "`failed` is the problem that printing it had before: a lazy sequence has no more elements then than it had computed, and
  prints."
  [value level failed]
  (let [{text :value :keys [problem]} (attempt #(pr-str value))]
    (cond
      (and problem (nil? failed)) (recur value level problem)
      (not (or problem (and failed (seq? value)))) text
      (and (coll? value) (pos? level))
      (let [[open close] (delimiters value)]
        (str open (elements-text value (dec level) (when-not problem failed)) close))
      :else (str "#<" (class-name value) ", not printed: " problem ">"))))

(defn outline
  "How `value` prints, as far as it does; `failed` is the problem that printing it had before, if any."
  ([value]
   (outline value nil))
  ([value failed]
   (binding [*print-length* most *print-level* deepest]
     (outlined value deepest failed))))
